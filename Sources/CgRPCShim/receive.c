// The receiving half of a call: one message at a time, none while paused.

#include "internal.h"

static void receive_completed(spg_tag *tag, bool success);

void spg_receive_init(spg_call *call) { spg_tag_init(&call->receive_tag, receive_completed, call); }

// Under the lock. Whether the next message is to be asked for, which is under way from here on.
static bool prepare(spg_call *call) {
  if (!call->call || call->receiving || call->paused || call->read_to_end || call->status_received) return false;
  call->receiving = true;
  return true;
}

// With or without the lock: `receiving` keeps libgrpc's rule of one start of a receive batch at a time, and
// holds the end back meanwhile. Without it, no one who sends has to wait.
static void launch(spg_call *call) {
  grpc_op operation;
  memset(&operation, 0, sizeof operation);
  operation.op = GRPC_OP_RECV_MESSAGE;
  operation.data.recv_message.recv_message = &call->received;
  if (spg_call_start_batch(call, &operation, 1, &call->receive_tag)) return;
  // A refused batch ends the reading as an empty one does, on the poller.
  spg_call_retain(call);
  spg_post(&call->receive_tag);
}

void spg_receive_locked(spg_call *call) {
  if (prepare(call)) launch(call);
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
  if (call->received && call->channel) atomic_store_explicit(&call->channel->was_ready, true, memory_order_relaxed);
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
  if (prepare(call)) {
    pthread_mutex_unlock(&call->lock);
    launch(call);
  } else {
    spg_call_unlock_and_report_end(call);
  }
  spg_call_release(call);
}

void spg_receive_held(spg_call *call) { receive_completed(&call->receive_tag, true); }

void spg_call_pause(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  call->paused = true;
  pthread_mutex_unlock(&call->lock);
}

void spg_call_resume(spg_call *call) {
  pthread_mutex_lock(&call->lock);
  call->paused = false;
  bool deliver_held = call->is_held && call->headers_received;
  if (deliver_held) call->is_held = false;
  bool next = !deliver_held && prepare(call);
  pthread_mutex_unlock(&call->lock);
  if (deliver_held) spg_post(&call->receive_tag);
  if (next) launch(call);
}
