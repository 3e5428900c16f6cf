#!/bin/sh
# The transport against a synchronous grpc++ client. Needs g++, pkg-config, protobuf-compiler,
# protobuf-compiler-grpc, libgrpc++-dev, util-linux.
set -eu
cd "$(dirname "$0")"
build=.build/transport-peer
mkdir -p "$build"
if [ ! -x "$build/transport_client" ] || [ Peers/transport_client.cpp -nt "$build/transport_client" ]; then
    protoc -I../../proto --cpp_out="$build" --grpc_out="$build" \
        --plugin=protoc-gen-grpc="$(command -v grpc_cpp_plugin)" speechly/slu/v1/slu.proto
    g++ -O2 -std=c++17 -I"$build" -o "$build/transport_client" Peers/transport_client.cpp \
        "$build"/speechly/slu/v1/slu.pb.cc "$build"/speechly/slu/v1/slu.grpc.pb.cc \
        $(pkg-config --libs grpc++ protobuf)
fi
swift build -c release --product TransportBenchmark >&2
exec "$(swift build -c release --show-bin-path)/TransportBenchmark" "$PWD/$build/transport_client"
