import CgRPCShim
import SpeechlySync

/// A connection to a service, made when it is needed and made again when it is lost.
///
/// All channels of a process share one thread. Channels with equal addresses and settings share
/// connections unless ``Configuration/ownConnection`` is set. The channel is closed when its last
/// reference goes, those of its calls included; nothing ever waits for that.
public final class Channel: Sendable {
    /// Where the channel leads.
    public let address: GRPCAddress

    /// The version of the gRPC core that this process has loaded; `29.0.0` is that of gRPC 1.51.
    public static let libraryVersion = String(cString: spg_version())

    /// The settings it was made with.
    public let configuration: Configuration

    // Sendable: the C object has a lock of its own.
    nonisolated(unsafe) let handle: OpaquePointer

    /// Looks up the hosts if there are several and not all are IP addresses.
    let resolver: TargetResolver?

    /// A channel to an address. No connection is made yet.
    ///
    /// - Throws: ``GRPCStatus`` with ``GRPCStatus/Code/invalidArgument`` if the settings contradict
    ///   the address or each other.
    public init(address: GRPCAddress, configuration: Configuration = .init()) throws {
        try Runtime.start()
        self.address = address
        self.configuration = configuration
        let target = try ChannelTarget(address: address, configuration: configuration)
        if let name = target.name {
            guard let made = try target.makeChannel(name) else {
                throw GRPCStatus(code: .invalidArgument, message: "\(address): libgrpc does not take this address")
            }
            handle = made
            resolver = nil
        } else {
            handle = spg_channel_create_waiting()
            resolver = TargetResolver(handle: handle, target: target)
        }
    }

    deinit {
        close()
        spg_channel_release(handle)
    }

    /// Closes the channel: at once, without waiting for anyone. Its calls end with
    /// ``GRPCStatus/Code/unavailable``, and it makes no new ones.
    public func close() {
        spg_channel_close(handle)
        resolver?.close()
    }

    /// Whether there is a connection.
    ///
    /// - Parameter tryToConnect: Whether to start making one if the channel is idle.
    public func connectivityState(tryToConnect: Bool = false) -> ConnectivityState {
        if tryToConnect { resolver?.resolve() }
        return resolver?.connectivityState ?? ConnectivityState(shim: spg_channel_state(handle, tryToConnect))
    }

    /// The current state, then each that follows, until ``ConnectivityState/shutdown``.
    ///
    /// Each access makes a new stream. A state that is left again at once may be missing. The stream
    /// does not keep the channel alive.
    public var connectivityStates: AsyncStream<ConnectivityState> {
        AsyncStream { continuation in
            StateWatch.start(handle: handle, resolver: resolver, continuation: continuation)
        }
    }

    func error(_ code: GRPCStatus.Code, _ message: String) -> GRPCStatus {
        GRPCStatus(code: code, message: "\(address): \(message)")
    }
}

extension ConnectivityState {
    init(shim: CInt) {
        switch shim {
        case 0: self = .idle
        case 1: self = .connecting
        case 2: self = .ready
        case 3: self = .transientFailure
        default: self = .shutdown
        }
    }

    var shim: CInt {
        switch self {
        case .idle: 0
        case .connecting: 1
        case .ready: 2
        case .transientFailure: 3
        case .shutdown: 4
        }
    }
}
