#include "internal.h"

spg_channel *spg_channel_create_waiting(void) {
  spg_channel *channel = spg_allocate(sizeof(spg_channel));
  atomic_init(&channel->references, 1);
  pthread_mutex_init(&channel->lock, NULL);
  return channel;
}

static spg_channel *wrap(grpc_channel *handle) {
  if (!handle) return NULL;
  spg_channel *channel = spg_channel_create_waiting();
  channel->channel = handle;
  return channel;
}

static grpc_channel *create_handle(const char *target, const spg_tls *tls, const spg_arguments *arguments) {
  grpc_channel_credentials *credentials;
  if (tls) {
    grpc_ssl_pem_key_cert_pair pair = {.private_key = tls->private_key, .cert_chain = tls->certificate_chain};
    credentials = grpc_ssl_credentials_create(tls->roots, tls->private_key ? &pair : NULL, NULL, NULL);
  } else {
    credentials = grpc_insecure_credentials_create();
  }
  if (!credentials) return NULL;
  grpc_channel *handle = grpc_channel_create(target, credentials, &arguments->list);
  grpc_channel_credentials_release(credentials);
  return handle;
}

spg_channel *spg_channel_create(const char *target, const spg_tls *tls, const spg_arguments *arguments) {
  return wrap(create_handle(target, tls, arguments));
}

bool spg_channel_set_target(spg_channel *channel, const char *target, const spg_tls *tls,
                            const spg_arguments *arguments) {
  grpc_channel *handle = create_handle(target, tls, arguments);
  if (!handle) return false;
  pthread_mutex_lock(&channel->lock);
  bool set = !channel->closed && !channel->channel;
  if (set) {
    channel->channel = handle;
    for (spg_call *call = channel->calls; call; call = call->next) spg_call_start_on(call, handle);
  }
  pthread_mutex_unlock(&channel->lock);
  if (!set) grpc_channel_destroy(handle);
  return set;
}

bool spg_channel_fail_waiting(spg_channel *channel, int code, const char *message) {
  bool others = false;
  pthread_mutex_lock(&channel->lock);
  for (spg_call *call = channel->calls; call && !channel->channel; call = call->next) {
    if (call->headers_flags & GRPC_INITIAL_METADATA_WAIT_FOR_READY) {
      others = true;
    } else {
      spg_call_end_unstarted(call, (grpc_status_code)code, message);
    }
  }
  pthread_mutex_unlock(&channel->lock);
  return others;
}

spg_channel *spg_channel_create_failed(const char *target, int code, const char *message) {
  return wrap(grpc_lame_client_channel_create(target, (grpc_status_code)code, message));
}

void spg_channel_retain(spg_channel *channel) {
  atomic_fetch_add_explicit(&channel->references, 1, memory_order_relaxed);
}

void spg_channel_release(spg_channel *channel) {
  if (atomic_fetch_sub_explicit(&channel->references, 1, memory_order_acq_rel) != 1) return;
  pthread_mutex_destroy(&channel->lock);
  free(channel);
}

void spg_channel_add(spg_channel *channel, spg_call *call) {
  spg_channel_retain(channel);
  channel->was_asked = true;
  call->channel = channel;
  call->previous = NULL;
  call->next = channel->calls;
  if (call->next) call->next->previous = call;
  channel->calls = call;
}

void spg_channel_remove(spg_channel *channel, spg_call *call) {
  pthread_mutex_lock(&channel->lock);
  if (call->previous) {
    call->previous->next = call->next;
  } else {
    channel->calls = call->next;
  }
  if (call->next) call->next->previous = call->previous;
  pthread_mutex_unlock(&channel->lock);
  spg_channel_release(channel);
}

// libgrpc 1.51 loses a connection, descriptor and all, whose channel is destroyed after the connection was made and
// before the server's first frame has come. So a channel that connects, or is about to, is destroyed when that has
// come to its end, which it does within its time limit.
typedef struct {
  spg_tag tag;
  grpc_channel *channel;
  bool was_ready;
} spg_farewell;

// An attempt that was asked for begins at once where there is a processor for it; one that libgrpc makes again by
// itself takes its time. Many channels that had their connection are closed at a time.
enum { beginning_ms = 1000, again_ms = 1000, lost_ms = 50 };

static void settle(spg_tag *tag, bool success) {
  spg_farewell *farewell = tag->owner;
  grpc_connectivity_state state = grpc_channel_check_connectivity_state(farewell->channel, 0);
  // What is idle, or has failed and tries again unseen, is not likely to connect just when its time is up.
  bool connects = state == GRPC_CHANNEL_CONNECTING ||
                  (success && (state == GRPC_CHANNEL_IDLE || state == GRPC_CHANNEL_TRANSIENT_FAILURE));
  if (!connects) {
    grpc_channel_destroy(farewell->channel);
    free(farewell);
    return;
  }
  int pause = state != GRPC_CHANNEL_IDLE ? again_ms : farewell->was_ready ? lost_ms : beginning_ms;
  gpr_timespec deadline = state == GRPC_CHANNEL_CONNECTING
                              ? gpr_inf_future(GPR_CLOCK_MONOTONIC)
                              : gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                                             gpr_time_from_millis(pause, GPR_TIMESPAN));
  spg_tag_publish(tag);
  grpc_channel_watch_connectivity_state(farewell->channel, state, deadline, spg_queue(), tag);
}

static void destroy_when_settled(grpc_channel *handle, bool was_asked, bool was_ready) {
  if (!was_asked) {
    grpc_channel_destroy(handle);
    return;
  }
  spg_farewell *farewell = spg_allocate(sizeof(spg_farewell));
  spg_tag_init(&farewell->tag, settle, farewell);
  farewell->channel = handle;
  farewell->was_ready = was_ready;
  settle(&farewell->tag, true);
}

void spg_channel_close(spg_channel *channel) {
  pthread_mutex_lock(&channel->lock);
  grpc_channel *handle = channel->channel;
  bool was_asked = channel->was_asked;
  bool was_ready = atomic_load_explicit(&channel->was_ready, memory_order_relaxed);
  bool first = !channel->closed;
  channel->closed = true;
  channel->channel = NULL;
  // A call leaves the list before its memory goes, under this lock; so those in it can be cancelled.
  // Cancelling only posts to the completion queue, it calls nothing back.
  for (spg_call *call = first ? channel->calls : NULL; call; call = call->next) {
    spg_call_cancel(call, GRPC_STATUS_UNAVAILABLE, "the channel was closed");
  }
  pthread_mutex_unlock(&channel->lock);
  if (handle) destroy_when_settled(handle, was_asked, was_ready);
}

int spg_channel_state(spg_channel *channel, bool try_to_connect) {
  pthread_mutex_lock(&channel->lock);
  if (try_to_connect) channel->was_asked = true;
  int state = channel->closed    ? (int)GRPC_CHANNEL_SHUTDOWN
              : channel->channel ? (int)grpc_channel_check_connectivity_state(channel->channel, try_to_connect)
                                 : (int)GRPC_CHANNEL_IDLE;
  if (state == GRPC_CHANNEL_READY) atomic_store_explicit(&channel->was_ready, true, memory_order_relaxed);
  pthread_mutex_unlock(&channel->lock);
  return state;
}

typedef struct {
  spg_tag tag;
  spg_channel *channel;
  void *context;
  void (*changed)(void *context, int state);
} spg_watch;

static void watch_completed(spg_tag *tag, bool success) {
  (void)success;
  spg_watch *watch = tag->owner;
  watch->changed(watch->context, spg_channel_state(watch->channel, false));
  spg_channel_release(watch->channel);
  free(watch);
}

void spg_channel_watch(spg_channel *channel, int last, int64_t timeout_ms, void *context,
                       void (*changed)(void *context, int state)) {
  spg_watch *watch = spg_allocate(sizeof(spg_watch));
  spg_tag_init(&watch->tag, watch_completed, watch);
  spg_channel_retain(channel);
  watch->channel = channel;
  watch->context = context;
  watch->changed = changed;
  gpr_timespec deadline =
      timeout_ms < 0 ? gpr_inf_future(GPR_CLOCK_MONOTONIC)
                     : gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_millis(timeout_ms, GPR_TIMESPAN));
  spg_tag_publish(&watch->tag);
  pthread_mutex_lock(&channel->lock);
  bool open = channel->channel != NULL;
  if (open) {
    grpc_channel_watch_connectivity_state(channel->channel, (grpc_connectivity_state)last, deadline, spg_queue(),
                                          &watch->tag);
  }
  pthread_mutex_unlock(&channel->lock);
  if (open) return;
  changed(context, GRPC_CHANNEL_SHUTDOWN);
  spg_channel_release(channel);
  free(watch);
}
