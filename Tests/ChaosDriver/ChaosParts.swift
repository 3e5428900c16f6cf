import Foundation
import Speechly
import SpeechlySync

/// A generator with a seed.
struct ChaosRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}

/// Words as audio, as a dictating server hears them.
enum ChaosSpeech {
    /// 10 ms, so that times in whole milliseconds say where a word is.
    static let wordBytes = 320

    static func audio(_ word: Int) -> [UInt8] {
        [UInt8(word & 0xFF), UInt8(word >> 8 & 0xFF)] + [UInt8](repeating: 0x22, count: wordBytes - 2)
    }
}

/// A recorder whose microphone the driver is.
final class ChaosRecorder: AudioRecorderProtocol, Sendable {
    private struct State {
        weak var delegate: AudioRecorderDelegate?
        var isRecording = false
        var recordings = 0
    }

    let sampleRate = 16000.0
    let channels: UInt32 = 1
    private let state = Locked(State())

    var delegate: AudioRecorderDelegate? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// How many recordings have ended, and their ends been reported.
    var recordings: Int { state.withLock { $0.recordings } }

    func start() throws { state.withLock { $0.isRecording = true } }
    func stop() { end() }
    func suspend() throws { end() }
    func resume() throws {}

    private func end() {
        let was = state.withLock { state in
            defer { state.isRecording = false }
            return state.isRecording
        }
        guard was else { return }
        delegate?.audioRecorderDidStop(self)
        state.withLock { $0.recordings += 1 }
    }

    func push(_ bytes: [UInt8]) { delegate?.audioRecorderDidReceiveData(self, audioData: Data(bytes)) }
}

/// A file of words.
final class ChaosSource: AudioSource, Sendable {
    let sampleRate = 16000.0
    let channels: UInt32 = 1
    private let chunks: Locked<[[UInt8]]>

    init(_ chunks: [[UInt8]]) { self.chunks = Locked(chunks) }

    func nextChunk() async throws -> Data? {
        chunks.withLock { $0.isEmpty ? nil : Data($0.removeFirst()) }
    }

    func stop() { chunks.withLock { $0.removeAll() } }
}

/// A cache that lasts as long as the run.
final class ChaosCache: CacheProtocol, Sendable {
    private let values = Locked<[String: String]>([:])

    func setValue(_ value: String, forKey key: String) { values.withLock { $0[key] = value } }
    func getValue(forKey key: String) -> String? { values.withLock { $0[key] } }
    func removeValue(forKey key: String) { values.withLock { $0[key] = nil } }
}

/// Writes down all that a client says, in order, and whether it still speaks when it is gone.
final class ChaosLog: SpeechlyDelegate, Sendable {
    enum Entry: Sendable {
        case started
        case stopped
        case word(contextId: String, String)
        case segment(Segment)
        case error(SpeechlyError)
    }

    private struct State {
        var entries: [Entry] = []
        var isGone = false
        var callbacksAfterEnd = 0
    }

    private let state = Locked(State())

    var entries: [Entry] { state.withLock { $0.entries } }
    var callbacksAfterEnd: Int { state.withLock { $0.callbacksAfterEnd } }
    func clientIsGone() { state.withLock { $0.isGone = true } }

    private func log(_ entry: Entry) {
        state.withLock { state in
            state.entries.append(entry)
            if state.isGone { state.callbacksAfterEnd += 1 }
        }
    }

    func speechlyClientDidCatchError(_ client: SpeechlyProtocol, error: SpeechlyError) { log(.error(error)) }
    func speechlyClientDidStartContext(_ client: SpeechlyProtocol) { log(.started) }
    func speechlyClientDidStopContext(_ client: SpeechlyProtocol) { log(.stopped) }
    func speechlyClientDidUpdateSegment(_ client: SpeechlyProtocol, segment: Segment) { log(.segment(segment)) }
    func speechlyClientDidReceiveTranscript(
        _ client: SpeechlyProtocol, contextId: String, segmentId: Int, transcript: Transcript
    ) {
        if transcript.isFinal { log(.word(contextId: contextId, transcript.value)) }
    }
}
