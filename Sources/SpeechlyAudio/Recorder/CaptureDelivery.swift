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
    }

    /// Further audio stays in the ring while the delegate is this far behind.
    private static let maximumUnderway = 40
    /// The longest gap that is filled with silence, in seconds: what was missing for longer is not about speech.
    private static let longestSilence = 60.0

    private let state = Locked(State())
    private let source: SignalSource
    private let queue: DispatchQueue
    private let receiver = Locked<(@Sendable (Message) -> Void)?>(nil)

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
        self.receiver.withLock { $0 = receiver }
        source.start { [weak self] in self?.drain() }
    }

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
        state.withLock { $0.underway += 1 }
        queue.async { [weak self] in
            guard let self else { return }
            receiver.withLock { $0 }?(message)
            let wasFull = state.withLock { state in
                state.underway -= 1
                return state.underway == Self.maximumUnderway - 1
            }
            if wasFull { signal() }
        }
    }
}
