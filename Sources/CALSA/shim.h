#ifndef SPEECHLY_CALSA_H
#define SPEECHLY_CALSA_H
#include <alsa/asoundlib.h>
// The descriptor that wakes a thread which polls a device; Swift's Glibc module leaves it out.
#include <sys/eventfd.h>
#include <sys/prctl.h>

// Names the calling thread for `ps`, `top` and `perf`: at most 15 bytes. Swift cannot call a function with varying
// arguments, nor see the one of pthread.
static inline int spa_name_thread(const char *name) { return prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0); }
#endif
