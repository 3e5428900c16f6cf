#ifndef SPEECHLY_CPocketSphinx_H
#define SPEECHLY_CPocketSphinx_H
#include <pocketsphinx.h>
#include <sphinxbase/cmn.h>
#include <sphinxbase/err.h>
#include <sphinxbase/fe.h>
#include <sphinxbase/feat.h>
#include <sphinxbase/fsg_model.h>
#include <sphinxbase/glist.h>
#include <sphinxbase/logmath.h>
#endif
