import SpeechlyGRPC
import SpeechlyProto

/// An SLU service that does nothing but answer: the same for every client that is measured.
enum BenchServer {
    static let path = "/speechly.slu.v1.SLU/Stream"

    /// Twelve words, about 300 bytes.
    static let transcript: [UInt8] = {
        let words = "show me all the python repositories sorted by stars in descending order"
            .split(separator: " ").map(String.init)
        let message = SLUTentativeTranscript(
            tentativeTranscript: words.joined(separator: " "),
            tentativeWords: words.enumerated().map { index, word in
                SLUTranscript(
                    word: word, index: Int32(index), startTime: Int32(index * 250), endTime: Int32(index * 250 + 240))
            })
        return SLUResponse(
            audioContext: "7a2bbd2c-4b1c-4f3e-9d6a-2f4f1d9e8c10", segmentId: 0,
            streamingResponse: .tentativeTranscript(message)
        ).serializedBytes()
    }()

    private static let started = SLUResponse(audioContext: "c", streamingResponse: .started(SLUStarted()))
        .serializedBytes()
    private static let finished = SLUResponse(audioContext: "c", streamingResponse: .finished(SLUFinished()))
        .serializedBytes()

    /// Serves until standard input ends.
    static func run() throws {
        let server = Server(address: GRPCAddress(host: "127.0.0.1", port: 0, secure: false))
        server.registerBidirectional(path) { call in
            let isSink = call.context.metadata["bench-sink"] != nil
            return { event in
                switch event {
                case .message(let bytes):
                    // The first byte is the key of the oneof's field.
                    switch bytes.first {
                    case 0x1A?: if !isSink { _ = call.send(transcript, urgent: true) }
                    case 0x2A?: _ = call.send(started, urgent: true)
                    case 0x32?: _ = call.send(finished, urgent: true)
                    default: break
                    }
                case .halfClosed: call.finish()
                case .writable, .ended: break
                }
            }
        }
        let address = try server.start()
        print("\(address.endpoints[0])")
        try StandardOutput.flush()
        while readLine() != nil {}
        server.kill()
    }
}
