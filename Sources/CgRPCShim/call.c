// What client and server calls share: their life, their start and their end.

#include "internal.h"

// MARK: Life

static void headers_completed(spg_tag *tag, bool success);
static void status_completed(spg_tag *tag, bool success);

spg_call *spg_call_new(bool is_client, size_t limit) {
  spg_call *call = spg_allocate(sizeof(spg_call));
  atomic_init(&call->references, 1);
  pthread_mutex_init(&call->lock, NULL);
  call->is_client = is_client;
  call->limit = limit;
  spg_send_init(call);
  spg_receive_init(call);
  spg_tag_init(&call->headers_tag, headers_completed, call);
  spg_tag_init(&call->status_tag, status_completed, call);
  spg_metadata_init_received(&call->received_headers);
  spg_metadata_init_received(&call->received_trailers);
  call->method = grpc_empty_slice();
  call->status_message = grpc_empty_slice();
  call->own_message = grpc_empty_slice();
  call->final_message = grpc_empty_slice();
  return call;
}

void spg_call_retain(spg_call *call) { atomic_fetch_add_explicit(&call->references, 1, memory_order_relaxed); }

void spg_call_release(spg_call *call) {
  if (atomic_fetch_sub_explicit(&call->references, 1, memory_order_acq_rel) != 1) return;
  if (call->channel) spg_channel_remove(call->channel, call);
  if (call->call) grpc_call_unref(call->call);
  spg_send_drop_queue(call);
  if (call->received) grpc_byte_buffer_destroy(call->received);
  spg_metadata_destroy_received(&call->received_headers);
  spg_metadata_destroy_received(&call->received_trailers);
  spg_metadata_free(call->headers);
  spg_metadata_free(call->trailers);
  grpc_slice_unref(call->method);
  grpc_slice_unref(call->status_message);
  grpc_slice_unref(call->own_message);
  grpc_slice_unref(call->final_message);
  pthread_mutex_destroy(&call->lock);
  if (call->callbacks.release) call->callbacks.release(call->context);
  free(call);
}

bool spg_call_start_batch(spg_call *call, const grpc_op *operations, size_t count, spg_tag *tag) {
  spg_call_retain(call);
  spg_tag_publish(tag);
  if (grpc_call_start_batch(call->call, operations, count, tag, NULL) == GRPC_CALL_OK) return true;
  // Not the last reference: whoever calls a function of this call holds one.
  atomic_fetch_sub_explicit(&call->references, 1, memory_order_relaxed);
  return false;
}

// MARK: Start and end

static void report_end(spg_call *call) {
  int code = call->has_own_status ? (int)call->own_status
             : call->is_client    ? (int)call->status
             : call->cancelled    ? GRPC_STATUS_CANCELLED
                                  : GRPC_STATUS_OK;
  const grpc_slice *message = call->has_own_status ? &call->own_message : &call->status_message;
  call->callbacks.ended(call->context, code, (const char *)GRPC_SLICE_START_PTR(*message), GRPC_SLICE_LENGTH(*message),
                        &call->received_trailers);
}

void spg_call_unlock_and_report_end(spg_call *call) {
  bool now = call->status_received && call->headers_received && !call->receiving && !call->delivering && !call->ended;
  if (now) call->ended = true;
  bool report = now && !call->abandoned;
  pthread_mutex_unlock(&call->lock);
  if (report) report_end(call);
}

static void headers_completed(spg_tag *tag, bool success) {
  spg_call *call = tag->owner;
  pthread_mutex_lock(&call->lock);
  bool report = success && !call->abandoned;
  pthread_mutex_unlock(&call->lock);
  if (report) call->callbacks.initial_metadata(call->context, &call->received_headers);
  pthread_mutex_lock(&call->lock);
  call->headers_received = true;
  bool is_held = call->is_held;
  call->is_held = false;
  spg_call_unlock_and_report_end(call);
  if (is_held) spg_receive_held(call);
  spg_call_release(call);
}

static void status_completed(spg_tag *tag, bool success) {
  (void)success;
  spg_call *call = tag->owner;
  pthread_mutex_lock(&call->lock);
  call->status_received = true;
  spg_send_drop_queue(call);
  bool is_held = call->is_held && call->headers_received;
  if (is_held) call->is_held = false;
  spg_call_unlock_and_report_end(call);
  if (is_held) spg_receive_held(call);
  spg_call_release(call);
}

// Under the lock.
static void start(spg_call *call) {
  grpc_op operation;
  memset(&operation, 0, sizeof operation);
  bool started;
  if (call->is_client) {
    operation.op = GRPC_OP_RECV_STATUS_ON_CLIENT;
    operation.data.recv_status_on_client.trailing_metadata = &call->received_trailers.array;
    operation.data.recv_status_on_client.status = &call->status;
    operation.data.recv_status_on_client.status_details = &call->status_message;
  } else {
    operation.op = GRPC_OP_RECV_CLOSE_ON_SERVER;
    operation.data.recv_close_on_server.cancelled = &call->cancelled;
    call->headers_received = true;
  }
  started = spg_call_start_batch(call, &operation, 1, &call->status_tag);
  if (started && call->is_client) {
    spg_send_locked(call);
    memset(&operation, 0, sizeof operation);
    operation.op = GRPC_OP_RECV_INITIAL_METADATA;
    operation.data.recv_initial_metadata.recv_initial_metadata = &call->received_headers.array;
    if (!spg_call_start_batch(call, &operation, 1, &call->headers_tag)) call->headers_received = true;
  }
  if (started) spg_receive_locked(call);
}

// Under the lock.
static bool start_on(spg_call *call, grpc_channel *channel) {
  if (call->call) return false;
  call->call = grpc_channel_create_call(channel, NULL, GRPC_PROPAGATE_DEFAULTS, spg_queue(), call->method, NULL,
                                        call->deadline, NULL);
  if (!call->call) return false;
  start(call);
  return true;
}

bool spg_call_start_on(spg_call *call, grpc_channel *channel) {
  pthread_mutex_lock(&call->lock);
  bool started = start_on(call, channel);
  pthread_mutex_unlock(&call->lock);
  return started;
}

// A channel that fails everything lets such a call end in the same way as any other.
void spg_call_end_unstarted(spg_call *call, grpc_status_code code, const char *message) {
  grpc_channel *failing = grpc_lame_client_channel_create("unknown", code, message);
  pthread_mutex_lock(&call->lock);
  if (!call->call) {
    call->has_own_status = true;
    call->own_status = code;
    call->own_message = grpc_slice_from_copied_string(message);
    start_on(call, failing);
  }
  pthread_mutex_unlock(&call->lock);
  grpc_channel_destroy(failing);
}

spg_call *spg_call_open(spg_channel *channel, const char *path, size_t path_length, spg_metadata *metadata,
                        int64_t timeout_ns, bool wait_for_ready, size_t limit, bool paused,
                        const spg_callbacks *callbacks, void *context) {
  gpr_timespec deadline =
      timeout_ns < 0 ? gpr_inf_future(GPR_CLOCK_MONOTONIC)
                     : gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(timeout_ns, GPR_TIMESPAN));
  spg_call *call = spg_call_new(true, limit);
  call->headers = metadata;
  call->headers_wanted = true;
  if (wait_for_ready) {
    call->headers_flags = GRPC_INITIAL_METADATA_WAIT_FOR_READY | GRPC_INITIAL_METADATA_WAIT_FOR_READY_EXPLICITLY_SET;
  }
  call->paused = paused;
  call->deadline = deadline;
  call->method = grpc_slice_from_copied_buffer(path, path_length);
  call->callbacks = *callbacks;
  call->context = context;
  pthread_mutex_lock(&channel->lock);
  bool opened = !channel->closed;
  if (opened) {
    spg_channel_add(channel, call);
    if (channel->channel) opened = spg_call_start_on(call, channel->channel);
  }
  pthread_mutex_unlock(&channel->lock);
  if (opened) return call;
  call->callbacks.release = NULL;
  spg_call_release(call);
  return NULL;
}

void spg_call_accept(spg_call *call, const spg_callbacks *callbacks, void *context, bool paused) {
  pthread_mutex_lock(&call->lock);
  call->callbacks = *callbacks;
  call->context = context;
  call->paused = call->paused || paused;
  start(call);
  pthread_mutex_unlock(&call->lock);
}

void spg_call_cancel(spg_call *call, int code, const char *message) {
  pthread_mutex_lock(&call->lock);
  bool started = call->call != NULL;
  pthread_mutex_unlock(&call->lock);
  if (!started) spg_call_end_unstarted(call, (grpc_status_code)code, message);
  grpc_call_cancel_with_status(call->call, (grpc_status_code)code, message, NULL);
}

void spg_call_abandon(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  call->abandoned = true;
  bool over = call->status_received;
  pthread_mutex_unlock(&call->lock);
  if (!over) spg_call_cancel(call, GRPC_STATUS_CANCELLED, "the call was dropped");
  spg_call_release(call);
}

char *spg_call_peer(spg_call *call) { return call->call ? grpc_call_get_peer(call->call) : NULL; }
