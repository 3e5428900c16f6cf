#ifndef SPEECHLY_CFlite_H
#define SPEECHLY_CFlite_H
#include <flite/flite.h>
#include <flite/cst_lexicon.h>
#endif
