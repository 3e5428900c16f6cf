import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

extension EmbeddedService {
    /// The services that are answered, by full name.
    static let serviceNames: Set = [
        "speechly.identity.v1.Identity", "speechly.identity.v2.IdentityAPI", "speechly.slu.v1.SLU",
        "speechly.slu.v1.WLU", "speechly.slu.v1.BatchAPI",
    ]

    func register(on server: Server) {
        registerIdentity(on: server)
        registerTexts(on: server)
        registerStreams(on: server)
        registerBatch(on: server)
        server.registerUnary("/grpc.health.v1.Health/Check") { [health] _, bytes in
            try health.check(Self.read(bytes)).serializedBytes()
        }
        server.registerBidirectional("/grpc.health.v1.Health/Watch", events: { [health] in health.watch($0) })
    }

    private func registerIdentity(on server: Server) {
        server.registerUnary("/speechly.identity.v2.IdentityAPI/Login") { [identity] _, bytes in
            try identity.login(Self.read(bytes) as LoginRequest).serializedBytes()
        }
        server.registerUnary("/speechly.identity.v1.Identity/Login") { [identity] _, bytes in
            try identity.login(Self.read(bytes) as IdentityV1LoginRequest).serializedBytes()
        }
    }

    private func registerTexts(on server: Server) {
        server.registerUnary("/speechly.slu.v1.WLU/Text") { [identity, wlu, environment] context, bytes in
            let holder = try identity.authenticate(context)
            environment.monitor.count(.texts)
            return try wlu.text(Self.read(bytes), holder: holder).serializedBytes()
        }
        server.registerUnary("/speechly.slu.v1.WLU/Texts") { [identity, wlu, environment] context, bytes in
            let holder = try identity.authenticate(context)
            let request: TextsRequest = try Self.read(bytes)
            environment.monitor.metrics.add(Double(request.requests.count), to: .texts)
            return try wlu.texts(request, holder: holder).serializedBytes()
        }
    }

    private func registerStreams(on server: Server) {
        server.registerBidirectional("/speechly.slu.v1.SLU/Stream") { [identity, environment, streams] call in
            do throws(GRPCStatus) {
                let holder = try identity.authenticate(call.context)
                let stream = SLUStream(
                    transport: ServerCallTransport(call: call), holder: holder, environment: environment)
                let place = try streams.enter(holder) { [weak stream] in stream?.drain() }
                environment.monitor.count(.streams)
                return { event in
                    switch event {
                    case .message(let bytes): stream.handle(.message(bytes))
                    case .halfClosed: stream.handle(.halfClosed)
                    case .writable: stream.handle(.writable)
                    case .ended:
                        stream.handle(.ended)
                        streams.leave(place)
                    }
                }
            } catch {
                call.finish(error)
                return { _ in }
            }
        }
    }

    private func registerBatch(on server: Server) {
        server.registerBidirectional("/speechly.slu.v1.BatchAPI/ProcessAudio") { [identity, batch] stream in
            try await batch.processAudio(stream, holder: identity.authenticate(stream.context))
        }
        server.registerUnary("/speechly.slu.v1.BatchAPI/QueryStatus") { [identity, batch] context, bytes in
            let holder = try identity.authenticate(context)
            return try batch.queryStatus(Self.read(bytes), holder: holder).serializedBytes()
        }
    }

    private static func read<Message: ProtoMessage>(_ bytes: [UInt8]) throws(GRPCStatus) -> Message {
        do throws(ProtoError) {
            return try Message(serializedBytes: bytes)
        } catch {
            throw .invalid("the request cannot be read: \(error)")
        }
    }
}

/// A call of the transport as a stream's handler needs it.
private struct ServerCallTransport: StreamTransport {
    let call: ServerCall

    func send(_ message: [UInt8]) -> SendResult { call.send(message) }
    func finish(_ status: GRPCStatus) { call.finish(status) }
    func pauseReading() { call.pauseReading() }
    func resumeReading() { call.resumeReading() }
}
