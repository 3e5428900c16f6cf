#ifndef SPEECHLY_CSndFile_H
#define SPEECHLY_CSndFile_H
#include <sndfile.h>
#endif
