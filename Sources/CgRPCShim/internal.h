// Shared by the shim's own files.

#ifndef SPG_INTERNAL_H
#define SPG_INTERNAL_H

#include "CgRPCShim.h"

#include <grpc/byte_buffer.h>
#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpc/slice.h>
#include <grpc/support/alloc.h>
#include <grpc/support/log.h>
#include <grpc/support/time.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// What is given to libgrpc with a batch. It lives in the object that the batch belongs to.
//
// `published` orders the object's memory between the thread that starts the batch and the poller:
// libgrpc does so too, but the thread sanitizer cannot see into it.
typedef struct spg_tag {
  atomic_uint published;
  void (*completed)(struct spg_tag *tag, bool success);
  void *owner;
  // Set while the tag is on its way to the poller for a second time, with the result of the first.
  bool is_reposted, reposted_success;
} spg_tag;

static inline void spg_tag_init(spg_tag *tag, void (*completed)(spg_tag *, bool), void *owner) {
  atomic_init(&tag->published, 0);
  tag->completed = completed;
  tag->owner = owner;
  tag->is_reposted = false;
}

static inline void spg_tag_publish(spg_tag *tag) {
  atomic_fetch_add_explicit(&tag->published, 1, memory_order_acq_rel);
}

// A pointer that may be NULL only when memory has run out, where nothing sensible can follow.
void *spg_allocate(size_t size);

grpc_completion_queue *spg_queue(void);

// Has `tag` completed on the poller, with success. Any thread.
void spg_post(spg_tag *tag);

// Between the two, the first batch that completes on this thread is kept from the queue: so that who
// sends learns at once that it is done, and the poller need not be woken to say so.
void spg_begin_inline(void);
// The tag that was kept, if any, to be completed by the caller or given to spg_repost.
spg_tag *spg_end_inline(bool *success);
void spg_repost(spg_tag *tag, bool success);

struct spg_arguments {
  grpc_channel_args list;
  size_t capacity;
};

// The same object serves metadata to send (slices owned) and metadata received (slices libgrpc's).
struct spg_metadata {
  grpc_metadata_array array;
  bool owned;
};

void spg_metadata_init_received(spg_metadata *metadata);
void spg_metadata_destroy_received(spg_metadata *metadata);

struct spg_channel {
  atomic_int references;
  pthread_mutex_t lock;
  grpc_channel *channel;  // NULL while waiting for a target, and once closed
  bool closed;
  bool was_asked;         // for a connection, by a call or by itself
  atomic_bool was_ready;  // had a connection once
  spg_call *calls;        // those that have not ended
};

void spg_channel_add(spg_channel *channel, spg_call *call);
void spg_channel_remove(spg_channel *channel, spg_call *call);

typedef struct spg_message {
  struct spg_message *next;
  grpc_byte_buffer *buffer;
  size_t length;
} spg_message;

struct spg_call {
  atomic_int references;  // the owner's, and one per batch under way
  pthread_mutex_t lock;
  grpc_call *call;  // client: NULL while the channel waits for a target
  bool is_client;

  spg_callbacks callbacks;
  void *context;

  spg_channel *channel;      // client
  spg_call *previous, *next;  // in the channel's list
  grpc_slice method;
  gpr_timespec deadline;

  spg_tag send_tag, receive_tag, headers_tag, status_tag, writable_tag;

  // Sending, under the lock.
  spg_message *head, *tail, *last_urgent;
  spg_message *being_sent;
  size_t bytes_in_flight, limit;
  size_t wanted;  // the length of the message that did not fit
  bool awaits_writable;
  bool sending;
  bool send_failed;
  bool headers_wanted, headers_sent;
  bool close_wanted, close_sent;
  uint32_t headers_flags;
  spg_metadata *headers;   // to send
  spg_metadata *trailers;  // server: to send
  grpc_status_code final_code;
  grpc_slice final_message;

  // Receiving, under the lock.
  grpc_byte_buffer *received;
  bool receiving;   // a batch is under way
  bool is_held;     // a message is here, but must wait
  bool delivering;  // the poller is in the message callback
  bool paused;
  bool read_to_end;

  // The end, under the lock.
  bool abandoned;
  bool headers_received;  // client
  bool status_received;
  bool ended;
  spg_metadata received_headers, received_trailers;
  grpc_status_code status;
  grpc_slice status_message;
  bool has_own_status;  // client: ended before it was started, with this status
  grpc_status_code own_status;
  grpc_slice own_message;
  int cancelled;
};

spg_call *spg_call_new(bool is_client, size_t limit);
bool spg_call_start_on(spg_call *call, grpc_channel *channel);
void spg_call_end_unstarted(spg_call *call, grpc_status_code code, const char *message);
void spg_call_retain(spg_call *call);
void spg_call_release(spg_call *call);

// A batch's reference is counted until it completes. libgrpc wants batches that send, and batches that
// receive, each started one at a time.
bool spg_call_start_batch(spg_call *call, const grpc_op *operations, size_t count, spg_tag *tag);
// Under the lock, which it gives up. The end is reported when all that precedes it has been.
void spg_call_unlock_and_report_end(spg_call *call);

// The two halves. Those named `locked` are called, and return, under the call's lock.
void spg_send_init(spg_call *call);
void spg_send_locked(spg_call *call);
void spg_send_drop_queue(spg_call *call);  // under the lock, or with the last reference
void spg_receive_init(spg_call *call);
void spg_receive_locked(spg_call *call);
// A message that had to wait is delivered now. Without the lock, on the poller.
void spg_receive_held(spg_call *call);

#endif
