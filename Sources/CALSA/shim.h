#ifndef SPEECHLY_CALSA_H
#define SPEECHLY_CALSA_H
#include <alsa/asoundlib.h>
#endif
