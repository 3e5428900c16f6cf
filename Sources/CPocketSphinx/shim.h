#ifndef SPEECHLY_CPocketSphinx_H
#define SPEECHLY_CPocketSphinx_H
#include <pocketsphinx.h>
#include <sphinxbase/err.h>
#include <sphinxbase/fsg_model.h>
#include <sphinxbase/jsgf.h>
#include <sphinxbase/ngram_model.h>
#endif
