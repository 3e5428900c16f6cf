#!/bin/sh
# Fuzzes the compiler of configurations: SAL, config.yaml, CSV.
# Usage: run-sal.sh [SECONDS [KIND…]]   (seconds in total, 600 by default; kinds: sal yaml csv, all by default)
# Writes corpus/<kind>/ (the smallest set of inputs that reaches the same code), statistics-sal.md, and what breaks a
# promise to finds/<kind>/. Exits with 1 on a find.
set -eu
cd "$(dirname "$0")"
total=${1:-600}
[ $# = 0 ] || shift
export SWIFT_BACKTRACE=enable=no  # libFuzzer prints its own

rm -f .build/release.yaml  # SwiftPM does not notice new files of a package it depends on by path
# lld, because gold cannot link libFuzzer.
swift build -c release --product SALFuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld >&2
fuzzer=$(swift build -c release --show-bin-path)/SALFuzzer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

found=0
[ $# -gt 0 ] || set -- $("$fuzzer" --list)
for kind in "$@"; do
    seconds=$((total / $#))
    [ "$seconds" -gt 0 ] || seconds=1
    mkdir -p "corpus/$kind" "finds/$kind" "$work/$kind" "$work/kept"
    cp -r "corpus/$kind/." "$work/$kind/"
    export FUZZ_INPUT="$kind"
    log="$work/$kind.log"
    broken=0
    # A find, too: more than thirty seconds (of a clock that other work slows) or two gigabytes for an input of two
    # thousand bytes.
    "$fuzzer" -max_total_time="$seconds" -max_len=2048 -timeout=30 -rss_limit_mb=2048 -detect_leaks=0 \
        -dict="$kind.dict" -print_final_stats=1 -artifact_prefix="finds/$kind/" "$work/$kind" >"$log" 2>&1 || {
        broken=1
        echo "$kind: a find" >&2
        grep -E 'BROKEN|Fatal error|ERROR|SUMMARY' "$log" | head -5 >&2 || true
    }
    # After a find the corpus stays as it is: a merge leaves out what crashes.
    if [ $broken = 1 ]; then
        found=1
    elif "$fuzzer" -set_cover_merge=1 -use_counters=0 -detect_leaks=0 "$work/kept" "$work/$kind" >"$log.merge" 2>&1; then
        rm -rf "corpus/$kind"
        mv "$work/kept" "corpus/$kind"
    else
        found=1
        echo "$kind: cannot merge: $(tail -1 "$log.merge")" >&2
        rm -rf "$work/kept"
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    slowest=$(sed -n 's/^stat::slowest_unit_time_sec: *//p' "$log")
    memory=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log")
    kept=$(find "corpus/$kind" -type f | wc -l)
    bytes=$(find "corpus/$kind" -type f -exec cat {} + | wc -c)
    finds=$(find "finds/$kind" -type f | wc -l)
    rmdir "finds/$kind" 2>/dev/null || true
    row="| $kind | $seconds | ${runs:-?} | ${edges:-?} | ${slowest:-?} s | ${memory:-?} MB | $kept | $bytes | $finds |"
    echo "$row"
    echo "$row" >"$work/$kind.row"
done
rmdir finds 2>/dev/null || true
{
    echo "# Fuzzing statistics of the compiler of configurations"
    echo
    echo "Of the last run of \`run-sal.sh\` for each kind. Edges are those reached in the fuzzer, the compiler and what it"
    echo "stands on."
    echo
    echo "| input | seconds | inputs tried | edges | slowest input | most memory | inputs kept | bytes kept | finds |"
    echo "|---|---|---|---|---|---|---|---|---|"
    for kind in $("$fuzzer" --list); do
        cat "$work/$kind.row" 2>/dev/null || grep "^| $kind |" statistics-sal.md || true
    done
} >"$work/statistics.md"
mv "$work/statistics.md" statistics-sal.md
exit $found
