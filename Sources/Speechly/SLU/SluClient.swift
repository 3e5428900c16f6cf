import Dispatch
import Foundation
import SpeechlyGRPC
import SpeechlyProto
import SpeechlySync

/// Streams audio to an SLU service over gRPC, and gives its answers to a delegate.
///
/// One stream carries any number of contexts, one after the other. It is opened by ``connect(token:config:)`` and
/// closed when no context has been open for a while. Every method may be called from any thread, the delegate's
/// callbacks included. Messages reach the delegate in one hop from the transport's thread, and audio goes from the
/// caller's thread straight to the transport.
public final class SluClient: SluClientProtocol {
    static let path = "/speechly.slu.v1.SLU/Stream"

    let state: Locked<State>
    /// Where the delegate is called; `nil` for the transport's thread itself.
    let delegateQueue: DispatchQueue?
    let settings: Settings
    let clock: any ClientClock

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - addr: the address of the SLU service, as `GRPCAddress` reads it.
    ///   - delegateQueue: the serial queue on which the delegate is called. The default stands on the system's
    ///     shared threads, so that many clients do not need many threads.
    ///   - allowsPlaintextToken: whether the access token may go over a network in plain text.
    /// - Throws: `GRPCAddress.ParseError`.
    public convenience init(
        addr: String,
        delegateQueue: DispatchQueue = DispatchQueue(
            label: "speechly.SluClient.delegate", target: .global(qos: .userInitiated)),
        allowsPlaintextToken: Bool = false
    ) throws {
        let address = try GRPCAddress(addr: addr)
        var settings = Settings()
        settings.allowsPlaintextToken = allowsPlaintextToken
        self.init(
            channel: try Channel(address: address, configuration: .watchful), delegateQueue: delegateQueue,
            settings: settings, clock: SystemClock(),
            makeChannel: { try Channel(address: address, configuration: .watchful) })
    }

    /// Creates a client over a channel of the caller's. Suspending ends the stream and leaves the channel alone.
    ///
    /// - Parameters:
    ///   - channel: the channel to the SLU service.
    ///   - delegateQueue: the serial queue on which the delegate is called.
    ///   - allowsPlaintextToken: whether the access token may go over a network in plain text.
    public convenience init(
        channel: Channel,
        delegateQueue: DispatchQueue = DispatchQueue(
            label: "speechly.SluClient.delegate", target: .global(qos: .userInitiated)),
        allowsPlaintextToken: Bool = false
    ) {
        var settings = Settings()
        settings.allowsPlaintextToken = allowsPlaintextToken
        self.init(channel: channel, delegateQueue: delegateQueue, settings: settings, clock: SystemClock())
    }

    /// What can be set about a client.
    package struct Settings: Sendable {
        package var connectTimeout = Duration.seconds(10)
        package var idleTimeout = Duration.seconds(30)
        package var logger = Logger.silent
        package var allowsPlaintextToken = false

        package init() {}
    }

    package init(
        channel: Channel, delegateQueue: DispatchQueue?, settings: Settings, clock: any ClientClock,
        makeChannel: (@Sendable () throws -> Channel)? = nil
    ) {
        self.delegateQueue = delegateQueue
        self.settings = settings
        self.clock = clock
        state = Locked(
            State(
                channel: channel, makeChannel: makeChannel,
                machine: SluStreamStateMachine(idleTimeout: settings.idleTimeout)))
    }

    deinit {
        state.withLock { state in
            state.call?.cancel()
            if state.makeChannel != nil { state.channel.close() }
        }
    }

    /// Receives what the service sends. It is held weakly, and may be set at any time.
    public var delegate: SluClientDelegate? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The address of the service.
    package var address: GRPCAddress { state.withLock { $0.channel.address } }

    struct State {
        var channel: Channel
        let makeChannel: (@Sendable () throws -> Channel)?
        var machine: SluStreamStateMachine
        let writer = MessageWriter()
        weak var delegate: SluClientDelegate?
        var call: BidirectionalCall?
        /// Tells the events of this stream from those of older ones.
        var generation = 0
        /// The name of the stream for the one who opened it.
        var streamId: Int?
        /// How the last stream ended, when nobody here asked for it.
        var endStatus: GRPCStatus?
        var isSuspended = false
        var inbox: [Delivery] = []
        var isDraining = false
        var writableCount = 0
        var roomWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var endWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    /// Something for the delegate.
    enum Delivery {
        case response(SLUResponse)
        case badMessage(any Error)
        case end(GRPCStatus, streamId: Int?)
    }
}

/// The buffer that messages are encoded in, again and again. Used under the client's lock.
final class MessageWriter {
    private var writer = ProtoWriter()

    /// Encodes a message and hands its bytes over.
    func encode(
        _ encode: (inout ProtoWriter) -> Void, _ body: (UnsafeRawBufferPointer) -> SendResult
    ) -> SendResult {
        writer.removeAll()
        encode(&writer)
        return writer.withUnsafeBytes(body)
    }
}

/// What a client inside this package wants to know about its streams on top.
package protocol SluStreamObserver: SluClientDelegate {
    /// Called in place of `sluClientDidStopStream` with the name that the stream was opened under.
    func sluClient(_ sluClient: SluClient, didStopStream streamId: Int?, status: GRPCStatus)

    /// The service has sent something that no other method tells of, such as a measurement of the round trip.
    func sluClientDidHearService(_ sluClient: SluClient)
}
