#pragma once
#include <stddef.h>
#include <stdint.h>

/// Runs the fuzzer with these arguments on what is called with each input, and ends the process or returns its exit
/// code. Part of libFuzzer.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*try_input)(const uint8_t *bytes, size_t count));

/// How many bytes the allocator has given out and not been given back.
size_t bytes_in_use(void);
