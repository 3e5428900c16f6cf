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
        let isTLS = random.chance(driver.tlsPercent)
        if driver.only.map(\.isOfTLS) ?? isTLS { return try await runTLS(seed, &random) }
        // The record of what a server has received only grows.
        if age % 100 == 0 { try renew() }
        age += 1
        var report = ChaosReport(seed: driver.seed)
        guard let server, let proxy, let identity else { return report }
        let faults = plan(&random)
        proxy.plan(faults)
        let before = server.received.streams.count
        let mark = "chaos-\(age)"
        let script = scriptFault(&random, server, &report)
        let outcome = try await ChaosSession(
            seed: seed, address: proxy.address, tls: ClientTLS(), identity: identity, cache: cache,
            sabotage: driver.sabotage, mark: mark
        ).run()
        proxy.resetConnections()
        add(outcome, seed, &report)
        let said = ChaosHearing(Array(server.received.streams[before...]), mark: mark)
        // A script that no stream of the session has come for is not to be the next session's.
        if script, said.streams.isEmpty { age = 0 }
        if !outcome.wasEnded {
            for problem in said.problems(spoken: outcome.spoken, isWhole: outcome.failed == 0) {
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
        if let only = driver.only, Fault.Kind(rawValue: only.rawValue) == nil { return [] }
        return (0..<random.int(0...3)).map { number in
            while true {
                let fault = fault(number, &random)
                guard let only = driver.only, ChaosFault(fault.kind) != only else { return fault }
            }
        }
    }

    private func fault(_ number: Int, _ random: inout ChaosRandom) -> Fault {
        // A connection says some 500 bytes before audio, and 350 with every word.
        let bytes = random.int(0...6000)
        switch random.int(number == 0 && driver.only == nil && random.chance(70) ? 3...19 : 0...19) {
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

    /// Has the service end the next stream in a way of its own.
    private func scriptFault(
        _ random: inout ChaosRandom, _ server: MockSpeechlyServer, _ report: inout ChaosReport
    ) -> Bool {
        let trigger = StreamScript.Trigger.audio(random.int(1...3000))
        let codes: [GRPCStatus.Code] = [.unavailable, .internal, .unknown, .aborted, .cancelled, .ok]
        let fault: ChaosFault
        let action: StreamScript.Action
        switch driver.only.map(\.scriptNumber) ?? random.int(0...29) {
        case 0, 1:
            fault = .status
            action = .end(GRPCStatus(code: codes.randomElement(using: &random) ?? .unavailable, message: "chaos"))
        case 2:
            fault = .refusedToken
            action = .end(GRPCStatus(code: .permissionDenied, message: "chaos"))
        case 3:
            fault = .resetStream
            action = .reset
        default: return false
        }
        server.scriptStream(
            StreamScript.dictation(wordBytes: ChaosSpeech.wordBytes, wordsPerSegment: 3).on(trigger, action))
        report.faults[fault.rawValue, default: 0] += 1
        return true
    }

    private func runTLS(_ seed: UInt64, _ random: inout ChaosRandom) async throws -> ChaosReport {
        let kinds: [(ChaosFault, Certificates.Pair)] = [
            (.slowTLS, certificates.server), (.wrongName, certificates.wrongName), (.expired, certificates.expired),
            (.selfSigned, certificates.selfSigned),
        ]
        let number = random.int(0...3)
        let (fault, pair) = kinds.first { $0.0 == driver.only } ?? kinds[number]
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
                channel: try Channel(
                    address: proxy.address, configuration: Channel.Configuration(tls: tls).forOneAttempt)),
            cache: ChaosCache())
        let outcome = try await ChaosSession(
            seed: seed, address: proxy.address, tls: tls, identity: identity, cache: ChaosCache(),
            sabotage: driver.sabotage, mark: "chaos"
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
}
