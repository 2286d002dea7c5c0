#include "CFuzzer.h"
#include <malloc.h>

size_t bytes_in_use(void) { return mallinfo2().uordblks; }
