#!/bin/sh
# How well, how fast and in how much memory commands of synthetic voices are recognised over five configurations of 20
# to 2,000 templates, and how often other speech is taken for a command. Needs pocketsphinx-en-us, flite, espeak-ng, sox.
# Options: --commands N (of each configuration), --only NAME, --verbose. With --evidence it prints what
# train-verification.py learns from, of other configurations, and measures nothing.
set -eu
cd "$(dirname "$0")"
rm -f .build/release.yaml  # SwiftPM does not notice new files of a package it depends on by path
swift build -c release --product RecognitionBenchmark >&2
exec "$(swift build -c release --show-bin-path)/RecognitionBenchmark" Data/words.txt .build/speech "$@"
