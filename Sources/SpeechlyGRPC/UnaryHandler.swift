import SpeechlySync

/// Serves one unary call.
final class UnaryHandler: Sendable {
    private struct State {
        var messages: [[UInt8]] = []
        var task: Task<Void, Never>?
    }

    typealias Handler = @Sendable (ServerCallContext, [UInt8]) async throws -> [UInt8]

    private let call: ServerCall
    private let handler: Handler
    private let state = Locked(State())

    private init(call: ServerCall, handler: @escaping Handler) {
        self.call = call
        self.handler = handler
    }

    static func start(call: ServerCall, _ handler: @escaping Handler) -> @Sendable (ServerCall.Event) -> Void {
        let unary = UnaryHandler(call: call, handler: handler)
        return { unary.handle($0) }
    }

    private func handle(_ event: ServerCall.Event) {
        switch event {
        case .message(let bytes):
            let isSecond = state.withLock { state in
                state.messages.append([UInt8](bytes))
                return state.messages.count > 1
            }
            if isSecond { refuse("more than one message") }
        case .halfClosed:
            guard let request = state.withLock({ $0.messages.first }) else { return refuse("no message") }
            run(request)
        case .writable: break
        case .ended(let cancelled):
            let task = state.withLock { state in
                defer { state.task = nil }
                return state.task
            }
            if cancelled { task?.cancel() }
        }
    }

    private func refuse(_ what: String) {
        call.finish(GRPCStatus(code: .invalidArgument, message: "a unary call with \(what)"))
    }

    private func run(_ request: [UInt8]) {
        let task = Task { [call, handler] in
            do {
                let response = try await handler(call.context, request)
                // Past the limit: there is nothing that the message could wait for.
                _ = call.send(response, urgent: true)
                call.finish()
            } catch {
                call.finish(GRPCStatus(handlerError: error))
            }
        }
        state.withLock { $0.task = task }
    }
}
