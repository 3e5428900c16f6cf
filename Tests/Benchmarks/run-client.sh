#!/bin/sh
# The client through server deaths, with a thousand clients, and against a server that never reads. Nobody else's
# client does any of this, so that there is no peer.
set -eu
cd "$(dirname "$0")/../.."
swift build -c release --product chaos >&2
chaos="$(swift build -c release --show-bin-path)/chaos"
status=0
for measure in "kills 60" "load 1000" stall ring; do
    # shellcheck disable=SC2086
    "$chaos" $measure || status=1
done
exit $status
