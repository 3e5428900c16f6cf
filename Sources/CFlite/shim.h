#ifndef SPEECHLY_CFlite_H
#define SPEECHLY_CFlite_H
#include <flite/flite.h>
#include <flite/cst_lexicon.h>

/* Exported by libflite_cmulex, whose package installs no header for it. */
cst_lexicon *cmu_lex_init(void);
#endif
