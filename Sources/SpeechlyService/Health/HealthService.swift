import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

/// Answers the standard health service: proxies and orchestrators ask it where to send calls.
final class HealthService: Sendable {
    private struct State {
        var isServing = true
        var watchers: [Int: ServerCall] = [:]
        var next = 0
    }

    /// Most watches at a time.
    static let maximumWatchers = 1_000

    private let services: Set<String>
    private let state = Locked(State())

    /// - Parameter services: the full names of the services that go up and down together.
    init(services: Set<String>) { self.services = services.union([""]) }

    /// Answers `Check`.
    func check(_ request: HealthCheckRequest) throws(GRPCStatus) -> HealthCheckResponse {
        guard services.contains(request.service) else {
            throw GRPCStatus(
                code: .notFound,
                message: "there is no service '\(ApplicationDirectory.shown(request.service))' here")
        }
        return state.withLock { HealthCheckResponse(status: $0.isServing ? .serving : .notServing) }
    }

    /// Answers `Watch`.
    func watch(_ call: ServerCall) -> @Sendable (ServerCall.Event) -> Void {
        let place = Locked<Int?>(nil)
        let isAsked = Locked(false)
        return { [self] event in
            switch event {
            case .message(let bytes):
                let isSecond = isAsked.withLock { asked in
                    defer { asked = true }
                    return asked
                }
                guard !isSecond else { return call.finish(.invalid("a watch takes one message")) }
                do throws(ProtoError) {
                    let request = try HealthCheckRequest(serializedBytes: bytes)
                    let entered = enter(call, isKnown: services.contains(request.service))
                    place.withLock { $0 = entered }
                } catch {
                    call.finish(.invalid("the request cannot be read: \(error)"))
                }
            case .halfClosed:
                if !isAsked.withLock({ $0 }) { call.finish(.invalid("a watch without a message")) }
            case .writable: break
            case .ended:
                if let place = place.withLock({ $0 }) { _ = state.withLock { $0.watchers.removeValue(forKey: place) } }
            }
        }
    }

    private func enter(_ call: ServerCall, isKnown: Bool) -> Int? {
        state.withLock { state in
            guard state.watchers.count < Self.maximumWatchers else {
                call.finish(
                    GRPCStatus(
                        code: .resourceExhausted,
                        message: "the service is watched by \(Self.maximumWatchers) clients already"))
                return nil
            }
            let status: HealthCheckResponse.ServingStatus =
                !isKnown ? .serviceUnknown : state.isServing ? .serving : .notServing
            Self.send(status, call)
            guard state.isServing else {
                call.finish(.shuttingDown)
                return nil
            }
            state.next += 1
            state.watchers[state.next] = call
            return state.next
        }
    }

    /// Says to everyone that nothing is served any more, and ends the watches.
    func stop() {
        state.withLock { state in
            guard state.isServing else { return }
            state.isServing = false
            for call in state.watchers.values {
                Self.send(.notServing, call)
                call.finish(.shuttingDown)
            }
            state.watchers.removeAll()
        }
    }

    private static func send(_ status: HealthCheckResponse.ServingStatus, _ call: ServerCall) {
        // Urgent: two messages of two bytes in the life of a call need no bound.
        HealthCheckResponse(status: status).serializedBytes().withUnsafeBytes { _ = call.send($0, urgent: true) }
    }
}
