#include <edflib.h>
