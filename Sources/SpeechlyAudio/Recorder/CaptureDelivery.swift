import CALSA
import Foundation
import SpeechlySync

/// Converts captured audio and tells a recorder's delegate, in order, on the queue the host chose.
final class CaptureDelivery: Sendable {
    /// What the delegate is told.
    enum Message: Sendable {
        case audio(Data)
        case level(AudioLevel)
        case lost(TimeInterval)
        case warning(AudioRecorderWarning)
        case availability(Bool)
        case restarted
        case stopped
        case failed(AudioRecorder.AudioRecorderError)
    }

    private enum Item {
        case stream(CaptureStream)
        case failure(AudioRecorder.AudioRecorderError)
    }

    private struct State {
        var items: [Item] = []
        /// Whether there is a thread that sees to the items.
        var hasThread = false
        /// What is to be told next.
        var batch: [Message] = []
        var lost = LostAudio()
    }

    /// How much is converted before the delegate takes it; the rest stays in the ring meanwhile.
    private static let longestBatch = 40
    /// The longest gap that is filled with silence, in seconds: what was missing for longer is not about speech.
    private static let longestSilence = 60.0

    private let state = Locked(State())
    private let news: WakeDescriptor
    private let audioQueue: DispatchQueue
    private let queue: DispatchQueue
    private let receiver = Locked(Receiver())

    private struct Receiver {
        // In a struct: a bare closure in a generic type is wrapped once more each time that it is looked at.
        var take: (@Sendable ([Message]) -> Void)?
    }

    /// - Parameters:
    ///   - audioQueue: Where audio is converted.
    ///   - delegateQueue: Where the receiver is called.
    init(audioQueue: DispatchQueue, delegateQueue: DispatchQueue) throws(SystemError) {
        news = try WakeDescriptor(waits: true)
        self.audioQueue = audioQueue
        // Serial, also where the host's queue is not.
        queue = DispatchQueue(label: "com.speechly.AudioRecorder.delivery", target: delegateQueue)
    }

    /// Sets who is told, with all that there is to tell at a time.
    func start(_ receiver: @escaping @Sendable ([Message]) -> Void) {
        self.receiver.withLock { $0.take = receiver }
    }

    /// How much has been reported as lost so far.
    var lost: LostAudio { state.withLock { $0.lost } }

    /// Says that there is something new. Capture thread: neither waits nor allocates.
    func signal() { news.signal() }

    /// Adds a stream behind those there are.
    func add(_ stream: CaptureStream) { add(.stream(stream)) }

    /// Adds a recording that came to nothing.
    func add(failure: AudioRecorder.AudioRecorderError) { add(.failure(failure)) }

    private func add(_ item: Item) {
        let isFirst = state.withLock { state in
            state.items.append(item)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isFirst else { return signal() }
        Thread { [self] in run() }.start()
    }

    // MARK: On a thread of its own

    /// Delivers until there is nothing more to come. The queues are used from here, and so are idle but for what the
    /// host does on them: to wake a thread of theirs for each piece would cost more than all that is done with it.
    private func run() {
        spa_name_thread("speechly-audio")
        while true {
            let isEmpty = audioQueue.sync { drain() }
            let batch = state.withLock { state in
                defer { state.batch.removeAll(keepingCapacity: true) }
                return state.batch
            }
            if !batch.isEmpty { queue.sync { tell(batch) } }
            guard isEmpty else { continue }
            let isOver = state.withLock { state in
                if state.items.isEmpty { state.hasThread = false }
                return state.items.isEmpty
            }
            if isOver { return }
            news.clear()
        }
    }

    private func tell(_ messages: [Message]) { receiver.withLock { $0.take }?(messages) }

    // MARK: On the audio queue

    /// Converts what there is, up to a batch. Returns whether there is no more.
    private func drain() -> Bool {
        while true {
            let (item, isFull) = state.withLock { ($0.items.first, $0.batch.count >= Self.longestBatch) }
            if isFull { return false }
            switch item {
            case nil:
                return true
            case .failure(let error):
                state.withLock { _ = $0.items.removeFirst() }
                send(.failed(error))
                send(.stopped)
            case .stream(let stream):
                if !advance(stream) { return true }
            }
        }
    }

    /// Delivers the next piece or event of a stream. Returns `false` when there is none yet.
    private func advance(_ stream: CaptureStream) -> Bool {
        if stream.silence > 0 {
            let bytesPerFrame = stream.parameters.bytesPerFrame
            let frames = min(stream.silence, stream.silentPiece.count / bytesPerFrame)
            stream.silence -= frames
            stream.silentPiece.withUnsafeBytes {
                convert(UnsafeRawBufferPointer(rebasing: $0[..<(frames * bytesPerFrame)]), of: stream)
            }
            return true
        }
        if let event = stream.takeEvent() {
            handle(event, of: stream)
            return true
        }
        guard let piece = stream.ring.front() else { return false }
        for warning in stream.inspector.process(piece) { send(.warning(warning)) }
        convert(piece, of: stream)
        stream.ring.pop()
        return true
    }

    private func convert(_ piece: UnsafeRawBufferPointer, of stream: CaptureStream) {
        stream.buffer.append { stream.resampler.process(piece, as: stream.parameters.format, into: &$0) }
        while stream.buffer.count >= stream.output.bytesPerChunk {
            sendAudio(of: stream)
        }
    }

    private func sendAudio(of stream: CaptureStream) {
        let audio = stream.buffer.take(atMost: stream.output.bytesPerChunk)
        send(.audio(audio))
        stream.meter.process(audio) { send(.level($0)) }
    }

    private func handle(_ event: CaptureStream.Event, of stream: CaptureStream) {
        switch event {
        case .lost(let frames):
            let rate = Double(stream.parameters.sampleRate)
            state.withLock { $0.lost.add(seconds: Double(frames) / rate) }
            send(.lost(Double(frames) / rate))
            stream.silence = min(frames, Int(Self.longestSilence * rate))
        case .warning(let warning):
            send(.warning(warning))
        case .unavailable:
            send(.availability(false))
        case .restarted:
            send(.availability(true))
            send(.restarted)
        case .ended(let code):
            stream.buffer.append { stream.resampler.flush(into: &$0) }
            while !stream.buffer.isEmpty { sendAudio(of: stream) }
            stream.inspector.reset()
            stream.meter.reset()
            if code < 0 {
                send(.failed(.deviceLost(device: stream.output.device, reason: ALSASystem.text(of: code))))
            }
            send(.stopped)
        case .closed:
            state.withLock { _ = $0.items.removeFirst() }
        }
    }

    private func send(_ message: Message) {
        state.withLock { $0.batch.append(message) }
    }
}
