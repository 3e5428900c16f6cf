// What client and server calls share: one send batch and one receive batch at a time, the bounded
// queue before the one, and the order of what is reported.

#include "internal.h"

// MARK: Life

static void send_completed(spg_tag *tag, bool success);
static void receive_completed(spg_tag *tag, bool success);
static void headers_completed(spg_tag *tag, bool success);
static void status_completed(spg_tag *tag, bool success);
static void writable_completed(spg_tag *tag, bool success);

spg_call *spg_call_new(bool is_client, size_t limit) {
  spg_call *call = spg_allocate(sizeof(spg_call));
  atomic_init(&call->references, 1);
  pthread_mutex_init(&call->lock, NULL);
  call->is_client = is_client;
  call->limit = limit;
  spg_tag_init(&call->send_tag, send_completed, call);
  spg_tag_init(&call->receive_tag, receive_completed, call);
  spg_tag_init(&call->headers_tag, headers_completed, call);
  spg_tag_init(&call->status_tag, status_completed, call);
  spg_tag_init(&call->writable_tag, writable_completed, call);
  spg_metadata_init_received(&call->received_headers);
  spg_metadata_init_received(&call->received_trailers);
  call->method = grpc_empty_slice();
  call->status_message = grpc_empty_slice();
  call->own_message = grpc_empty_slice();
  call->final_message = grpc_empty_slice();
  return call;
}

void spg_call_retain(spg_call *call) { atomic_fetch_add_explicit(&call->references, 1, memory_order_relaxed); }

static void free_message(spg_message *message) {
  grpc_byte_buffer_destroy(message->buffer);
  free(message);
}

static void drop_queue(spg_call *call) {
  while (call->head) {
    spg_message *message = call->head;
    call->head = message->next;
    call->bytes_in_flight -= message->length;
    free_message(message);
  }
  call->tail = call->last_urgent = NULL;
}

void spg_call_release(spg_call *call) {
  if (atomic_fetch_sub_explicit(&call->references, 1, memory_order_acq_rel) != 1) return;
  if (call->channel) spg_channel_remove(call->channel, call);
  if (call->call) grpc_call_unref(call->call);
  drop_queue(call);
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

// Under the lock, which also keeps libgrpc's rule of one start_batch at a time.
static bool start_batch(spg_call *call, const grpc_op *operations, size_t count, spg_tag *tag) {
  spg_call_retain(call);
  spg_tag_publish(tag);
  if (grpc_call_start_batch(call->call, operations, count, tag, NULL) == GRPC_CALL_OK) return true;
  // Not the last reference: whoever calls a function of this call holds one.
  atomic_fetch_sub_explicit(&call->references, 1, memory_order_relaxed);
  return false;
}

// MARK: Sending

// Under the lock. Starts the next batch if none is under way and there is something to send.
static void pump(spg_call *call) {
  if (!call->call || call->sending || call->send_failed || call->status_received) return;
  grpc_op operations[3];
  memset(operations, 0, sizeof operations);
  size_t count = 0;
  bool close = call->close_wanted && !call->close_sent && (!call->head || !call->head->next);
  if (!call->headers_sent && (call->headers_wanted || call->head || close)) {
    call->headers_sent = true;
    grpc_op *operation = &operations[count++];
    operation->op = GRPC_OP_SEND_INITIAL_METADATA;
    operation->flags = call->headers_flags;
    if (call->headers) {
      operation->data.send_initial_metadata.count = call->headers->array.count;
      operation->data.send_initial_metadata.metadata = call->headers->array.metadata;
    }
  }
  if (call->head) {
    spg_message *message = call->head;
    call->head = message->next;
    if (!call->head) call->tail = NULL;
    if (call->last_urgent == message) call->last_urgent = NULL;
    call->being_sent = message;
    grpc_op *operation = &operations[count++];
    operation->op = GRPC_OP_SEND_MESSAGE;
    // More follows at once: libgrpc may write them together.
    if (call->head) operation->flags = GRPC_WRITE_BUFFER_HINT;
    operation->data.send_message.send_message = message->buffer;
  }
  if (close) {
    call->close_sent = true;
    grpc_op *operation = &operations[count++];
    if (call->is_client) {
      operation->op = GRPC_OP_SEND_CLOSE_FROM_CLIENT;
    } else {
      operation->op = GRPC_OP_SEND_STATUS_FROM_SERVER;
      operation->data.send_status_from_server.status = call->final_code;
      operation->data.send_status_from_server.status_details = &call->final_message;
      if (call->trailers) {
        operation->data.send_status_from_server.trailing_metadata_count = call->trailers->array.count;
        operation->data.send_status_from_server.trailing_metadata = call->trailers->array.metadata;
      }
    }
  }
  if (!count) return;
  call->sending = true;
  if (start_batch(call, operations, count, &call->send_tag)) return;
  call->sending = false;
  call->send_failed = true;
  grpc_call_cancel_with_status(call->call, GRPC_STATUS_INTERNAL, "libgrpc refused to send", NULL);
}

static bool room_again(spg_call *call) {
  if (!call->awaits_writable) return false;
  if (call->bytes_in_flight &&
      (call->bytes_in_flight > call->limit / 2 || call->bytes_in_flight + call->wanted > call->limit)) {
    return false;
  }
  call->awaits_writable = false;
  return true;
}

// Under the lock. The message that was sent, to be freed without it.
static spg_message *note_sent(spg_call *call, bool success) {
  spg_message *sent = call->being_sent;
  call->being_sent = NULL;
  call->sending = false;
  if (sent) call->bytes_in_flight -= sent->length;
  if (!success) {
    // The call is over; its status is on the way.
    call->send_failed = true;
    drop_queue(call);
  }
  return sent;
}

static void report_writable(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  bool report = !call->abandoned && !call->ended;
  pthread_mutex_unlock(&call->lock);
  if (report) call->callbacks.writable(call->context);
}

static void send_completed(spg_tag *tag, bool success) {
  spg_call *call = tag->owner;
  pthread_mutex_lock(&call->lock);
  spg_message *sent = note_sent(call, success);
  pump(call);
  bool writable = success && room_again(call);
  pthread_mutex_unlock(&call->lock);
  if (sent) free_message(sent);
  if (writable) report_writable(call);
  spg_call_release(call);
}

static void writable_completed(spg_tag *tag, bool success) {
  (void)success;
  spg_call *call = tag->owner;
  report_writable(call);
  spg_call_release(call);
}

// Under the lock, which it gives up. Pumps, and completes here what is sent at once.
static void pump_and_unlock(spg_call *call) {
  if (spg_is_poller() || call->sending) {
    pump(call);
    pthread_mutex_unlock(&call->lock);
    return;
  }
  for (;;) {
    spg_begin_inline();
    pump(call);
    pthread_mutex_unlock(&call->lock);
    bool success;
    spg_tag *tag = spg_end_inline(&success);
    if (!tag) return;
    if (tag != &call->send_tag) {
      spg_repost(tag, success);
      return;
    }
    pthread_mutex_lock(&call->lock);
    spg_message *sent = note_sent(call, success);
    if (success && room_again(call)) {
      spg_call_retain(call);
      spg_post(&call->writable_tag);
    }
    // The batch's reference; the caller has another.
    atomic_fetch_sub_explicit(&call->references, 1, memory_order_release);
    bool done = !call->head && !(call->close_wanted && !call->close_sent);
    if (done) pthread_mutex_unlock(&call->lock);
    if (sent) free_message(sent);
    if (done) return;
  }
}

spg_send_result spg_call_send(spg_call *call, const void *bytes, size_t length, bool urgent) {
  pthread_mutex_lock(&call->lock);
  spg_send_result result = SPG_SENT;
  if (call->close_wanted || call->send_failed || call->status_received || call->abandoned) {
    result = SPG_CLOSED;
  } else if (!urgent && call->bytes_in_flight && call->bytes_in_flight + length > call->limit) {
    // A message longer than the limit is taken when nothing else is in flight.
    call->wanted = length;
    call->awaits_writable = true;
    result = SPG_FULL;
  } else {
    spg_message *message = spg_allocate(sizeof(spg_message));
    grpc_slice slice = grpc_slice_malloc(length);
    if (length) memcpy(GRPC_SLICE_START_PTR(slice), bytes, length);
    message->buffer = grpc_raw_byte_buffer_create(&slice, 1);
    grpc_slice_unref(slice);
    message->length = length;
    call->bytes_in_flight += length;
    if (urgent) {
      spg_message **place = call->last_urgent ? &call->last_urgent->next : &call->head;
      message->next = *place;
      *place = message;
      call->last_urgent = message;
      if (!message->next) call->tail = message;
    } else {
      if (call->tail) {
        call->tail->next = message;
      } else {
        call->head = message;
      }
      call->tail = message;
    }
    pump_and_unlock(call);
    return SPG_SENT;
  }
  pthread_mutex_unlock(&call->lock);
  return result;
}

bool spg_call_awaits_writable(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  bool awaits = call->awaits_writable && !call->send_failed && !call->status_received;
  pthread_mutex_unlock(&call->lock);
  return awaits;
}

size_t spg_call_bytes_in_flight(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  // What an ended call was still sending goes nowhere.
  size_t bytes = call->status_received ? 0 : call->bytes_in_flight;
  pthread_mutex_unlock(&call->lock);
  return bytes;
}

void spg_call_close_send(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  call->close_wanted = true;
  pump_and_unlock(call);
}

bool spg_call_set_initial_metadata(spg_call *call, spg_metadata *metadata, bool now) {
  pthread_mutex_lock(&call->lock);
  bool first = !call->headers_sent;
  if (first) {
    spg_metadata *before = call->headers;
    call->headers = metadata;
    metadata = before;
    call->headers_wanted = call->headers_wanted || now;
  }
  pump_and_unlock(call);
  spg_metadata_free(metadata);
  return first;
}

bool spg_call_finish(spg_call *call, int code, const char *message, size_t message_length,
                     spg_metadata *trailing_metadata) {
  pthread_mutex_lock(&call->lock);
  bool first = !call->close_wanted;
  if (first) {
    call->close_wanted = true;
    call->final_code = (grpc_status_code)code;
    call->final_message = grpc_slice_from_copied_buffer(message, message_length);
    call->trailers = trailing_metadata;
    trailing_metadata = NULL;
  }
  pump_and_unlock(call);
  spg_metadata_free(trailing_metadata);
  return first;
}

// MARK: Receiving

// Under the lock.
static void receive_next(spg_call *call) {
  if (!call->call || call->receiving || call->paused || call->read_to_end || call->status_received) return;
  grpc_op operation;
  memset(&operation, 0, sizeof operation);
  operation.op = GRPC_OP_RECV_MESSAGE;
  operation.data.recv_message.recv_message = &call->received;
  call->receiving = true;
  if (start_batch(call, &operation, 1, &call->receive_tag)) return;
  call->receiving = false;
  call->read_to_end = true;
}

static void report_end(spg_call *call) {
  int code = call->has_own_status ? (int)call->own_status
             : call->is_client    ? (int)call->status
             : call->cancelled    ? GRPC_STATUS_CANCELLED
                                  : GRPC_STATUS_OK;
  const grpc_slice *message = call->has_own_status ? &call->own_message : &call->status_message;
  call->callbacks.ended(call->context, code, (const char *)GRPC_SLICE_START_PTR(*message), GRPC_SLICE_LENGTH(*message),
                        &call->received_trailers);
}

// Under the lock, which it gives up. The end is reported when all that precedes it has been.
static void unlock_and_report_end(spg_call *call) {
  bool now = call->status_received && call->headers_received && !call->receiving && !call->delivering && !call->ended;
  if (now) call->ended = true;
  bool report = now && !call->abandoned;
  pthread_mutex_unlock(&call->lock);
  if (report) report_end(call);
}

static void deliver(spg_call *call, grpc_byte_buffer *buffer) {
  grpc_byte_buffer_reader reader;
  grpc_slice *slice;
  if (!grpc_byte_buffer_reader_init(&reader, buffer)) return;
  if (grpc_byte_buffer_reader_peek(&reader, &slice) && GRPC_SLICE_LENGTH(*slice) == grpc_byte_buffer_length(buffer)) {
    call->callbacks.message(call->context, GRPC_SLICE_START_PTR(*slice), GRPC_SLICE_LENGTH(*slice));
  } else {
    grpc_byte_buffer_reader again;
    if (grpc_byte_buffer_reader_init(&again, buffer)) {
      grpc_slice flat = grpc_byte_buffer_reader_readall(&again);
      call->callbacks.message(call->context, GRPC_SLICE_START_PTR(flat), GRPC_SLICE_LENGTH(flat));
      grpc_slice_unref(flat);
      grpc_byte_buffer_reader_destroy(&again);
    }
  }
  grpc_byte_buffer_reader_destroy(&reader);
}

static void receive_completed(spg_tag *tag, bool success) {
  (void)success;
  spg_call *call = tag->owner;
  pthread_mutex_lock(&call->lock);
  // A message that comes during a pause waits here, unless the call has ended. One can also overtake the
  // initial metadata, if that went to the poller in a second try.
  if (!call->headers_received || (call->paused && call->received && !call->status_received)) {
    call->is_held = true;
    pthread_mutex_unlock(&call->lock);
    return;
  }
  grpc_byte_buffer *buffer = call->received;
  call->received = NULL;
  call->receiving = false;
  bool half_closed = false;
  if (!buffer) {
    call->read_to_end = true;
    half_closed = !call->is_client && !grpc_call_failed_before_recv_message(call->call);
  }
  call->delivering = true;
  // What arrives after a server's status is of no use to anyone.
  bool unwanted = call->abandoned || (!call->is_client && call->close_wanted);
  pthread_mutex_unlock(&call->lock);
  if (!unwanted) {
    if (buffer) {
      deliver(call, buffer);
    } else if (half_closed) {
      call->callbacks.half_closed(call->context);
    }
  }
  if (buffer) grpc_byte_buffer_destroy(buffer);
  pthread_mutex_lock(&call->lock);
  call->delivering = false;
  // After the message was delivered: what libgrpc has to tell the peer then goes with the answer.
  receive_next(call);
  unlock_and_report_end(call);
  spg_call_release(call);
}

void spg_call_pause(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  call->paused = true;
  pthread_mutex_unlock(&call->lock);
}

void spg_call_resume(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  call->paused = false;
  if (call->is_held && call->headers_received) {
    call->is_held = false;
    spg_post(&call->receive_tag);
  } else {
    receive_next(call);
  }
  pthread_mutex_unlock(&call->lock);
}

// MARK: Start and end

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
  unlock_and_report_end(call);
  if (is_held) receive_completed(&call->receive_tag, true);
  spg_call_release(call);
}

static void status_completed(spg_tag *tag, bool success) {
  (void)success;
  spg_call *call = tag->owner;
  pthread_mutex_lock(&call->lock);
  call->status_received = true;
  drop_queue(call);
  bool is_held = call->is_held && call->headers_received;
  if (is_held) call->is_held = false;
  unlock_and_report_end(call);
  if (is_held) receive_completed(&call->receive_tag, true);
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
  started = start_batch(call, &operation, 1, &call->status_tag);
  if (started && call->is_client) {
    pump(call);
    memset(&operation, 0, sizeof operation);
    operation.op = GRPC_OP_RECV_INITIAL_METADATA;
    operation.data.recv_initial_metadata.recv_initial_metadata = &call->received_headers.array;
    if (!start_batch(call, &operation, 1, &call->headers_tag)) call->headers_received = true;
  }
  if (started) receive_next(call);
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
