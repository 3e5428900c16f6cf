"""Talks to a service with the official Python stubs (speechly-api and grpcio of PyPI).

Usage: official_client.py HOST:PORT APP_ID WAV…

Prints one JSON object: what Login says, the older one too, what WLU understands of a text, the messages of a
stream that has one context for each file (the first with the older start and stop events), and the words of a
batch job for the first file.
"""

import json
import sys
import time
import uuid
import wave

import grpc
from speechly.identity.v1.identity_pb2 import LoginRequest as OldLoginRequest
from speechly.identity.v1.identity_pb2_grpc import IdentityStub
from speechly.identity.v2.identity_api_pb2 import LoginRequest
from speechly.identity.v2.identity_api_pb2_grpc import IdentityAPIStub
from speechly.identity.v2.identity_pb2 import ApplicationScope
from speechly.slu.v1.batch_api_pb2 import ProcessAudioRequest, QueryStatusRequest
from speechly.slu.v1.batch_api_pb2_grpc import BatchAPIStub
from speechly.slu.v1.batch_pb2 import AudioConfiguration, Operation
from speechly.slu.v1.slu_pb2 import SLUConfig, SLUEvent, SLURequest, SLUStart, SLUStop
from speechly.slu.v1.slu_pb2_grpc import SLUStub
from speechly.slu.v1.wlu_pb2 import WLURequest
from speechly.slu.v1.wlu_pb2_grpc import WLUStub


def requests(paths):
    yield SLURequest(config=SLUConfig(encoding=SLUConfig.LINEAR16, channels=1, sample_rate_hertz=16000))
    for number, path in enumerate(paths):
        if number == 0:
            yield SLURequest(event=SLUEvent(event=SLUEvent.START))
        else:
            yield SLURequest(start=SLUStart(options=[SLUStart.Option(key="timezone", value=["Europe/Helsinki"])]))
        with wave.open(path) as audio:
            while chunk := audio.readframes(512):
                yield SLURequest(audio=chunk)
        yield SLURequest(event=SLUEvent(event=SLUEvent.STOP)) if number == 0 else SLURequest(stop=SLUStop())


def describe(response):
    kind = response.WhichOneof("streaming_response")
    value = getattr(response, kind)
    item = {"context": response.audio_context, "segment": response.segment_id, "kind": kind}
    if kind == "transcript":
        item.update(word=value.word, index=value.index, start=value.start_time, end=value.end_time)
    elif kind == "entity":
        item.update(
            entity=value.entity, value=value.value, start=value.start_position, end=value.end_position)
    elif kind == "intent":
        item.update(intent=value.intent)
    return item


def batch(channel, metadata, path):
    """As the Speechly CLI does it: the file as it is, in pieces, each with the configuration."""
    config = AudioConfiguration(
        encoding=AudioConfiguration.ENCODING_LINEAR16, channels=1, sample_rate_hertz=16000)

    def pieces():
        with open(path, "rb") as file:
            while piece := file.read(65536):
                yield ProcessAudioRequest(config=config, audio=piece, reference="interop")

    api = BatchAPIStub(channel)
    operation = api.ProcessAudio(pieces(), metadata=metadata, timeout=60).operation
    for _ in range(600):
        if operation.status in (Operation.STATUS_DONE, Operation.STATUS_ERROR):
            break
        time.sleep(0.1)
        operation = api.QueryStatus(
            QueryStatusRequest(id=operation.id), metadata=metadata, timeout=60).operation
    return {
        "status": Operation.Status.Name(operation.status),
        "reference": operation.reference,
        "text": " ".join(word.word for word in operation.transcripts),
    }


def refusal(call):
    try:
        call()
    except grpc.RpcError as error:
        return [error.code().name, error.details()]
    return ["OK", ""]


def main(target, app_id, paths):
    device_id = str(uuid.uuid4())
    with grpc.insecure_channel(target, options=[("grpc.enable_http_proxy", 0)]) as channel:
        login = IdentityAPIStub(channel).Login(
            LoginRequest(device_id=device_id, application=ApplicationScope(app_id=app_id)), timeout=30)
        metadata = [("authorization", "Bearer " + login.token)]
        text = WLUStub(channel).Text(
            WLURequest(language_code="en-US", text="show me go repos"), metadata=metadata, timeout=30)
        stream = SLUStub(channel).Stream(requests(paths), metadata=metadata, timeout=60)
        messages = [describe(response) for response in stream]
        old = IdentityStub(channel).Login(
            OldLoginRequest(device_id=device_id, app_id=app_id, language_code="en-US"), timeout=30)
        old_text = WLUStub(channel).Text(
            WLURequest(language_code="en-US", text="show me go repos"),
            metadata=[("authorization", "Bearer " + old.token)], timeout=30)
        result = {
            "oldLogin": [segment.intent.intent for segment in old_text.segments],
            "batch": batch(channel, metadata, paths[0]),
            "validForS": login.valid_for_s,
            "expiresAt": login.expires_at,
            "annotated": [segment.annotated_text for segment in text.segments],
            "messages": messages,
            "badDevice": refusal(lambda: IdentityAPIStub(channel).Login(
                LoginRequest(device_id="x", application=ApplicationScope(app_id=app_id)), timeout=30)),
            "noToken": refusal(lambda: list(SLUStub(channel).Stream(requests([]), timeout=30))),
            "noConfig": refusal(lambda: list(SLUStub(channel).Stream(
                iter([SLURequest(start=SLUStart())]), metadata=metadata, timeout=30))),
        }
    print(json.dumps(result))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
