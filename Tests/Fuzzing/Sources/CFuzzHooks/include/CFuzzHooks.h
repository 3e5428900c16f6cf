#ifndef CFUZZHOOKS_H
#define CFUZZHOOKS_H

#include <stddef.h>
#include <stdint.h>

/// Starts to count bytes allocated, from 0. Needs the address sanitizer's runtime.
void cfuzzhooks_start(void);

/// Stops counting; the sum of all bytes asked for since the start, freed ones included.
uint64_t cfuzzhooks_stop(void);

/// libFuzzer: reads its options from the arguments and calls `test` with one input after another.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t size));

#endif
