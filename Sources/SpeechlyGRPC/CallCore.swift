import CgRPCShim

/// What a client call's C object calls back. It outlives the call's last event.
final class CallCore: @unchecked Sendable {
    // Sendable: `handler` is touched only on the poller, once the initialiser is done.
    private var handler: ((BidirectionalCall.Event) -> Void)?
    private let address: GRPCAddress
    let gate = SendGate()

    init(address: GRPCAddress, handler: @escaping @Sendable (BidirectionalCall.Event) -> Void) {
        self.address = address
        self.handler = handler
    }

    private func end(with status: GRPCStatus) {
        gate.end(with: status)
        let last = handler
        handler = nil
        last?(.end(status))
    }

    @inline(__always)
    private static func with(_ context: UnsafeMutableRawPointer?, _ body: (CallCore) -> Void) {
        guard let context else { return }
        Unmanaged<CallCore>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
    }

    static let callbacks = spg_callbacks(
        initial_metadata: { context, metadata in
            CallCore.with(context) { $0.handler?(.initialMetadata(Metadata(shim: metadata))) }
        },
        message: { context, bytes, count in
            CallCore.with(context) { $0.handler?(.message(UnsafeRawBufferPointer(start: bytes, count: count))) }
        },
        half_closed: { _ in },
        writable: { context in
            CallCore.with(context) {
                $0.gate.open()
                $0.handler?(.writable)
            }
        },
        ended: { context, code, message, count, trailers in
            CallCore.with(context) { core in
                let text = String(decoding: UnsafeRawBufferPointer(start: message, count: count), as: UTF8.self)
                core.end(
                    with: GRPCStatus(
                        code: GRPCStatus.Code(rawValue: Int(code)) ?? .unknown,
                        message: text.isEmpty ? nil : ConnectFailure.explain(text, at: core.address),
                        trailingMetadata: Metadata(shim: trailers)))
            }
        },
        release: { context in
            guard let context else { return }
            Unmanaged<CallCore>.fromOpaque(context).release()
        }
    )
}
