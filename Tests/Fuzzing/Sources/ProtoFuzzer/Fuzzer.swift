import CFuzzHooks
import Glibc
import SpeechlyProto

/// Every message of the codec.
let messageTypes: [any ProtoMessage.Type] = [
    LoginRequest.self, ApplicationScope.self, ProjectScope.self, LoginResponse.self,
    SLURequest.self, SLUConfig.self, SLUConfig.Option.self, SLUEvent.self, SLUStart.self, SLUStart.Option.self,
    SLUStop.self, RoundTripMeasurementRequest.self, RoundTripMeasurementResponse.self,
    SLUResponse.self, SLUTranscript.self, SLUEntity.self, SLUIntent.self, SLUSegmentEnd.self,
    SLUTentativeTranscript.self, SLUTentativeEntities.self, SLUStarted.self, SLUFinished.self, SLUError.self,
    WLURequest.self, ProtoTimestamp.self, WLUResponse.self, WLUSegment.self, WLUToken.self, WLUEntity.self,
    WLUIntent.self, TextsRequest.self, TextsResponse.self,
    IdentityV1LoginRequest.self, IdentityV1LoginResponse.self, HealthCheckRequest.self, HealthCheckResponse.self,
    ProcessAudioRequest.self, BatchOption.self, ProcessAudioResponse.self, QueryStatusRequest.self,
    QueryStatusResponse.self, BatchAudioConfiguration.self, BatchHTTPResource.self, BatchHTTPResource.Header.self,
    BatchOperation.self, BatchTranscript.self, ProtoDuration.self,
]

/// The message that the environment variable FUZZ_MESSAGE names.
let messageType: (any ProtoMessage.Type)? = {
    guard let name = getenv("FUZZ_MESSAGE") else { return nil }
    return messageTypes.first { $0.messageName == String(cString: name) }
}()

/// Tries one input.
func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    guard let messageType else { return }
    check(messageType, UnsafeRawBufferPointer(start: start, count: count))
}

/// Stops the process when one of the codec's promises is broken.
private func check<Message: ProtoMessage>(_ type: Message.Type, _ input: UnsafeRawBufferPointer) {
    cfuzzhooks_start()
    let result = Result { () throws(ProtoError) in try Message(serializedBytes: input) }
    let allocated = cfuzzhooks_stop()
    hold(allocated <= 64 * UInt64(input.count) + 4096, "allocates \(allocated) bytes for \(input.count)")

    switch result {
    case .success(let message):
        let bytes = message.serializedBytes()
        let again = try? Message(serializedBytes: bytes)
        hold(again == message, "reads another message than it wrote")
        hold(again?.serializedBytes() == bytes, "writes the same message in two ways")
        var writer = ProtoWriter(minimumCapacity: 0)
        message.encode(into: &writer)
        hold(writer.bytes == bytes, "writes something else into a small buffer")
    case .failure(let error):
        hold((0...input.count).contains(error.byteOffset), "sees an error outside the input: \(error)")
        hold(messageTypes.contains { $0.messageName == error.messageName }, "names no message: \(error)")
    }
}

private func hold(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
    if condition { return }
    print("BROKEN: the codec \(otherwise())")
    fflush(nil)
    abort()
}
