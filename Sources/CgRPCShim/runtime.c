#define _GNU_SOURCE  // pthread_setname_np

#include "internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static grpc_completion_queue *queue;
// Never started: empty batches on it complete at once, which is how to get a tag to the poller.
static grpc_call *postman;
static _Thread_local bool is_poller;

// libgrpc reports on stderr what its callers get as a status anyway. Asked for by its own
// environment variables, it still does.
static void discard_log(gpr_log_func_args *arguments) { (void)arguments; }

static void *poll(void *unused) {
  (void)unused;
  is_poller = true;
  for (;;) {
    grpc_event event = grpc_completion_queue_next(queue, gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
    if (event.type != GRPC_OP_COMPLETE) continue;
    spg_tag *tag = event.tag;
    (void)atomic_load_explicit(&tag->published, memory_order_acquire);
    bool success = event.success != 0;
    if (tag->is_reposted) {
      tag->is_reposted = false;
      success = tag->reposted_success;
    }
    tag->completed(tag, success);
  }
  return NULL;
}

static int start_poller(void) {
  // A host's signals are for the host's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, poll, NULL);
  if (error == 0) pthread_setname_np(thread, "speechly-grpc");
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

bool spg_start(void) {
  static atomic_bool started;
  if (atomic_load_explicit(&started, memory_order_acquire)) return true;
  int error = 0;
  pthread_mutex_lock(&start_lock);
  if (!atomic_load_explicit(&started, memory_order_relaxed)) {
    if (!queue) {
      if (!getenv("GRPC_VERBOSITY") && !getenv("GRPC_TRACE")) gpr_set_log_function(discard_log);
      grpc_init();
      queue = grpc_completion_queue_create_for_next(NULL);
      grpc_channel *nowhere = grpc_lame_client_channel_create("nowhere", GRPC_STATUS_UNAVAILABLE, "nowhere");
      postman = grpc_channel_create_call(nowhere, NULL, GRPC_PROPAGATE_DEFAULTS, queue,
                                         grpc_slice_from_static_string("/nowhere"), NULL,
                                         gpr_inf_future(GPR_CLOCK_MONOTONIC), NULL);
      grpc_channel_destroy(nowhere);
    }
    error = start_poller();
    if (error == 0) atomic_store_explicit(&started, true, memory_order_release);
  }
  pthread_mutex_unlock(&start_lock);
  errno = error;
  return error == 0;
}

bool spg_is_poller(void) { return is_poller; }

const char *spg_version(void) { return grpc_version_string(); }

grpc_completion_queue *spg_queue(void) { return queue; }

void spg_post(spg_tag *tag) {
  spg_tag_publish(tag);
  grpc_call_start_batch(postman, NULL, 0, tag, NULL);
}

void spg_begin_inline(void) { grpc_completion_queue_thread_local_cache_init(queue); }

spg_tag *spg_end_inline(bool *success) {
  void *kept;
  int ok;
  if (!grpc_completion_queue_thread_local_cache_flush(queue, &kept, &ok)) return NULL;
  spg_tag *tag = kept;
  (void)atomic_load_explicit(&tag->published, memory_order_acquire);
  *success = ok != 0;
  return tag;
}

void spg_repost(spg_tag *tag, bool success) {
  tag->is_reposted = true;
  tag->reposted_success = success;
  spg_post(tag);
}

void *spg_allocate(size_t size) {
  void *memory = calloc(1, size);
  if (!memory) {
    fputs("speechly: out of memory\n", stderr);
    abort();
  }
  return memory;
}

void spg_free(void *memory) { gpr_free(memory); }

// MARK: Arguments

spg_arguments *spg_arguments_new(void) { return spg_allocate(sizeof(spg_arguments)); }

void spg_arguments_free(spg_arguments *arguments) {
  for (size_t i = 0; i < arguments->list.num_args; i++) {
    grpc_arg *argument = &arguments->list.args[i];
    free(argument->key);
    if (argument->type == GRPC_ARG_STRING) free(argument->value.string);
  }
  free(arguments->list.args);
  free(arguments);
}

static char *copy_string(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(spg_allocate(size), text, size);
}

static grpc_arg *add_argument(spg_arguments *arguments, const char *name, grpc_arg_type type) {
  if (arguments->list.num_args == arguments->capacity) {
    size_t capacity = arguments->capacity ? arguments->capacity * 2 : 16;
    grpc_arg *larger = spg_allocate(capacity * sizeof(grpc_arg));
    if (arguments->list.args) memcpy(larger, arguments->list.args, arguments->capacity * sizeof(grpc_arg));
    free(arguments->list.args);
    arguments->list.args = larger;
    arguments->capacity = capacity;
  }
  grpc_arg *argument = &arguments->list.args[arguments->list.num_args++];
  argument->type = type;
  argument->key = copy_string(name);
  return argument;
}

void spg_arguments_set_integer(spg_arguments *arguments, const char *name, int value) {
  add_argument(arguments, name, GRPC_ARG_INTEGER)->value.integer = value;
}

void spg_arguments_set_string(spg_arguments *arguments, const char *name, const char *value) {
  add_argument(arguments, name, GRPC_ARG_STRING)->value.string = copy_string(value);
}

// MARK: Metadata

spg_metadata *spg_metadata_new(size_t capacity) {
  spg_metadata *metadata = spg_allocate(sizeof(spg_metadata));
  metadata->owned = true;
  metadata->array.capacity = capacity;
  if (capacity) metadata->array.metadata = spg_allocate(capacity * sizeof(grpc_metadata));
  return metadata;
}

void spg_metadata_free(spg_metadata *metadata) {
  if (!metadata) return;
  for (size_t i = 0; i < metadata->array.count; i++) {
    grpc_slice_unref(metadata->array.metadata[i].key);
    grpc_slice_unref(metadata->array.metadata[i].value);
  }
  free(metadata->array.metadata);
  free(metadata);
}

void spg_metadata_add(spg_metadata *metadata, const char *key, size_t key_length, const void *value,
                      size_t value_length) {
  if (metadata->array.count == metadata->array.capacity) return;
  grpc_metadata *pair = &metadata->array.metadata[metadata->array.count++];
  pair->key = grpc_slice_from_copied_buffer(key, key_length);
  pair->value = grpc_slice_from_copied_buffer(value, value_length);
}

void spg_metadata_init_received(spg_metadata *metadata) {
  metadata->owned = false;
  grpc_metadata_array_init(&metadata->array);
}

void spg_metadata_destroy_received(spg_metadata *metadata) { grpc_metadata_array_destroy(&metadata->array); }

size_t spg_metadata_count(const spg_metadata *metadata) { return metadata ? metadata->array.count : 0; }

spg_pair spg_metadata_pair_at(const spg_metadata *metadata, size_t index) {
  const grpc_metadata *pair = &metadata->array.metadata[index];
  return (spg_pair){
      .key = (const char *)GRPC_SLICE_START_PTR(pair->key),
      .key_length = GRPC_SLICE_LENGTH(pair->key),
      .value = GRPC_SLICE_START_PTR(pair->value),
      .value_length = GRPC_SLICE_LENGTH(pair->value),
  };
}
