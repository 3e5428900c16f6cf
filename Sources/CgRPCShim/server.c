#include "internal.h"

// Calls asked for ahead; those that arrive meanwhile wait in libgrpc.
enum { requests_ahead = 4 };

typedef struct {
  spg_tag tag;
  grpc_call *call;
  grpc_call_details details;
  spg_metadata metadata;
} spg_request;

struct spg_server {
  atomic_int references;  // the owner's, one per request, one for the stop under way
  pthread_mutex_t lock;
  grpc_server *server;  // NULL once destroyed
  spg_server_callbacks callbacks;
  void *context;
  size_t limit;
  bool stopping;
  spg_request requests[requests_ahead];
  spg_tag stop_tag;
};

static void release_reference(spg_server *server) {
  if (atomic_fetch_sub_explicit(&server->references, 1, memory_order_acq_rel) != 1) return;
  pthread_mutex_destroy(&server->lock);
  server->callbacks.release(server->context);
  free(server);
}

static void retain(spg_server *server) {
  atomic_fetch_add_explicit(&server->references, 1, memory_order_relaxed);
}

static void stopped(spg_tag *tag, bool success) {
  (void)success;
  spg_server *server = tag->owner;
  pthread_mutex_lock(&server->lock);
  grpc_server *handle = server->server;
  server->server = NULL;
  pthread_mutex_unlock(&server->lock);
  if (handle) grpc_server_destroy(handle);
  server->callbacks.stopped(server->context);
  release_reference(server);
}

spg_server *spg_server_create(const spg_arguments *arguments, size_t limit, const spg_server_callbacks *callbacks,
                              void *context) {
  spg_server *server = spg_allocate(sizeof(spg_server));
  atomic_init(&server->references, 1);
  pthread_mutex_init(&server->lock, NULL);
  server->callbacks = *callbacks;
  server->context = context;
  server->limit = limit;
  spg_tag_init(&server->stop_tag, stopped, server);
  server->server = grpc_server_create(&arguments->list, NULL);
  grpc_server_register_completion_queue(server->server, spg_queue(), NULL);
  return server;
}

int spg_server_listen(spg_server *server, const char *address, const spg_tls *tls) {
  grpc_server_credentials *credentials;
  if (tls) {
    grpc_ssl_pem_key_cert_pair pair = {.private_key = tls->private_key, .cert_chain = tls->certificate_chain};
    credentials = grpc_ssl_server_credentials_create_ex(
        tls->roots, &pair, 1,
        tls->roots ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                   : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE,
        NULL);
  } else {
    credentials = grpc_insecure_server_credentials_create();
  }
  if (!credentials) return 0;
  int port = grpc_server_add_http2_port(server->server, address, credentials);
  grpc_server_credentials_release(credentials);
  return port;
}

static void request_call(spg_server *server, spg_request *request);

static void call_arrived(spg_server *server, spg_request *request) {
  spg_call *call = spg_call_new(false, server->limit);
  call->call = request->call;
  gpr_timespec deadline = gpr_convert_clock_type(request->details.deadline, GPR_CLOCK_MONOTONIC);
  int64_t left = INT64_MAX;
  if (gpr_time_cmp(deadline, gpr_inf_future(GPR_CLOCK_MONOTONIC)) != 0) {
    gpr_timespec span = gpr_time_sub(deadline, gpr_now(GPR_CLOCK_MONOTONIC));
    left = span.tv_sec > INT64_MAX / GPR_NS_PER_SEC - 1 ? INT64_MAX : span.tv_sec * GPR_NS_PER_SEC + span.tv_nsec;
  }
  spg_incoming incoming = {
      .call = call,
      .path = (const char *)GRPC_SLICE_START_PTR(request->details.method),
      .path_length = GRPC_SLICE_LENGTH(request->details.method),
      .metadata = &request->metadata,
      .time_left_ns = left,
  };
  server->callbacks.incoming(server->context, &incoming);
}

static void request_completed(spg_tag *tag, bool success) {
  spg_request *request = (spg_request *)(void *)((char *)tag - offsetof(spg_request, tag));
  spg_server *server = tag->owner;
  if (success) call_arrived(server, request);
  grpc_call_details_destroy(&request->details);
  spg_metadata_destroy_received(&request->metadata);
  if (success) request_call(server, request);
  release_reference(server);
}

static void request_call(spg_server *server, spg_request *request) {
  grpc_call_details_init(&request->details);
  spg_metadata_init_received(&request->metadata);
  request->call = NULL;
  retain(server);
  spg_tag_publish(&request->tag);
  pthread_mutex_lock(&server->lock);
  bool requested = !server->stopping && server->server &&
                   grpc_server_request_call(server->server, &request->call, &request->details,
                                            &request->metadata.array, spg_queue(), spg_queue(),
                                            &request->tag) == GRPC_CALL_OK;
  pthread_mutex_unlock(&server->lock);
  if (requested) return;
  grpc_call_details_destroy(&request->details);
  spg_metadata_destroy_received(&request->metadata);
  release_reference(server);
}

void spg_server_start(spg_server *server) {
  grpc_server_start(server->server);
  for (size_t i = 0; i < requests_ahead; i++) {
    spg_tag_init(&server->requests[i].tag, request_completed, server);
    request_call(server, &server->requests[i]);
  }
}

static void stop(spg_server *server, bool cancel) {
  pthread_mutex_lock(&server->lock);
  if (server->server) {
    if (!server->stopping) {
      server->stopping = true;
      retain(server);
      spg_tag_publish(&server->stop_tag);
      grpc_server_shutdown_and_notify(server->server, spg_queue(), &server->stop_tag);
    }
    if (cancel) grpc_server_cancel_all_calls(server->server);
  }
  pthread_mutex_unlock(&server->lock);
}

void spg_server_shutdown(spg_server *server) { stop(server, false); }

void spg_server_kill(spg_server *server) { stop(server, true); }

void spg_server_release(spg_server *server) {
  spg_server_kill(server);
  release_reference(server);
}
