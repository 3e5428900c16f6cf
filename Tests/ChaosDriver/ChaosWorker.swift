import Foundation
import Speechly
import SpeechlyTesting
import TestSupport

/// Runs one session after the other, with a server and a proxy of its own.
final class ChaosWorker {
    private let driver: ChaosDriver
    private let certificates: Certificates
    private let cache = ChaosCache()
    private var server: MockSpeechlyServer?
    private var proxy: FaultProxy?
    private var identity: (any IdentityClientProtocol)?
    private var age = 0
    private var seen: [Fault.Kind: Int] = [:]

    init(driver: ChaosDriver, certificates: Certificates) {
        self.driver = driver
        self.certificates = certificates
    }

    func run(_ seed: UInt64) async throws -> ChaosReport {
        var random = ChaosRandom(seed: seed ^ 0xC0FF_EE00)
        if random.chance(driver.tlsPercent) { return try await runTLS(seed, &random) }
        // The record of what a server has received only grows.
        if age % 100 == 0 { try renew() }
        age += 1
        var report = ChaosReport(seed: driver.seed)
        guard let server, let proxy, let identity else { return report }
        let faults = plan(&random)
        proxy.plan(faults)
        let before = server.received.streams.count
        let script = scriptFault(&random, server, &report)
        let outcome = try await ChaosSession(
            seed: seed, address: proxy.address, tls: ClientTLS(), identity: identity, cache: cache,
            sabotage: driver.sabotage
        ).run()
        proxy.resetConnections()
        add(outcome, seed, &report)
        // A script that no stream has come for is not to be the next session's.
        if script, server.received.streams.count == before { age = 0 }
        if !outcome.wasEnded {
            let streams = server.received.streams[before...]
            for problem in compare(Array(streams), outcome) {
                report.violations.append(.init(session: seed, what: problem))
            }
        }
        count(&report)
        return report
    }

    func close() -> ChaosReport {
        var report = ChaosReport(seed: driver.seed)
        count(&report)
        server?.stop()
        proxy?.stop()
        return report
    }

    private func renew() throws {
        server?.stop()
        proxy?.stop()
        seen = [:]
        let server = try MockSpeechlyServer(
            defaultStream: .dictation(wordBytes: ChaosSpeech.wordBytes, wordsPerSegment: 3))
        self.server = server
        proxy = try FaultProxy(to: server.address)
        identity = CachingIdentityClient(
            baseClient: IdentityClient(channel: try Channel(address: server.address)), cache: cache)
    }

    private func plan(_ random: inout ChaosRandom) -> [Fault] {
        (0..<random.int(0...3)).map {
            // A connection says some 500 bytes before audio, and 350 with every word.
            let bytes = random.int(0...6000)
            switch random.int($0 == 0 && random.chance(70) ? 3...19 : 0...19) {
            case 0, 1: return .refuse
            case 2: return .stall
            case 3...6: return .cut(after: bytes)
            case 7...10: return .reset(after: bytes)
            case 11: return .hang(after: bytes)
            case 12: return .delay(.milliseconds(random.int(1...30)))
            case 13: return .throttle(bytesPerSecond: random.int(20_000...200_000))
            case 14, 15: return .halfClose(after: bytes)
            case 16, 17: return .garbage(after: bytes, seed: random.next())
            default: return .none
            }
        }
    }

    /// Has the service end the next stream in a way of its own.
    private func scriptFault(
        _ random: inout ChaosRandom, _ server: MockSpeechlyServer, _ report: inout ChaosReport
    ) -> Bool {
        let speech = StreamScript.dictation(wordBytes: ChaosSpeech.wordBytes, wordsPerSegment: 3)
        let trigger = StreamScript.Trigger.audio(random.int(1...3000))
        let codes: [GRPCStatus.Code] = [.unavailable, .internal, .unknown, .aborted, .cancelled, .ok]
        switch random.int(0...29) {
        case 0, 1:
            let code = codes.randomElement(using: &random) ?? .unavailable
            server.scriptStream(speech.on(trigger, .end(GRPCStatus(code: code, message: "chaos"))))
            report.faults[ChaosFault.status.rawValue, default: 0] += 1
        case 2:
            server.scriptStream(speech.on(trigger, .end(GRPCStatus(code: .permissionDenied, message: "chaos"))))
            report.faults[ChaosFault.refusedToken.rawValue, default: 0] += 1
        case 3:
            server.scriptStream(speech.on(trigger, .reset))
            report.faults[ChaosFault.resetStream.rawValue, default: 0] += 1
        default: return false
        }
        return true
    }

    private func runTLS(_ seed: UInt64, _ random: inout ChaosRandom) async throws -> ChaosReport {
        let kinds: [(ChaosFault, Certificates.Pair)] = [
            (.slowTLS, certificates.server), (.wrongName, certificates.wrongName), (.expired, certificates.expired),
            (.selfSigned, certificates.selfSigned),
        ]
        let (fault, pair) = kinds[random.int(0...3)]
        let server = try MockSpeechlyServer(
            defaultStream: .dictation(wordBytes: ChaosSpeech.wordBytes, wordsPerSegment: 3),
            tls: ServerTLS(certificateChainPEM: pair.certificate, privateKeyPEM: pair.key))
        defer { server.stop() }
        let proxy = try FaultProxy(to: server.address)
        defer { proxy.stop() }
        if fault == .slowTLS { proxy.plan([], then: .dribble(first: 60, pause: .milliseconds(1))) }
        let tls = ClientTLS(rootsPEM: certificates.authority)
        let identity = CachingIdentityClient(
            baseClient: IdentityClient(
                channel: try Channel(address: proxy.address, configuration: .init(tls: tls, ownConnection: true))),
            cache: ChaosCache())
        let outcome = try await ChaosSession(
            seed: seed, address: proxy.address, tls: tls, identity: identity, cache: ChaosCache(),
            sabotage: driver.sabotage
        ).run()
        var report = ChaosReport(seed: driver.seed)
        add(outcome, seed, &report)
        report.faults[fault.rawValue, default: 0] += 1
        if fault != .slowTLS, !server.received.logins.isEmpty || !server.received.streams.isEmpty {
            report.violations.append(.init(session: seed, what: "a server with a bad certificate was talked to"))
        }
        if fault != .slowTLS, outcome.completed > 0 {
            report.violations.append(.init(session: seed, what: "a context of a server with a bad certificate"))
        }
        return report
    }

    private func add(_ outcome: ChaosSession.Outcome, _ seed: UInt64, _ report: inout ChaosReport) {
        report.sessions += 1
        report.contexts += outcome.contexts
        report.completed += outcome.completed
        report.failed += outcome.failed
        report.words += outcome.words
        report.violations += outcome.violations.map { .init(session: seed, what: $0) }
    }

    /// Counts the faults that have shown since the last time.
    private func count(_ report: inout ChaosReport) {
        guard let injected = proxy?.injected else { return }
        for (kind, number) in injected {
            guard let fault = ChaosFault(kind) else { continue }
            report.faults[fault.rawValue, default: 0] += number - (seen[kind] ?? 0)
        }
        seen = injected
    }

    /// What the service got: by the rules, nothing that was not said, and in the last attempt of each context all
    /// audio from some word on, once.
    private func compare(_ streams: [Received.Stream], _ outcome: ChaosSession.Outcome) -> [String] {
        // To a server, a connection that is cut within a message looks like the client's last word.
        var problems = streams.flatMap(\.violations).filter { $0 != "half-close within a context" }
            .map { "the service complains: \($0)" }
        var last: [Int: [UInt8]] = [:]
        let all = outcome.spoken.map { $0.flatMap(ChaosSpeech.audio) }
        for context in streams.flatMap(\.contexts) where !context.audio.isEmpty {
            let first = Int(context.audio[0]) | Int(context.audio[1]) << 8
            guard let owner = outcome.spoken.firstIndex(where: { $0.contains(first) }) else {
                problems.append("audio that was never said: word \(first)")
                continue
            }
            let start = (first - outcome.spoken[owner][0]) * ChaosSpeech.wordBytes
            if !all[owner][start...].starts(with: context.audio) {
                problems.append("audio of start \(owner + 1) from word \(first) is not what was said")
            }
            if context.isStopped { last[owner] = context.audio }
        }
        guard outcome.failed == 0 else { return problems }
        for (owner, audio) in last where all[owner].suffix(audio.count) != audio[...] {
            problems.append("the last attempt of start \(owner + 1) does not hold the audio to its end")
        }
        return problems
    }
}
