#ifndef SPEECHLY_CCrypto_H
#define SPEECHLY_CCrypto_H
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#endif
