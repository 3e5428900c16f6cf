#include "CFuzzHooks.h"

int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t),
                                              void (*freed)(const volatile void *));

// The fuzzer decodes on one thread.
static _Thread_local int counting;
static _Thread_local uint64_t sum;

static void allocated(const volatile void *memory, size_t size) {
    (void)memory;
    if (counting) sum += size;
}

static void freed(const volatile void *memory) { (void)memory; }

void cfuzzhooks_start(void) {
    static int installed;
    if (!installed) installed = __sanitizer_install_malloc_and_free_hooks(allocated, freed);
    sum = 0;
    counting = 1;
}

uint64_t cfuzzhooks_stop(void) {
    counting = 0;
    return sum;
}
