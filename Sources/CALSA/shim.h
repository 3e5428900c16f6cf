#ifndef SPEECHLY_CALSA_H
#define SPEECHLY_CALSA_H
#include <alsa/asoundlib.h>
// The descriptor that wakes a thread which polls a device; Swift's Glibc module leaves it out.
#include <sys/eventfd.h>
#endif
