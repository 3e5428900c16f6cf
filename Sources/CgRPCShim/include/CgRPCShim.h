// The only C that touches <grpc/...>: a channel, a server and calls as opaque handles, plain
// functions and callbacks. What it hides: completion queues, tags, batches, slices.
//
// Threads. One thread per process, the poller, is started with the first handle and kept. Every
// callback runs on it. Every function may be called from any thread, also from a callback, and none
// waits for another thread.
//
// Ownership. A function that returns a handle gives the caller one reference, to be given back with
// the function named there. A call's memory lives until its reference is given back and its last
// batch has come back from libgrpc, whichever is later.

#ifndef CGRPCSHIM_H
#define CGRPCSHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spg_arguments spg_arguments;
typedef struct spg_metadata spg_metadata;
typedef struct spg_channel spg_channel;
typedef struct spg_server spg_server;
typedef struct spg_call spg_call;

// MARK: Runtime

/// Starts libgrpc and the poller. False, with errno set, if its thread cannot be made.
bool spg_start(void);

/// Whether the calling thread is the poller.
bool spg_is_poller(void);

/// The version of libgrpc; static memory.
const char *spg_version(void);

// MARK: Arguments of channels and servers

/// Given back with spg_arguments_free.
spg_arguments *spg_arguments_new(void);
void spg_arguments_free(spg_arguments *arguments);
/// Name and value are copied.
void spg_arguments_set_integer(spg_arguments *arguments, const char *name, int value);
void spg_arguments_set_string(spg_arguments *arguments, const char *name, const char *value);

// MARK: Metadata

/// To be sent. Owned by the caller until it is passed to a function that says it takes it.
spg_metadata *spg_metadata_new(size_t capacity);
void spg_metadata_free(spg_metadata *metadata);
/// Copies. Does nothing beyond the capacity.
void spg_metadata_add(spg_metadata *metadata, const char *key, size_t key_length, const void *value,
                      size_t value_length);

/// One received pair; valid as long as the metadata it came from.
typedef struct {
  const char *key;
  size_t key_length;
  const uint8_t *value;
  size_t value_length;
} spg_pair;

size_t spg_metadata_count(const spg_metadata *metadata);
spg_pair spg_metadata_pair_at(const spg_metadata *metadata, size_t index);

// MARK: Channels

/// PEM texts, zero terminated; NULL for none. `roots` NULL means the system's.
typedef struct {
  const char *roots;
  const char *certificate_chain;
  const char *private_key;
} spg_tls;

/// A channel to a libgrpc target, plaintext if `tls` is NULL. NULL if libgrpc refuses.
/// To be closed with spg_channel_close and given back with spg_channel_release.
spg_channel *spg_channel_create(const char *target, const spg_tls *tls, const spg_arguments *arguments);

/// A channel on which every call ends with this status.
spg_channel *spg_channel_create_failed(const char *target, int code, const char *message);

/// A channel whose target is not known yet: calls wait for spg_channel_set_target or
/// spg_channel_fail_waiting. Its state is idle until then.
spg_channel *spg_channel_create_waiting(void);

/// Gives a waiting channel its target and starts its calls. False if libgrpc refuses, or if the channel
/// is closed or has a target.
bool spg_channel_set_target(spg_channel *channel, const char *target, const spg_tls *tls,
                            const spg_arguments *arguments);

/// Ends, with this status, the calls that wait for a target and did not ask to wait until ready.
/// Whether others are still waiting.
bool spg_channel_fail_waiting(spg_channel *channel, int code, const char *message);

void spg_channel_retain(spg_channel *channel);
void spg_channel_release(spg_channel *channel);

/// Closes connections and ends every call with UNAVAILABLE. At once, without waiting.
void spg_channel_close(spg_channel *channel);

/// One of grpc_connectivity_state: 0 idle, 1 connecting, 2 ready, 3 transient failure, 4 shutdown.
int spg_channel_state(spg_channel *channel, bool try_to_connect);

/// Calls `changed` once, with the new state, when the state is no longer `last`, or, with `last`, when
/// `timeout_ms` (-1: never) have passed. On the poller, or at once if the channel is closed.
/// `context` is the caller's. Not for a channel that waits for its target.
void spg_channel_watch(spg_channel *channel, int last, int64_t timeout_ms, void *context,
                       void (*changed)(void *context, int state));

// MARK: Calls, both sides

typedef enum { SPG_SENT = 0, SPG_FULL = 1, SPG_CLOSED = 2 } spg_send_result;

/// What a call reports, one callback at a time, in order, on the poller.
typedef struct {
  /// Client only: the server's initial metadata, valid during the callback.
  void (*initial_metadata)(void *context, const spg_metadata *metadata);
  /// A message, valid during the callback.
  void (*message)(void *context, const void *bytes, size_t length);
  /// Server only: the client will send no more messages.
  void (*half_closed)(void *context);
  /// After SPG_FULL: there is room again.
  void (*writable)(void *context);
  /// Client: the status. Server: code is 0, or 1 (CANCELLED) if the client did not get a status.
  /// The last callback but `release`.
  void (*ended)(void *context, int code, const char *message, size_t message_length,
                const spg_metadata *trailing_metadata);
  /// The context is no longer used. Any thread.
  void (*release)(void *context);
} spg_callbacks;

/// Opens a call. Takes `metadata` (may be NULL). `timeout_ns` < 0 means no deadline. `limit` is in
/// bytes in flight. NULL if the channel is closed; then nothing is called back, `release` included.
/// Given back with spg_call_abandon.
spg_call *spg_call_open(spg_channel *channel, const char *path, size_t path_length, spg_metadata *metadata,
                        int64_t timeout_ns, bool wait_for_ready, size_t limit, bool paused,
                        const spg_callbacks *callbacks, void *context);

/// Gives the reference back: the call is cancelled if it has not ended, and reports nothing more
/// but `release`.
void spg_call_abandon(spg_call *call);

/// Copies the bytes. `urgent` goes ahead of what is queued, and past the limit.
spg_send_result spg_call_send(spg_call *call, const void *bytes, size_t length, bool urgent);

/// Whether a `writable` is still to come.
bool spg_call_awaits_writable(spg_call *call);

/// Bytes queued or being sent.
size_t spg_call_bytes_in_flight(spg_call *call);

/// Client: half-close behind what is queued.
void spg_call_close_send(spg_call *call);

/// Ends the call at once; on the client with this status. `message` is zero terminated.
void spg_call_cancel(spg_call *call, int code, const char *message);

/// No further message is reported until spg_call_resume, but one that is being reported, and one ahead of
/// the end.
void spg_call_pause(spg_call *call);
void spg_call_resume(spg_call *call);

/// The other side's address as libgrpc writes it, to be freed with spg_free. NULL if not known.
char *spg_call_peer(spg_call *call);
void spg_free(void *memory);

// MARK: Servers

/// A call that has arrived.
typedef struct {
  /// The callee's, to be given back with spg_call_abandon after spg_call_accept.
  spg_call *call;
  const char *path;
  size_t path_length;
  const spg_metadata *metadata;
  /// Nanoseconds until the deadline; INT64_MAX without one.
  int64_t time_left_ns;
} spg_incoming;

typedef struct {
  /// A call arrived. It must be accepted before the callback returns. Poller.
  void (*incoming)(void *context, const spg_incoming *incoming);
  /// The server has stopped: there are no calls and no connections left. Poller. Once.
  void (*stopped)(void *context);
  /// The context is no longer used. Any thread.
  void (*release)(void *context);
} spg_server_callbacks;

/// Not listening yet. Given back with spg_server_release, which kills it.
spg_server *spg_server_create(const spg_arguments *arguments, size_t limit, const spg_server_callbacks *callbacks,
                              void *context);

/// Listens, plaintext if `tls` is NULL (`roots` are then those of clients; NULL: none asked for).
/// The bound port (1 for a Unix socket), 0 if it fails. Before spg_server_start.
int spg_server_listen(spg_server *server, const char *address, const spg_tls *tls);
void spg_server_start(spg_server *server);

/// Takes no new calls; `stopped` is called when the last one has ended.
void spg_server_shutdown(spg_server *server);
/// After or instead of spg_server_shutdown: cancels every call and drops every connection.
void spg_server_kill(spg_server *server);
void spg_server_release(spg_server *server);

/// Starts to report a call that has arrived. Once per call.
void spg_call_accept(spg_call *call, const spg_callbacks *callbacks, void *context, bool paused);

/// Server: sends initial metadata, now or with the first message. Takes `metadata`.
/// False, and nothing is sent, if it was sent before.
bool spg_call_set_initial_metadata(spg_call *call, spg_metadata *metadata, bool now);

/// Server: ends the call behind what is queued. Takes `trailing_metadata` (may be NULL).
/// False if it was finished before.
bool spg_call_finish(spg_call *call, int code, const char *message, size_t message_length,
                     spg_metadata *trailing_metadata);

#ifdef __cplusplus
}
#endif

#endif
