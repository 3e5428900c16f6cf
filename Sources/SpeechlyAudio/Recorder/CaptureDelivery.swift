import Foundation
import SpeechlySync

/// Converts captured audio and tells a recorder's delegate, in order, on the queue the host chose.
final class CaptureDelivery: Sendable {
    /// What the delegate is told.
    enum Message: Sendable {
        case audio(Data)
        case lost(TimeInterval)
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
    private static let maximumUnderway = 20

    private let state = Locked(State())
    private let source: SignalSource
    private let queue: DispatchQueue
    private let receiver = Locked<(@Sendable (Message) -> Void)?>(nil)

    /// - Parameters:
    ///   - audioQueue: Where audio is converted.
    ///   - delegateQueue: Where the receiver is called.
    init(audioQueue: DispatchQueue, delegateQueue: DispatchQueue) {
        source = SignalSource(queue: audioQueue)
        // Serial, also where the host's queue is not.
        queue = DispatchQueue(label: "com.speechly.AudioRecorder.delivery", target: delegateQueue)
    }

    /// Begins to deliver. The receiver must not keep the delivery alive.
    func start(_ receiver: @escaping @Sendable (Message) -> Void) {
        self.receiver.withLock { $0 = receiver }
        source.start { [weak self] in self?.drain() }
    }

    /// Says that there is something new. Capture thread: does not wait.
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
        if let event = stream.takeEvent() {
            handle(event, of: stream)
            return true
        }
        guard let piece = stream.ring.front() else { return false }
        stream.buffer.append { stream.resampler.process(piece, as: stream.parameters.format, into: &$0) }
        stream.ring.pop()
        while stream.buffer.count >= stream.output.bytesPerChunk {
            send(.audio(stream.buffer.take(atMost: stream.output.bytesPerChunk)))
        }
        return true
    }

    private func handle(_ event: CaptureStream.Event, of stream: CaptureStream) {
        switch event {
        case .lost(let seconds):
            send(.lost(seconds))
        case .ended(let error):
            stream.buffer.append { stream.resampler.flush(into: &$0) }
            while !stream.buffer.isEmpty {
                send(.audio(stream.buffer.take(atMost: stream.output.bytesPerChunk)))
            }
            if let error { send(.failed(error)) }
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

/// A dispatch source that runs a handler after one or more signals.
///
/// `@unchecked Sendable`: dispatch sources may be used from any thread.
private final class SignalSource: @unchecked Sendable {
    private let source: any DispatchSourceUserDataAdd
    private let handler = Locked<(@Sendable () -> Void)?>(nil)

    init(queue: DispatchQueue) {
        source = DispatchSource.makeUserDataAddSource(queue: queue)
        source.setEventHandler { [handler] in handler.withLock { $0 }?() }
        // At once, because a source that was never resumed must not be released.
        source.resume()
    }

    deinit { source.cancel() }

    func start(_ handler: @escaping @Sendable () -> Void) {
        self.handler.withLock { $0 = handler }
        signal()
    }

    func signal() { source.add(data: 1) }
}
