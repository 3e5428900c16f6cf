#!/bin/sh
# Makes the C code of this target from proto/ with protoc-c (Debian: protobuf-c-compiler).
# Usage: generate.sh [OUTPUT-FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
output=${1:-$here/generated}
mkdir -p "$output"
protoc -I"$here/../../proto" --c_out="$output" \
    speechly/identity/v1/identity.proto speechly/identity/v2/identity_api.proto speechly/slu/v1/slu.proto \
    speechly/slu/v1/wlu.proto speechly/slu/v1/batch.proto grpc/health/v1/health.proto \
    google/protobuf/timestamp.proto google/protobuf/duration.proto
