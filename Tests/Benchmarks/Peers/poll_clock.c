// Notes how long it is from the last `poll` on the thread that captures to the end of each send of audio. To be
// preloaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>

#define CAPACITY 1000000

static atomic_ulong last;
static atomic_size_t count;
static unsigned long latencies[CAPACITY];
static __thread int kind;

static unsigned long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (unsigned long)time.tv_sec * 1000000000ul + (unsigned long)time.tv_nsec;
}

// How many sends there were since the last reset, and how long each took, in nanoseconds.
size_t poll_clock_count(void) {
    size_t all = atomic_load(&count);
    return all < CAPACITY ? all : CAPACITY;
}
const unsigned long *poll_clock_latencies(void) { return latencies; }
void poll_clock_reset(void) { atomic_store(&count, 0); }

int poll(struct pollfd *descriptors, nfds_t number, int timeout) {
    static int (*next)(struct pollfd *, nfds_t, int);
    if (!next) next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    int result = next(descriptors, number, timeout);
    if (kind == 0) {
        char name[16] = "";
        prctl(PR_GET_NAME, name);
        kind = strcmp(name, "speechly-mic") == 0 ? 1 : 2;
    }
    // More than the wake-up descriptor: the device has something.
    if (kind == 1 && number > 1 && result > 0) atomic_store(&last, now());
    return result;
}

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    static ssize_t (*next)(int, const struct msghdr *, int);
    if (!next) next = (ssize_t (*)(int, const struct msghdr *, int))dlsym(RTLD_NEXT, "sendmsg");
    ssize_t result = next(socket, message, flags);
    unsigned long wake = atomic_load(&last);
    // A piece of 30 ms is 960 bytes; nothing else that is sent is so large.
    if (result >= 960 && wake) {
        size_t index = atomic_fetch_add(&count, 1);
        if (index < CAPACITY) latencies[index] = now() - wake;
    }
    return result;
}
