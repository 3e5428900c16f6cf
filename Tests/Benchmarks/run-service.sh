#!/bin/sh
# The embedded service against pocketsphinx's C API on the same audio with the same grammar. Needs gcc,
# libpocketsphinx-dev, pocketsphinx-en-us.
set -eu
cd "$(dirname "$0")"
build=.build/service-peer
mkdir -p "$build"
# shellcheck disable=SC2046
gcc -O2 -o "$build/pocketsphinx_peer" Peers/pocketsphinx_peer.c $(pkg-config --cflags --libs pocketsphinx)
rm -f .build/release.yaml  # SwiftPM does not notice new files of a package it depends on by path
swift build -c release --product ServiceBenchmark >&2
exec "$(swift build -c release --show-bin-path)/ServiceBenchmark" "$build/pocketsphinx_peer" ../Cases/speech
