#include "codec_peer.h"

#include <google/protobuf/arena.h>
#include <string.h>
#include <time.h>

#include <string>
#include <vector>

#include "speechly/slu/v1/slu.pb.h"

using speechly::slu::v1::SLUResponse;

static uint64_t now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return uint64_t(time.tv_sec) * 1000000000 + uint64_t(time.tv_nsec);
}

// Makes the compiler believe that the memory is looked at.
static void use(const void *memory) { asm volatile("" : : "r"(memory) : "memory"); }

uint64_t codec_peer_run(int operation, const uint8_t *bytes, size_t size, uint64_t iterations) {
    SLUResponse message;
    if (operation != CODEC_PEER_MEMCPY && !message.ParseFromArray(bytes, int(size))) return 0;
    std::vector<uint8_t> buffer(size);
    std::vector<char> block(65536);
    google::protobuf::ArenaOptions options;
    options.initial_block = block.data();
    options.initial_block_size = block.size();
    google::protobuf::Arena arena(options);
    bool works = true;

    const uint64_t start = now();
    for (uint64_t i = 0; i < iterations; i++) {
        switch (operation) {
        case CODEC_PEER_DECODE_FRESH: {
            SLUResponse *fresh = new SLUResponse;
            works &= fresh->ParseFromArray(bytes, int(size));
            use(fresh);
            delete fresh;
            break;
        }
        case CODEC_PEER_DECODE_ARENA: {
            SLUResponse *fresh = google::protobuf::Arena::CreateMessage<SLUResponse>(&arena);
            works &= fresh->ParseFromArray(bytes, int(size));
            use(fresh);
            arena.Reset();
            break;
        }
        case CODEC_PEER_DECODE_REUSED:
            works &= message.ParseFromArray(bytes, int(size));
            use(&message);
            break;
        case CODEC_PEER_ENCODE_REUSED:
            works &= message.SerializeToArray(buffer.data(), int(buffer.size()));
            use(buffer.data());
            break;
        case CODEC_PEER_ENCODE_FRESH: {
            std::string fresh = message.SerializeAsString();
            works &= fresh.size() == size;
            use(fresh.data());
            break;
        }
        case CODEC_PEER_MEMCPY:
            use(bytes);
            memcpy(buffer.data(), bytes, size);
            use(buffer.data());
            break;
        }
    }
    const uint64_t elapsed = now() - start;
    return works ? elapsed : 0;
}
