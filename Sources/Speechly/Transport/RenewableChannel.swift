import SpeechlyGRPC
import SpeechlySync

/// The channel of a client that makes single calls. One of its own is made anew when its connection may be dead: a call
/// on it would wait for its whole deadline.
final class RenewableChannel: Sendable {
    /// Where it leads.
    let address: GRPCAddress
    private let channel: Locked<Channel>
    private let watch: (any ConnectionWatch)?
    private let make: (@Sendable () throws -> Channel)?

    /// A channel of the caller's, which stays what it is.
    init(_ channel: Channel) {
        address = channel.address
        self.channel = Locked(channel)
        watch = nil
        make = nil
    }

    /// A channel of one's own.
    ///
    /// - Parameters:
    ///   - address: where it leads.
    ///   - configuration: what it is like. A channel that takes its place has a connection of its own, which nobody has
    ///     lost yet.
    ///   - watch: notices what connections do not outlive; `nil` for nothing.
    /// - Throws: `GRPCStatus` for settings that contradict the address.
    init(
        address: GRPCAddress, configuration: Channel.Configuration = .watchful, watch: (any ConnectionWatch)?
    ) throws {
        let own = configuration.forOneAttempt
        make = { try Channel(address: address, configuration: own) }
        self.address = address
        self.watch = watch
        var first = own
        first.ownConnection = configuration.ownConnection
        channel = Locked(try Channel(address: address, configuration: first))
    }

    /// Makes a call with one message in each direction.
    ///
    /// - Throws: `GRPCStatus`, always.
    func unary(path: String, request: [UInt8], options: CallOptions) async throws -> UnaryResponse {
        if watch?.change() != nil { renew(nil) }
        let last = channel.withLock { $0 }
        // An attempt to connect that has failed is made again when it is wanted, not when libgrpc sees fit.
        if last.connectivityState() == .transientFailure { renew(last) }
        let channel = channel.withLock { $0 }
        do { return try await channel.unary(path: path, request: request, options: options) } catch {
            if (error as? GRPCStatus)?.code == .deadlineExceeded { renew(channel) }
            throw error
        }
    }

    /// Gives up the channel, unless another has already done so. Its calls are left to come to their ends.
    private func renew(_ suspect: Channel?) {
        guard let new = try? make?() else { return }
        channel.withLock { channel in
            if suspect == nil || channel === suspect { channel = new }
        }
    }
}
