// Converts noise from 48 kHz to 16 kHz with libspeexdsp alone, as a C program would.
// Usage: resampler SECONDS; prints the processor time of the conversion in nanoseconds, and a checksum.
#include <speex/speex_resampler.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CHUNK = 4800, RATE = 48000 };

int main(int argc, char **argv) {
  long chunks = (argc > 1 ? atol(argv[1]) : 10) * RATE / CHUNK;
  int error = 0;
  SpeexResamplerState *state = speex_resampler_init(1, RATE, 16000, 8, &error);
  if (!state) return 1;
  speex_resampler_skip_zeros(state);
  static spx_int16_t input[CHUNK], output[CHUNK];
  uint32_t random = 1;
  for (int i = 0; i < CHUNK; i++) {
    random = random * 1664525u + 1013904223u;
    input[i] = (spx_int16_t)(random >> 16);
  }
  long sum = 0;
  struct timespec start, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  for (long chunk = 0; chunk < chunks; chunk++) {
    spx_uint32_t in = CHUNK, out = CHUNK;
    speex_resampler_process_int(state, 0, input, &in, output, &out);
    sum += output[out / 2];
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  printf("%lld %ld\n", (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec), sum);
  speex_resampler_destroy(state);
  return 0;
}
