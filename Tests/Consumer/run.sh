#!/bin/bash
# Builds a small host against this package, once with each tools version hosts use, and lets it listen to a
# microphone made of a file, with `speechly serve` as its service.
#
# usage: Tests/Consumer/run.sh PATH-OF-SPEECHLY
set -eu -o pipefail

speechly=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
speech="$root/Tests/Cases/speech"
scratch="$root/.build/consumer"
work=$(mktemp -d)
server=""

finish() {
    if [ -n "$server" ]; then
        kill -TERM "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$work"
}
trap finish EXIT

fail() {
    echo "consumer: $*" >&2
    exit 1
}

build() {
    swift build --package-path "$1" --scratch-path "$scratch" >"$work/build.log" 2>&1 || fail "$1: $(cat "$work/build.log")"
    if grep "^$1/.*: warning: " "$work/build.log"; then fail "$1 does not build without warnings"; fi
    tail -1 "$work/build.log"
}

# Runs a program with the microphone and the service below.
listen() {
    HOME="$work" ALSA_CONFIG_PATH="$work/asound.conf" SPEECHLY_SLU_ADDR="$address" SPEECHLY_IDENTITY_ADDR="$address" \
        timeout 120 "$1"
}

expect() {
    local file=$1
    shift
    for line in "$@"; do
        grep -qE "$line" "$file" || fail "'$line' was never printed, but: $(cat "$file")"
    done
}

# The microphone: the file's samples without its header, then silence.
{
    tail -c +45 "$speech/show-me-all-python-repos.slt.wav"
    head -c 320000 /dev/zero
} >"$work/speech.raw"
cat >"$work/asound.conf" <<END
</usr/share/alsa/alsa.conf>
pcm.!default {
    type file
    slave.pcm "null"
    file "/dev/null"
    infile "$work/speech.raw"
    format "raw"
}
END

# The first line it prints says where it is.
mkfifo "$work/serve.out"
"$speechly" serve "$speech/repos.sal" --listen grpc://127.0.0.1:0 >"$work/serve.out" 2>"$work/serve.err" &
server=$!
exec 3<"$work/serve.out"
read -r -t 60 line <&3 || fail "speechly serve did not start: $(cat "$work/serve.err")"
address=${line#listening on }

for version in 5.9 6.0; do
    package="$work/$version"
    mkdir "$package"
    cp -r "$here/Sources" "$package/Sources"
    sed -e "1s/.*/\/\/ swift-tools-version: $version/" -e "s|path: \"../..\"|path: \"$root\"|" \
        "$here/Package.swift" >"$package/Package.swift"
    # The host's own sources are compiled anew for each version, this package only once.
    build "$package"
    host="$scratch/debug/Consumer"

    libraries=$(ldd "$host")
    if grep -E 'pocketsphinx|sphinxbase' <<<"$libraries"; then
        fail "the host is linked with the recogniser"
    fi

    listen "$host" >"$work/host-$version.out" 2>&1 || fail "the host failed: $(cat "$work/host-$version.out")"
    cat "$work/host-$version.out"
    expect "$work/host-$version.out" '^listening$' '^so far: .' '^final: filter: show me all python repos$' \
        '^all results are in$'
    echo "consumer: passed with tools version $version"
done

# The examples of the documents, as they are.
build "$root/docs/examples/Listen"
listen "$scratch/debug/Listen" >"$work/listen.out" 2>&1 || fail "Listen failed: $(cat "$work/listen.out")"
expect "$work/listen.out" '^so far: .' '^final: filter: show me all python repos$'
build "$root/docs/examples/Quickstart"
HOME="$work" timeout 120 "$scratch/debug/Quickstart" "$speech/repos.sal" "$speech/order-by-stars.slt.wav" \
    >"$work/quickstart.out" 2>&1 || fail "Quickstart failed: $(cat "$work/quickstart.out")"
expect "$work/quickstart.out" '^sort: order by stars$' '^  sort_field: stars$'
"$scratch/debug/Quickstart" nowhere.sal nowhere.wav >"$work/quickstart.out" 2>&1
expect "$work/quickstart.out" '^error: cannot read the configuration nowhere.sal: '

echo "consumer: the examples passed"
