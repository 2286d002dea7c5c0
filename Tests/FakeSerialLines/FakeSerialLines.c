#include "FakeSerialLines.h"

int fake_serial_lines_are_linked(void) { return 1; }
