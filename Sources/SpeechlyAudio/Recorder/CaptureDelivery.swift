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
        /// Messages that the delegate has not taken yet.
        var underway = 0
        /// Those of them that have not been handed to its queue.
        var batch: [Message] = []
        var lost = LostAudio()
    }

    /// Further audio stays in the ring while the delegate is this far behind.
    private static let maximumUnderway = 40
    /// The longest gap that is filled with silence, in seconds: what was missing for longer is not about speech.
    private static let longestSilence = 60.0

    private let state = Locked(State())
    private let source: SignalSource
    private let queue: DispatchQueue
    private let receiver = Locked(Receiver())

    private struct Receiver {
        // In a struct: a bare closure in a generic type is wrapped once more each time that it is looked at.
        var take: (@Sendable (Message) -> Void)?
    }

    /// - Parameters:
    ///   - audioQueue: Where audio is converted.
    ///   - delegateQueue: Where the receiver is called.
    init(audioQueue: DispatchQueue, delegateQueue: DispatchQueue) throws(SystemError) {
        source = try SignalSource(queue: audioQueue)
        // Serial, also where the host's queue is not.
        queue = DispatchQueue(label: "com.speechly.AudioRecorder.delivery", target: delegateQueue)
    }

    /// Begins to deliver. The receiver must not keep the delivery alive.
    func start(_ receiver: @escaping @Sendable (Message) -> Void) {
        self.receiver.withLock { $0.take = receiver }
        source.start { [weak self] in self?.drain() }
    }

    /// How much has been reported as lost so far.
    var lost: LostAudio { state.withLock { $0.lost } }

    /// Says that there is something new. Capture thread: neither waits nor allocates.
    func signal() { source.signal() }

    /// Adds a stream behind those there are.
    func add(_ stream: CaptureStream) {
        state.withLock { $0.items.append(.stream(stream)) }
        signal()
    }

    /// Adds a recording that came to nothing.
    func add(failure: AudioRecorder.AudioRecorderError) {
        state.withLock { $0.items.append(.failure(failure)) }
        signal()
    }

    // MARK: On the audio queue

    private func drain() {
        // Together, so that the delegate's queue is woken once.
        defer { handOver() }
        while true {
            let item = state.withLock { $0.underway < Self.maximumUnderway ? $0.items.first : nil }
            switch item {
            case nil:
                return
            case .failure(let error):
                state.withLock { _ = $0.items.removeFirst() }
                send(.failed(error))
                send(.stopped)
            case .stream(let stream):
                if !advance(stream) { return }
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
        state.withLock { state in
            state.underway += 1
            state.batch.append(message)
        }
    }

    private func handOver() {
        let batch = state.withLock { state in
            defer { state.batch = [] }
            return state.batch
        }
        if batch.isEmpty { return }
        queue.async { [weak self] in
            for message in batch { self?.tell(message) }
        }
    }

    // MARK: On the delegate's queue

    private func tell(_ message: Message) {
        receiver.withLock { $0.take }?(message)
        let wasFull = state.withLock { state in
            state.underway -= 1
            return state.underway == Self.maximumUnderway - 1
        }
        if wasFull { signal() }
    }
}
