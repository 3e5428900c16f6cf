import SpeechlyAudio

/// Hears the audio of one context and says what follows from it.
///
/// Not safe for concurrent use; a context's work is done by one job at a time.
final class ContextDecoder {
    /// The rate recognisers take, in Hz.
    static let sampleRate = 16_000
    /// Audio is heard in pieces of 100 ms, wherever the messages cut it, so that nothing depends on that. What was
    /// probably said is told once a piece, at most, and so depends on nothing but the audio either.
    private static let pieceSize = sampleRate / 10

    private let recognizer: any SpeechRecognizer
    private let options: ContextSettings
    /// How long a silence ends a segment, in milliseconds; 0 for never.
    private let segmentingSilence: Int
    private let resampler: Resampler?
    private var assembler: SegmentAssembler

    private var pending: [Int16] = []
    private var samplesHeard = 0
    private var silence = SilenceMeter()
    /// Where the utterance being recognised begins, in samples of the context.
    private var utteranceStart = 0
    private var lastWords: [RecognizedWord] = []

    /// - Parameters:
    ///   - recognizer: a recogniser for the life of this object.
    ///   - sampleRate: of the audio that comes, in Hz.
    init(
        recognizer: any SpeechRecognizer, interpreter: Interpreter, options: ContextSettings, sampleRate: Int
    ) throws {
        self.recognizer = recognizer
        self.options = options
        var interpreter = interpreter
        if let timeZone = options.timeZone { interpreter.timeZone = timeZone }
        segmentingSilence = options.silenceTriggeredSegmentation ?? interpreter.silenceTriggeredSegmentation
        assembler = SegmentAssembler(interpreter: interpreter, sendsTentativeMeaning: !options.nonStreamingNLU)
        resampler =
            sampleRate == Self.sampleRate
            ? nil : try Resampler(inputRate: Double(sampleRate), outputRate: Double(Self.sampleRate))
        try recognizer.favor(options.vocabulary, bias: options.vocabularyBias)
        try recognizer.begin()
    }

    /// Hears audio: PCM16 little-endian at the stream's rate.
    func hear(_ audio: ArraySlice<UInt8>) throws -> [SegmentMessage] {
        let samples = Self.samples(audio)
        return try hear(resampler.map { $0.process(samples) } ?? samples)
    }

    /// Ends the context and says what stays.
    func finish() throws -> [SegmentMessage] {
        var messages: [SegmentMessage] = []
        if let resampler { messages += try hear(resampler.flush()) }
        if !pending.isEmpty {
            try process(pending)
            pending = []
        }
        return messages + assembler.finalize(placed(try recognizer.end().words))
    }

    private func hear(_ samples: [Int16]) throws -> [SegmentMessage] {
        pending += samples
        var messages: [SegmentMessage] = []
        var position = 0
        while pending.count - position >= Self.pieceSize {
            let piece = pending[position..<position + Self.pieceSize]
            try process(piece)
            if segmentingSilence > 0 { silence.hear(piece) }
            position += Self.pieceSize
            messages += try endSegmentAfterSilence() + tentativeMessages()
        }
        pending.removeFirst(position)
        return messages
    }

    private func process(_ samples: some Collection<Int16>) throws {
        try samples.withContiguousStorageIfAvailable { try recognizer.process($0) }
            ?? Array(samples).withUnsafeBufferPointer { try recognizer.process($0) }
        samplesHeard += samples.count
    }

    private func tentativeMessages() -> [SegmentMessage] {
        let words = placed(recognizer.hypothesis().words)
        guard words != lastWords else { return [] }
        lastWords = words
        return assembler.update(words)
    }

    private func endSegmentAfterSilence() throws -> [SegmentMessage] {
        guard segmentingSilence > 0 else { return [] }
        guard silence.quietMilliseconds >= segmentingSilence,
            !recognizer.hypothesis().words.isEmpty
        else { return [] }
        let final = placed(try recognizer.end().words)
        utteranceStart = samplesHeard
        lastWords = []
        try recognizer.begin()
        return assembler.finalize(final)
    }

    /// Words with times from the context's first sample.
    private func placed(_ words: [RecognizedWord]) -> [RecognizedWord] {
        guard utteranceStart > 0 else { return words }
        let offset = Self.milliseconds(utteranceStart)
        return words.map {
            var word = $0
            word.startTime += offset
            word.endTime += offset
            return word
        }
    }

    private static func milliseconds(_ samples: Int) -> Int { samples * 1000 / sampleRate }

    private static func samples(_ audio: ArraySlice<UInt8>) -> [Int16] {
        var samples = [Int16](repeating: 0, count: audio.count / 2)
        samples.withUnsafeMutableBytes { target in
            audio.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(target.count))) }
        }
        #if _endian(big)
            return samples.map(Int16.init(littleEndian:))
        #else
            return samples
        #endif
    }
}
