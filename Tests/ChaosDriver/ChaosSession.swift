import Dispatch
import Foundation
import Speechly
import SpeechlySync
import SpeechlyTesting

/// The life of one client, among faults: a plan made by a seed.
struct ChaosSession {
    let seed: UInt64
    let address: GRPCAddress
    let tls: ClientTLS
    let identity: any IdentityClientProtocol
    let cache: ChaosCache
    let sabotage: ChaosSabotage?
    /// What the session's streams say in their configuration, so that they are not taken for another session's.
    let mark: String

    static let appId = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x40, 8, 0x80, 10, 11, 12, 13, 14, 15, 16))

    struct Outcome {
        var contexts = 0
        /// Starts that join what is under way, or are starts of their own if that has just failed.
        var joins = 0
        var completed = 0
        var failed = 0
        var words = 0
        var spoken: [[Int]] = []
        var wasEnded = false
        var violations: [String] = []
    }

    private func makeClient(_ recorder: ChaosRecorder) throws -> Client {
        var configuration = ClientConfiguration()
        configuration.connectTimeout = .milliseconds(400)
        configuration.startTimeout = .milliseconds(1500)
        configuration.finishTimeout = .milliseconds(1500)
        configuration.contextLimit = nil
        configuration.languageCode = mark
        let address = address
        let channelConfiguration = Channel.Configuration(
            tls: tls, connectTimeout: configuration.connectTimeout
        ).forOneAttempt
        let makeChannel = { @Sendable in try Channel(address: address, configuration: channelConfiguration) }
        var settings = SluClient.Settings()
        settings.connectTimeout = configuration.connectTimeout
        let slu = SluClient(
            channel: try makeChannel(), delegateQueue: nil, settings: settings, clock: SystemClock(),
            makeChannel: makeChannel)
        return try Client(
            appId: Self.appId, prepareOnInit: false, sluClient: slu, identityClient: identity, cache: cache,
            audioRecorder: recorder,
            delegateDispatchQueue: DispatchQueue(label: "chaos", target: .global(qos: .userInitiated)),
            configuration: configuration)
    }

    /// Runs the session to its end.
    func run() async throws -> Outcome {
        var random = ChaosRandom(seed: seed)
        var outcome = Outcome()
        let recorder = ChaosRecorder()
        let checker = ChaosChecker(sabotage: sabotage)
        let log = ChaosLog()
        var client: Client? = try makeClient(recorder)
        weak let released = client
        client?.delegate = log
        let events = client?.events
        let reader = Task { if let events { for await event in events { checker.take(event) } } }
        var word = 1
        for _ in 0..<random.int(1...3) {
            guard let client else { break }
            await step(client, recorder, &random, &word, &outcome)
            if random.chance(8) { break }
        }
        // One in eight clients is released in the middle of it.
        if random.chance(87) {
            let expected = outcome.contexts
            if !(await wait(seconds: 30) { checker.ended >= expected }) {
                checker.note("stuck: \(checker.ended) of \(expected) starts have ended; state \(client?.state as Any)")
            }
            if checker.ended > expected + outcome.joins { checker.note("\(checker.ended) ends for \(expected) starts") }
        } else {
            outcome.wasEnded = true
        }
        client = nil
        if !(await wait(seconds: 10) { released == nil }) { checker.note("the client lives on after its release") }
        log.clientIsGone()
        await reader.value
        checker.compare(spoken: outcome.spoken, wasEnded: outcome.wasEnded)
        if log.callbacksAfterEnd > 0 { checker.note("\(log.callbacksAfterEnd) callbacks after the client was gone") }
        outcome.completed = checker.completed
        outcome.failed = checker.failed
        outcome.words = checker.words
        outcome.violations += checker.violations
        return outcome
    }

    private func step(
        _ client: Client, _ recorder: ChaosRecorder, _ random: inout ChaosRandom, _ word: inout Int,
        _ outcome: inout Outcome
    ) async {
        let words = (0..<random.int(0...12)).map { word + $0 }
        word += words.count
        outcome.contexts += 1
        outcome.spoken.append(words)
        if random.chance(25) {
            let chunks = random.chance(50) ? words.map(ChaosSpeech.audio) : [words.flatMap(ChaosSpeech.audio)]
            _ = try? await client.transcribe(ChaosSource(chunks.filter { !$0.isEmpty }))
            return
        }
        let recordings = recorder.recordings + 1
        client.startContext()
        // The same app joins what is under way.
        if random.chance(10) {
            client.startContext()
            outcome.joins += 1
        }
        for (number, word) in words.enumerated() {
            if random.chance(20) { try? await Task.sleep(for: .microseconds(random.int(100...3000))) }
            if sabotage == .losesAudio, number % 5 == 2 { continue }
            recorder.push(ChaosSpeech.audio(word))
        }
        if random.chance(6) {
            outcome.wasEnded = true
            client.suspend()
            _ = await wait(seconds: 10) { recorder.recordings >= recordings }
            try? client.resume()
            return
        }
        client.stopContext()
        if random.chance(10) { client.stopContext() }
        // What a recorder says about its stop has to be its own.
        _ = await wait(seconds: 10) { recorder.recordings >= recordings }
    }

    private func wait(seconds: Int, _ condition: () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !condition() {
            guard ContinuousClock.now < deadline else { return false }
            try? await Task.sleep(for: .microseconds(500))
        }
        return true
    }
}
