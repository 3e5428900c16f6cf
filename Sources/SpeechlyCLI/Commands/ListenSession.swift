import Foundation
import Speechly
import SpeechlySync

/// The microphone on its way through the client, and its events on their way to standard output.
final class ListenSession: Sendable {
    private enum Input: Sendable {
        case event(ClientEvent)
        case level(AudioLevel)
        /// The context could not be started.
        case refused(any Error)
        /// The detector has ended, and so have its contexts.
        case settled
    }

    private struct Progress {
        var isStopping = false
        /// Pieces of speech, and the contexts that have come to their end.
        var opened = 0
        var ended = 0
        var hasFailed = false
        var printed: Set<String> = []
    }

    private let client: Client
    private let appId: String?
    private let options: ContextOptions
    private let device: String
    /// Whether the voice activity detector opens and closes contexts.
    private let usesDetector: Bool
    private let showsMeter: Bool
    private let output: StandardStream
    private let error: StandardStream
    private let progress = Locked(Progress())

    init(
        client: Client, appId: String?, options: ContextOptions, device: String, usesDetector: Bool, showsMeter: Bool,
        output: StandardStream, error: StandardStream
    ) {
        self.client = client
        self.appId = appId
        self.options = options
        self.device = device
        self.usesDetector = usesDetector
        self.showsMeter = showsMeter
        self.output = output
        self.error = error
    }

    /// Ends listening, with the microphone's tail. Any thread.
    func stop() {
        progress.withLock { $0.isStopping = true }
        if usesDetector { client.vad.stop() } else { client.stopContext() }
    }

    /// Listens until it is stopped, and prints what comes; in the end, how much of it was lost.
    func run(_ transcript: any TranscriptFormat) async throws(CommandFailure) -> ExitStatus {
        var format = transcript
        let status = try await listen(&format)
        // Levels come until the microphone is closed, after the last result too.
        for line in format.interruption() { try output.write(line) }
        let lost = client.lostAudio
        if lost.gaps > 0 {
            let seconds = String(format: "%.3f", lost.duration / .seconds(1))
            let gaps = lost.gaps == 1 ? "1 gap" : "\(lost.gaps) gaps"
            try print(errorLine(device, "audio was lost: \(gaps), \(seconds) s in all"), &format)
        }
        return status
    }

    private func listen(_ format: inout any TranscriptFormat) async throws(CommandFailure) -> ExitStatus {
        let start = ContinuousClock.now
        let inputs = EventQueue<Input>()
        let tasks = feed(inputs)
        defer {
            client.observe(nil)
            inputs.finish()
            tasks.forEach { $0.cancel() }
        }
        while let input = await inputs.next() {
            switch input {
            case .level(let level): for line in format.lines(level) { try output.write(line) }
            case .event(let received):
                for line in format.lines(received, at: .now - start) { try output.write(line) }
                try note(received, &format)
                if case .contextStopped = received, !usesDetector { return status }
            case .refused(let reason):
                let failure = reason as? Failure ?? Failure(code: .audioFailed, side: .audio, what: "\(reason)")
                try report(failure, &format)
                return .failed
            case .settled: return status
            }
        }
        return status
    }

    private var status: ExitStatus { progress.withLock { $0.hasFailed ? .failed : .done } }

    private func note(_ event: ClientEvent, _ format: inout any TranscriptFormat) throws(CommandFailure) {
        switch event {
        case .failure(let failure): try report(failure, &format)
        case .warning(let warning): try print(errorLine(device, warning.description), &format)
        case .contextStopped: progress.withLock { $0.ended += 1 }
        case .speechStarted: progress.withLock { $0.opened += 1 }
        default: break
        }
    }

    private func report(_ failure: Failure, _ format: inout any TranscriptFormat) throws(CommandFailure) {
        let isNew = progress.withLock { progress in
            // Audio that is missing is said, and the rest is heard.
            if failure.code != .audioLost {
                progress.hasFailed = true
                if failure.contextId == nil { progress.ended += 1 }
            }
            return progress.printed.insert(failure.description).inserted
        }
        if isNew { try print(errorLine(failure.side == .audio ? device : "", failure.description), &format) }
    }

    private func print(_ line: String, _ format: inout any TranscriptFormat) throws(CommandFailure) {
        for line in format.interruption() { try output.write(line) }
        try error.writeLine(line)
    }

    // MARK: What comes

    /// Lets everything that comes go into the queue. The microphone does not wait for the printer: its audio is heard
    /// as it comes, and the results of it wait.
    private func feed(_ inputs: EventQueue<Input>) -> [Task<Void, Never>] {
        // Before anything starts, so that no event is missed.
        client.observe { inputs.push(.event($0)) }
        let levels = showsMeter ? client.levels : nil
        return [
            Task {
                guard let levels else { return }
                for await level in levels { inputs.offer(.level(level)) }
            },
            Task { await start(inputs) },
        ]
    }

    private func start(_ inputs: EventQueue<Input>) async {
        guard usesDetector else {
            do {
                if progress.withLock({ $0.isStopping }) { throw CancellationError() }
                _ = try await client.start(appId: appId, options: options)
            } catch { inputs.push(.refused(error)) }
            return
        }
        client.vad.start(appId: appId, options: options)
        // A signal may have come before there was anything to stop.
        if progress.withLock({ $0.isStopping }) { client.vad.stop() }
        // The end of the detector is no event of its own.
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(50))
            guard !client.vad.isListening else { continue }
            if progress.withLock({ $0.ended >= $0.opened }) { return inputs.push(.settled) }
        }
    }
}
