#ifndef SPEECHLY_CYAML_H
#define SPEECHLY_CYAML_H
#include <yaml.h>
#endif
