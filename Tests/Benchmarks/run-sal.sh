#!/bin/sh
# The SAL compiler, and understanding against one regular expression of all templates in the same run.
set -eu
cd "$(dirname "$0")"
rm -f .build/release.yaml  # SwiftPM does not notice new files of a package it depends on by path
swift build -c release --product SALBenchmark >&2
exec "$(swift build -c release --show-bin-path)/SALBenchmark"
