// The C++ protobuf side of the codec benchmark, as a shared library with C functions.
#ifndef CODEC_PEER_H
#define CODEC_PEER_H

#include <stddef.h>
#include <stdint.h>

enum codec_peer_operation {
    CODEC_PEER_DECODE_FRESH,    // into a new heap message, which is deleted again
    CODEC_PEER_DECODE_ARENA,    // into an arena, which is reset again and keeps its block
    CODEC_PEER_DECODE_REUSED,   // into the same message every time
    CODEC_PEER_ENCODE_REUSED,   // into the same buffer every time
    CODEC_PEER_ENCODE_FRESH,    // into a new string
    CODEC_PEER_MEMCPY,          // no protobuf: copies the bytes into the same buffer every time
};

// Does the operation `iterations` times with the SLUResponse in `bytes`; nanoseconds for all, 0 if it does not work.
extern "C" uint64_t codec_peer_run(int operation, const uint8_t *bytes, size_t size, uint64_t iterations);

#endif
