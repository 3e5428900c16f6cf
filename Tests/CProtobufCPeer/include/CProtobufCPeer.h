#ifndef CPROTOBUFCPEER_H
#define CPROTOBUFCPEER_H

#include <stddef.h>
#include <stdint.h>

/// What became of a message.
enum {
    CPROTOBUFCPEER_OK = 0,
    CPROTOBUFCPEER_REJECTED = 1,
    CPROTOBUFCPEER_UNKNOWN_MESSAGE = 2,
    CPROTOBUFCPEER_OUT_OF_MEMORY = 3,
};

/// Has libprotobuf-c decode `size` bytes as the message with the full name `message` and encode it again.
/// On CPROTOBUFCPEER_OK `*output` is the caller's, to be freed with `free`, and may be NULL where `*output_size` is 0.
/// libprotobuf-c checks no UTF-8, knows no groups and ends strings at a zero byte.
int cprotobufcpeer_reencode(const char *message, const uint8_t *bytes, size_t size,
                            uint8_t **output, size_t *output_size);

#endif
