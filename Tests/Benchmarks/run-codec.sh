#!/bin/sh
# The codec against Debian's C++ protobuf on the same bytes. Needs g++, protobuf-compiler, libprotobuf-dev.
set -eu
cd "$(dirname "$0")"
build=.build/codec-peer
mkdir -p "$build"
protoc -I../../proto --cpp_out="$build" speechly/slu/v1/slu.proto
g++ -O2 -fPIC -shared -I"$build" -IPeers -o "$build/libcodecpeer.so" \
    Peers/codec_peer.cc "$build/speechly/slu/v1/slu.pb.cc" -lprotobuf
gcc -O2 -fPIC -shared -fno-builtin -o "$build/libmallochook.so" Peers/malloc_hook.c
rm -f .build/release.yaml  # SwiftPM does not notice new files of a package it depends on by path
swift build -c release --product CodecBenchmark >&2
binary=$(swift build -c release --show-bin-path)/CodecBenchmark
status=0
"$binary" "$build/libcodecpeer.so" || status=1
LD_PRELOAD="$build/libmallochook.so" "$binary" --allocations || status=1
exit $status
