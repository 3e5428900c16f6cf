// Counts the calls of the allocator that marked threads make. To be preloaded; not part of any target.
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static __thread int is_marked;
static atomic_long calls;

// Marks the calling thread, or takes the mark back.
void malloc_probe_mark(int marked) { is_marked = marked; }

long malloc_probe_calls(void) { return atomic_load(&calls); }

static void note(void) {
    if (!is_marked) return;
    // The first few are shown with their callers; what that allocates does not count.
    is_marked = 0;
    if (atomic_fetch_add(&calls, 1) < 3) {
        void *frames[24];
        backtrace_symbols_fd(frames, backtrace(frames, 24), STDERR_FILENO);
    }
    is_marked = 1;
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    note();
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    note();
    void *memory = __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

void free(void *memory) {
    if (memory) note();
    __libc_free(memory);
}
