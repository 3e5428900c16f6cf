import Dispatch
import Foundation
import Speechly
import SpeechlySync
import SpeechlyTesting
import TestSupport

/// A client whose microphone the measurement is, and what it has heard.
final class MeasuredClient: Sendable {
    let client: Client
    let recorder = ChaosRecorder()
    private struct State {
        var words: [String] = []
        var changes: [(at: ContinuousClock.Instant, change: ClientStateChange)] = []
        var failures: [Failure] = []
        var final: AudioContext?
    }
    private let state = Locked(State())
    private let reader: Task<Void, Never>

    init(
        _ address: GRPCAddress, identity: any IdentityClientProtocol, cache: ChaosCache,
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = ClientConfiguration()
        configure(&configuration)
        let channelConfiguration = Channel.Configuration(
            connectTimeout: configuration.connectTimeout
        ).forOneAttempt
        let makeChannel = { @Sendable in try Channel(address: address, configuration: channelConfiguration) }
        let slu = SluClient(
            channel: try makeChannel(), delegateQueue: nil, settings: SluClient.Settings(), clock: SystemClock(),
            makeChannel: makeChannel)
        client = try Client(
            appId: ChaosSession.appId, prepareOnInit: false, sluClient: slu, identityClient: identity, cache: cache,
            audioRecorder: recorder,
            delegateDispatchQueue: DispatchQueue(label: "measure", target: .global(qos: .userInitiated)),
            configuration: configuration)
        let events = client.events
        reader = Task { [state] in
            for await event in events {
                state.withLock { state in
                    switch event {
                    case .transcript(_, _, let word) where word.isFinal: state.words.append(word.value)
                    case .stateChanged(let change): state.changes.append((.now, change))
                    case .failure(let failure): state.failures.append(failure)
                    case .contextStopped(let context): state.final = context
                    default: break
                    }
                }
            }
        }
    }

    deinit { reader.cancel() }

    var words: [String] { state.withLock { $0.words } }
    var failures: [Failure] { state.withLock { $0.failures } }
    var final: AudioContext? { state.withLock { $0.final } }
    var isListening: Bool { client.state == .listening }

    /// Lets go of what only grows.
    func forgetChanges() { state.withLock { $0.changes.removeAll() } }

    /// When the client was listening again after a moment; `nil` if it has not been yet.
    func listening(after moment: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        state.withLock { $0.changes.first { $0.at >= moment && $0.change.state == .listening }?.at }
    }
}

enum Measure {
    static func percentile(_ values: [Double], _ share: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
    }

    /// The memory of the process that is in the machine's, in MB.
    static var residentMegabytes: Double {
        let fields = ((try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? "").split(separator: " ")
        return fields.count > 1 ? (Double(fields[1]) ?? 0) * 4096 / 1e6 : 0
    }

    /// The memory that is in use, in MB: without what the allocator keeps for later.
    static var allocatedMegabytes: Double { (try? Heap.allocated()).map { Double($0) / 1e6 } ?? .nan }

    static func count(_ path: String) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }

    static func wait(_ limit: Duration, _ condition: () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return true
    }
}
