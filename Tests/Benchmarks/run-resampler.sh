#!/bin/sh
# Builds the resampler's benchmark and its peer, a C program over libspeexdsp, and runs them.
set -eu
cd "$(dirname "$0")"
mkdir -p .build/peers
cc -O2 -o .build/peers/resampler Peers/resampler.c -lspeexdsp
swift build -c release --product ResamplerBenchmark
exec "$(swift build -c release --show-bin-path)/ResamplerBenchmark" "$PWD/.build/peers/resampler"
