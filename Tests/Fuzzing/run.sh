#!/bin/sh
# Fuzzes every message of the codec. Usage: run.sh [SECONDS]   (in total; 600 by default)
# Writes corpus/<message>/ (the smallest set of inputs that reaches the same code), statistics.md, and what breaks a
# promise to finds/<message>/. Exits with 1 on a find.
set -eu
cd "$(dirname "$0")"
total=${1:-600}
export SWIFT_BACKTRACE=enable=no  # libFuzzer prints its own

rm -f .build/release.yaml  # SwiftPM does not notice new files of a package it depends on by path
# lld, because gold cannot link libFuzzer.
swift build -c release --product ProtoFuzzer -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld >&2
fuzzer=$(swift build -c release --show-bin-path)/ProtoFuzzer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Messages that are sent on their own get five times the time of those inside them.
weight() {
    case $1 in
    *Request | *Response) echo 5 ;;
    *) echo 1 ;;
    esac
}

weights=0
for message in $("$fuzzer" --list); do weights=$((weights + $(weight "$message"))); done
found=0
{
    echo "# Fuzzing statistics"
    echo
    echo "Of the last run of \`run.sh $total\`. Coverage is of the fuzzer and the codec together, as libFuzzer counts it:"
    echo "edges reached, and features (edges by how often, and comparisons)."
    echo
    echo "| message | seconds | inputs tried | edges | features | inputs kept | bytes kept | finds |"
    echo "|---|---|---|---|---|---|---|---|"
} >"$work/statistics.md"

for message in $("$fuzzer" --list); do
    seconds=$((total * $(weight "$message") / weights))
    [ "$seconds" -gt 0 ] || seconds=1
    mkdir -p "corpus/$message" "finds/$message" "$work/$message" "$work/kept"
    cp -r "corpus/$message/." "$work/$message/"
    export FUZZ_MESSAGE="$message"
    log="$work/$message.log"
    broken=0
    "$fuzzer" -max_total_time="$seconds" -max_len=1024 -print_final_stats=1 -artifact_prefix="finds/$message/" \
        "$work/$message" >"$log" 2>&1 || {
        broken=1
        echo "$message: a find" >&2
        grep -E 'BROKEN|Fatal error|ERROR|SUMMARY' "$log" | head -5 >&2 || true
    }
    # After a find the corpus stays as it is: a merge leaves out what crashes.
    if [ $broken = 1 ]; then
        found=1
    elif "$fuzzer" -set_cover_merge=1 -use_counters=0 "$work/kept" "$work/$message" >"$log.merge" 2>&1; then
        rm -rf "corpus/$message"
        mv "$work/kept" "corpus/$message"
    else
        found=1
        echo "$message: cannot merge: $(tail -1 "$log.merge")" >&2
        rm -rf "$work/kept"
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    features=$(sed -n 's/.* ft: \([0-9]*\) .*/\1/p' "$log" | tail -1)
    kept=$(find "corpus/$message" -type f | wc -l)
    bytes=$(find "corpus/$message" -type f -exec cat {} + | wc -c)
    finds=$(find "finds/$message" -type f | wc -l)
    rmdir "finds/$message" 2>/dev/null || true
    row="| $message | $seconds | ${runs:-?} | ${edges:-?} | ${features:-?} | $kept | $bytes | $finds |"
    echo "$row" | tee -a "$work/statistics.md"
done
rmdir finds 2>/dev/null || true
mv "$work/statistics.md" statistics.md
exit $found
