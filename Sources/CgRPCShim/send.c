// The sending half of a call: one batch at a time, and the bounded queue before it.

#include "internal.h"

typedef struct {
  grpc_op operations[3];
  size_t count;
} send_batch;

static void send_completed(spg_tag *tag, bool success);
static void writable_completed(spg_tag *tag, bool success);

void spg_send_init(spg_call *call) {
  spg_tag_init(&call->send_tag, send_completed, call);
  spg_tag_init(&call->writable_tag, writable_completed, call);
}

// MARK: Queue

static void free_message(spg_message *message) {
  grpc_byte_buffer_destroy(message->buffer);
  free(message);
}

void spg_send_drop_queue(spg_call *call) {
  while (call->head) {
    spg_message *message = call->head;
    call->head = message->next;
    call->bytes_in_flight -= message->length;
    free_message(message);
  }
  call->tail = call->last_urgent = NULL;
}

// MARK: Batches

// Under the lock. The next batch, if none is under way and there is something to send. It is under way
// from here on.
static bool prepare(spg_call *call, send_batch *batch) {
  if (!call->call || call->sending || call->send_failed || call->status_received) return false;
  grpc_op *operations = batch->operations;
  memset(operations, 0, sizeof batch->operations);
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
  batch->count = count;
  call->sending = count > 0;
  return count > 0;
}

// With or without the lock.
static bool launch(spg_call *call, const send_batch *batch) {
  return spg_call_start_batch(call, batch->operations, batch->count, &call->send_tag);
}

// Under the lock, after libgrpc has refused a batch.
static void note_refused(spg_call *call) {
  if (call->being_sent) {
    call->bytes_in_flight -= call->being_sent->length;
    free_message(call->being_sent);
    call->being_sent = NULL;
  }
  call->sending = false;
  call->send_failed = true;
  grpc_call_cancel_with_status(call->call, GRPC_STATUS_INTERNAL, "libgrpc refused to send", NULL);
}

void spg_send_locked(spg_call *call) {
  send_batch batch;
  if (prepare(call, &batch) && !launch(call, &batch)) note_refused(call);
}

// Under the lock, which it gives up before it goes into libgrpc: a thread that sends must not keep the
// poller from what has arrived. `sending` keeps libgrpc's rule of one start of a send batch at a time.
static bool unlock_and_launch(spg_call *call) {
  send_batch batch;
  bool prepared = prepare(call, &batch);
  pthread_mutex_unlock(&call->lock);
  if (!prepared) return false;
  if (launch(call, &batch)) return true;
  pthread_mutex_lock(&call->lock);
  note_refused(call);
  pthread_mutex_unlock(&call->lock);
  return false;
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
    spg_send_drop_queue(call);
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
  bool writable = success && room_again(call);
  unlock_and_launch(call);
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

// Under the lock, which it gives up. Sends what waits, and completes here what is sent at once.
static void unlock_and_send(spg_call *call) {
  if (spg_is_poller() || call->sending) {
    unlock_and_launch(call);
    return;
  }
  for (;;) {
    spg_begin_inline();
    unlock_and_launch(call);
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
    unlock_and_send(call);
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
  unlock_and_send(call);
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
  unlock_and_send(call);
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
  unlock_and_send(call);
  spg_metadata_free(trailing_metadata);
  return first;
}
