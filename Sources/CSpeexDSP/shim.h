#ifndef SPEECHLY_CSpeexDSP_H
#define SPEECHLY_CSpeexDSP_H
#include <speex/speex_preprocess.h>
#include <speex/speex_resampler.h>
#endif
