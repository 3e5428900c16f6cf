import SpeechlySync

/// What a server answered to a unary call.
public struct UnaryResponse: Sendable, Hashable {
    /// The one message.
    public let message: [UInt8]

    /// Sent before the message.
    public let initialMetadata: Metadata

    /// Sent after the message.
    public let trailingMetadata: Metadata
}

extension Channel {
    /// Makes a call with one message in each direction.
    ///
    /// Cancelling the task cancels the call.
    ///
    /// - Parameters:
    ///   - path: The method, `/package.Service/Method`.
    ///   - request: The message.
    ///   - options: Metadata, deadline and whether to wait for a connection.
    /// - Throws: ``GRPCStatus``, always.
    public func unary(path: String, request: [UInt8], options: CallOptions = .init()) async throws -> UnaryResponse {
        let exchange = UnaryExchange()
        let call = try BidirectionalCall(channel: self, path: path, options: options) { exchange.handle($0) }
        // Past the limit: there is nothing that the message could wait for.
        _ = call.send(request, urgent: true)
        call.closeSend()
        do {
            return try await withTaskCancellationHandler {
                try await exchange.response()
            } onCancel: {
                call.cancel(GRPCStatus(code: .cancelled, message: "the calling task was cancelled"))
            }
        } catch let status as GRPCStatus where status.isOwnDeadline {
            guard let timeout = options.timeout else { throw status }
            throw GRPCStatus(code: .deadlineExceeded, message: await silence(of: timeout.within()))
        }
    }
}

private final class UnaryExchange: Sendable {
    private struct State {
        var initialMetadata = Metadata()
        var messages: [[UInt8]] = []
        var result: Result<UnaryResponse, GRPCStatus>?
        var waiter: CheckedContinuation<UnaryResponse, any Error>?
    }

    private let state = Locked(State())

    func handle(_ event: BidirectionalCall.Event) {
        switch event {
        case .initialMetadata(let metadata): state.withLock { $0.initialMetadata = metadata }
        case .message(let bytes):
            // Two are enough to know that it is not one.
            state.withLock { if $0.messages.count < 2 { $0.messages.append([UInt8](bytes)) } }
        case .writable: break
        case .end(let status): end(with: status)
        }
    }

    private func end(with status: GRPCStatus) {
        let (waiter, result) = state.withLock { state in
            let result: Result<UnaryResponse, GRPCStatus>
            if !status.isOk {
                result = .failure(status)
            } else if state.messages.count == 1 {
                result = .success(
                    UnaryResponse(
                        message: state.messages[0], initialMetadata: state.initialMetadata,
                        trailingMetadata: status.trailingMetadata))
            } else {
                let count = state.messages.isEmpty ? "no message" : "more than one message"
                result = .failure(
                    GRPCStatus(code: .internal, message: "the server answered a unary call with \(count)"))
            }
            state.result = result
            defer { state.waiter = nil }
            return (state.waiter, result)
        }
        waiter?.resume(with: result.mapError { $0 })
    }

    func response() async throws -> UnaryResponse {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(with: result.mapError { $0 }) }
        }
    }
}
