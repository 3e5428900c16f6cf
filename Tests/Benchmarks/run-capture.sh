#!/bin/sh
# Capture from a PulseAudio null sink, and how much more it costs than arecord does with the same period and buffer;
# and from a device without a clock, which the recorder reads at a microphone's pace. Needs cc, pulseaudio,
# pulseaudio-utils, libasound2-plugins, alsa-utils. LOSS_SECONDS (600): how long to capture with all cores busy;
# PART=numbers leaves that out, PART=loss the rest.
set -eu
cd "$(dirname "$0")"
swift build -c release --product CaptureBenchmark >&2
benchmark="$(swift build -c release --show-bin-path)/CaptureBenchmark"
mkdir -p .build/capture-peer
cc -O2 -shared -fPIC -ftls-model=initial-exec -o .build/capture-peer/poll_clock.so Peers/poll_clock.c
clock="$PWD/.build/capture-peer/poll_clock.so"

folder="$(mktemp -d)"
cat > "$folder/asound.conf" <<CONF
</usr/share/alsa/alsa.conf>
pcm.mic { type pulse device "mic.monitor" server "unix:$folder/native" }
pcm.plain { type file slave.pcm "null" file "/dev/null" infile "$folder/plain.raw" format "raw" }
CONF
head -c 19200000 /dev/urandom > "$folder/plain.raw"
env HOME="$folder" XDG_RUNTIME_DIR="$folder" PULSE_RUNTIME_PATH="$folder" pulseaudio -n --daemonize=no \
    --exit-idle-time=-1 --disable-shm=yes --log-target=null \
    -L "module-native-protocol-unix auth-anonymous=1 socket=$folder/native" \
    -L "module-null-sink sink_name=mic rate=48000 channels=2" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null || true; rm -rf "$folder"' EXIT
while [ ! -S "$folder/native" ]; do
    kill -0 $server 2>/dev/null || { echo "SKIPPED: PulseAudio does not run here"; exit 0; }
    sleep 0.1
done
export HOME="$folder" ALSA_CONFIG_PATH="$folder/asound.conf" PULSE_SERVER="unix:$folder/native"
LD_PRELOAD="$clock" "$benchmark" "${PART:-measure}" "${LOSS_SECONDS:-600}"
