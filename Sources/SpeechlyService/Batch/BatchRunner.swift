import Foundation
import SpeechlyAudio
import SpeechlyProto

/// Hears the file of one batch job: the words alone, since a batch has no intents and entities.
struct BatchRunner: Sendable {
    /// A pause ends an utterance, so that an hour of audio is not one.
    private static let segmentingSilence = 1_000

    let environment: SLUEnvironment

    /// Hears a file.
    /// - Parameter started: called when a recogniser is free.
    /// - Returns: the words, and how long the audio is, in seconds.
    func run(
        _ path: String, _ application: Application, started: @Sendable () -> Void
    ) async throws -> (words: [BatchTranscript], seconds: Double) {
        let file = try AudioFile(path: path, chunk: .seconds(1))
        let lease = await withCheckedContinuation { continuation in
            environment.pool.request(application.recognizers) { continuation.resume(returning: $0) }
        }
        started()
        var interpreter = Interpreter(configuration: nil)
        interpreter.silenceTriggeredSegmentation = application.interpreter.silenceTriggeredSegmentation
        if interpreter.silenceTriggeredSegmentation == 0 {
            interpreter.silenceTriggeredSegmentation = Self.segmentingSilence
        }
        let work = Work(lease: lease, interpreter: interpreter)
        var bytes = 0
        do {
            // Each second takes its turn among those of the streams.
            while let chunk = try await file.nextChunk() {
                bytes += chunk.count
                try await onWorker { try work.hear(Array(chunk)) }
            }
            let words = try await onWorker { try work.finish() }
            return (words, Double(bytes / 2) / Double(ContextDecoder.sampleRate))
        } catch {
            work.discard()
            throw error
        }
    }

    private func onWorker<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            environment.workers.run { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Sendable: its calls follow one another, on one thread at a time.
    private final class Work: @unchecked Sendable {
        private var words: [BatchTranscript] = []
        private let lease: RecognizerPool.Lease
        private let interpreter: Interpreter
        private var decoder: ContextDecoder?

        init(lease: RecognizerPool.Lease, interpreter: Interpreter) {
            self.lease = lease
            self.interpreter = interpreter
        }

        func hear(_ audio: [UInt8]) throws {
            let decoder = try self.decoder ?? makeDecoder()
            self.decoder = decoder
            keep(try decoder.hear(audio[...]))
        }

        /// Returns all words.
        func finish() throws -> [BatchTranscript] {
            keep(try decoder?.finish() ?? [])
            decoder = nil
            return words
        }

        func discard() { lease.discard() }

        private func makeDecoder() throws -> ContextDecoder {
            try ContextDecoder(
                recognizer: lease.recognizer(), interpreter: interpreter, options: ContextSettings(),
                sampleRate: ContextDecoder.sampleRate)
        }

        private func keep(_ messages: [SegmentMessage]) {
            for message in messages {
                guard case .transcript(let word) = message.content else { continue }
                words.append(
                    BatchTranscript(
                        word: word.word, index: Int32(clamping: words.count), startTime: word.startTime,
                        endTime: word.endTime))
            }
        }
    }
}
