import Foundation

/// The state of a ``PushAudioSource``: converted audio that waits for its reader, and who waits for whom.
struct PushBuffer {
    private(set) var isFinished = false
    /// Whether a reader has been told that nothing more comes.
    var hasToldEnd = false

    private let resampler: Resampler
    private let format: AudioSampleFormat
    private let output: AudioOutputFormat
    private let limit: Int
    /// Bytes of a sample that was cut.
    private var partial = Data()
    private var buffer = ByteQueue()

    private struct Writer {
        var continuation: CheckedContinuation<Void, Never>
        var id: Int
        /// How much room it waits for, in converted bytes.
        var size: Int
    }
    private var readers: [CheckedContinuation<Void, Never>] = []
    private var writers: [Writer] = []
    private var lastWriterID = 0

    init(resampler: Resampler, format: AudioSampleFormat, output: AudioOutputFormat, limit: Int) {
        self.resampler = resampler
        self.format = format
        self.output = output
        // What is pushed in pieces of a chunk must fit sooner or later; what becomes of a piece is reckoned a frame too long.
        self.limit = max(limit, output.bytesPerChunk + 2 * output.channels)
    }

    // MARK: Audio

    mutating func push(_ bytes: UnsafeRawBufferPointer) -> PushAudioSource.PushResult {
        if isFinished { return .finished }
        let size = outputSize(of: bytes.count)
        if size > limit { return .tooLarge }
        if buffer.count + size > limit { return .full }
        var whole = UnsafeRawBufferPointer(rebasing: bytes[...])
        if !partial.isEmpty {
            let missing = min(format.bytesPerSample - partial.count, whole.count)
            partial.append(contentsOf: whole[..<missing])
            whole = UnsafeRawBufferPointer(rebasing: whole[missing...])
            guard partial.count == format.bytesPerSample else { return .accepted }
            partial.withUnsafeBytes { bytes in buffer.append { resampler.process(bytes, as: format, into: &$0) } }
            partial.removeAll()
        }
        let rest = whole.count % format.bytesPerSample
        partial.append(contentsOf: whole[(whole.count - rest)...])
        whole = UnsafeRawBufferPointer(rebasing: whole.dropLast(rest))
        buffer.append { resampler.process(whole, as: format, into: &$0) }
        return .accepted
    }

    mutating func take() -> Data? {
        buffer.isEmpty ? nil : buffer.take(atMost: output.bytesPerChunk)
    }

    mutating func finish() {
        if isFinished { return }
        isFinished = true
        buffer.append { resampler.flush(into: &$0) }
    }

    /// At most how many bytes `count` pushed bytes become.
    private func outputSize(of count: Int) -> Int {
        let frames = Double(count) / Double(format.bytesPerSample * resampler.inputChannels)
        return (Int((frames * output.sampleRate / resampler.inputRate).rounded(.up)) + 1) * 2 * output.channels
    }

    /// About how many pushed bytes become `count` bytes, and less than that.
    func inputSize(of count: Int) -> Int {
        let frames = max(1, count / 2 / output.channels - 2)
        let inputFrames = max(1, Int(Double(frames) * resampler.inputRate / output.sampleRate))
        return inputFrames * format.bytesPerSample * resampler.inputChannels
    }

    // MARK: Waiting

    mutating func addReader(_ continuation: CheckedContinuation<Void, Never>) {
        readers.append(continuation)
    }

    mutating func makeWriterID() -> Int {
        lastWriterID += 1
        return lastWriterID
    }

    mutating func addWriter(_ continuation: CheckedContinuation<Void, Never>, id: Int, count: Int) {
        writers.append(Writer(continuation: continuation, id: id, size: outputSize(of: count)))
    }

    mutating func releaseWriter(_ id: Int) {
        for index in writers.indices where writers[index].id == id { writers[index].size = 0 }
    }

    /// Removes everyone who need wait no longer. The result wakes them, and is to be called without the lock.
    mutating func takeResumptions() -> @Sendable () -> Void {
        var ready: [CheckedContinuation<Void, Never>] = []
        if isFinished || !buffer.isEmpty {
            ready = readers
            readers = []
        }
        let room = limit - buffer.count
        let isReady = { [isFinished] (writer: Writer) in isFinished || writer.size == 0 || writer.size <= room }
        ready += writers.filter { isReady($0) }.map(\.continuation)
        writers.removeAll { isReady($0) }
        return { [ready] in ready.forEach { $0.resume() } }
    }
}
