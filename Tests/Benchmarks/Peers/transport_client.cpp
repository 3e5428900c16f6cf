// A synchronous grpc++ client of the SLU service, for TransportBenchmark to be measured against.
//
//   transport_client pingpong HOST:PORT ROUNDS
//   transport_client flat HOST:PORT STREAMS SECONDS
//
// Prints one line of name=value pairs: times in microseconds.

#include <grpcpp/grpcpp.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "speechly/slu/v1/slu.grpc.pb.h"

using Clock = std::chrono::steady_clock;
using speechly::slu::v1::SLU;
using speechly::slu::v1::SLURequest;
using speechly::slu::v1::SLUResponse;

static double cpu_microseconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

static std::unique_ptr<grpc::ClientReaderWriter<SLURequest, SLUResponse>> open(SLU::Stub *stub,
                                                                             grpc::ClientContext *context,
                                                                             bool sink) {
  if (sink) context->AddMetadata("bench-sink", "1");
  auto stream = stub->Stream(context);
  SLURequest config;
  config.mutable_config()->set_channels(1);
  config.mutable_config()->set_sample_rate_hertz(16000);
  stream->Write(config);
  SLURequest start;
  start.mutable_start();
  stream->Write(start);
  SLUResponse started;
  stream->Read(&started);
  return stream;
}

static int pingpong(SLU::Stub *stub, int rounds) {
  grpc::ClientContext context;
  auto stream = open(stub, &context, false);
  const std::string audio(3200, '\1');
  SLURequest request;
  SLUResponse response;
  std::vector<double> times;
  times.reserve(rounds);
  double cpu = 0;
  const int warmup = rounds / 10;
  for (int i = -warmup; i < rounds; i++) {
    if (i == 0) cpu = cpu_microseconds();
    auto begin = Clock::now();
    request.set_audio(audio);
    if (!stream->Write(request) || !stream->Read(&response)) return 1;
    if (response.tentative_transcript().tentative_words_size() != 12) return 1;
    if (i >= 0) times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  cpu = (cpu_microseconds() - cpu) / rounds;
  stream->WritesDone();
  context.TryCancel();
  std::sort(times.begin(), times.end());
  printf("p50=%.3f p99=%.3f cpu=%.3f\n", times[times.size() / 2], times[times.size() * 99 / 100], cpu);
  return 0;
}

static int flat(SLU::Stub *stub, int streams, double seconds) {
  std::atomic<long> chunks{0};
  std::atomic<int> failures{0};
  auto begin = Clock::now();
  auto end = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::vector<std::thread> threads;
  for (int i = 0; i < streams; i++) {
    threads.emplace_back([&] {
      grpc::ClientContext context;
      auto stream = open(stub, &context, true);
      const std::string audio(3200, '\1');
      SLURequest request;
      long sent = 0;
      while (Clock::now() < end) {
        request.set_audio(audio);
        if (!stream->Write(request)) break;
        sent++;
      }
      SLURequest stop;
      stop.mutable_stop();
      SLUResponse finished;
      // The server answers when it has taken everything.
      if (!stream->Write(stop) || !stream->Read(&finished) || !finished.has_finished()) failures++;
      chunks += sent;
      context.TryCancel();
    });
  }
  for (auto &thread : threads) thread.join();
  double took = std::chrono::duration<double>(Clock::now() - begin).count();
  printf("rate=%.1f\n", chunks / took);
  return failures ? 1 : 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return 2;
  grpc::ChannelArguments arguments;
  arguments.SetInt("grpc.enable_retries", 0);
  arguments.SetInt("grpc.enable_http_proxy", 0);
  auto channel = grpc::CreateCustomChannel(argv[2], grpc::InsecureChannelCredentials(), arguments);
  auto stub = SLU::NewStub(channel);
  const std::string mode = argv[1];
  if (mode == "pingpong") return pingpong(stub.get(), atoi(argv[3]));
  if (mode == "flat" && argc > 4) return flat(stub.get(), atoi(argv[3]), atof(argv[4]));
  return 2;
}
