import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// Devices whose every answer is written down beforehand. The audio is a count of the samples since the first.
final class FakePCM: PCMSystem {
    /// What happens next, each once.
    enum Step: Sendable {
        /// Frames become available.
        case frames(Int)
        /// Asking for frames fails.
        case fault(Int32)
    }

    enum Call: Equatable, Sendable { case open, prepare, start, resume, drop, close }

    struct State {
        var steps: [Step] = []
        var calls: [Call] = []
        /// Answers of these calls, each once; without one they succeed.
        var openFailures: [AudioRecorder.AudioRecorderError] = []
        var prepareCodes: [Int32] = []
        var startCodes: [Int32] = []
        var resumeCodes: [Int32] = []
        var nextSample: Int16 = 1
        /// How much more each sample is than the one before.
        var rise: Int16 = 1
        /// How much more each channel's samples are than those of the channel before.
        var channelOffset: Int16 = 0
        var framesRead = 0
        var readers: [(frames: Int, expectation: XCTestExpectation)] = []
        var onClose: (@Sendable () -> Void)?
    }

    let state: Locked<State>
    let parameters: PCMParameters
    /// Readable while there is something to ask for.
    fileprivate let activity: WakeDescriptor

    init(
        _ steps: [Step] = [], parameters: PCMParameters = FakePCM.standard,
        configure: (inout State) -> Void = { _ in }
    ) throws {
        activity = try WakeDescriptor()
        var state = State()
        state.steps = steps
        configure(&state)
        self.state = Locked(state)
        self.parameters = parameters
        activity.signal()
    }

    /// An expectation that is met once so many frames have been read in all.
    func read(_ frames: Int) -> XCTestExpectation {
        let expectation = XCTestExpectation(description: "\(frames) frames")
        state.withLock { state in
            if state.framesRead >= frames { expectation.fulfill() } else { state.readers.append((frames, expectation)) }
        }
        return expectation
    }

    /// Lets more happen.
    func add(_ steps: [Step]) {
        state.withLock { $0.steps += steps }
        activity.signal()
    }

    static let standard = PCMParameters(
        sampleRate: 16_000, channels: 1, format: .int16, periodFrames: 320, bufferFrames: 8_000)

    var calls: [Call] { state.withLock { $0.calls } }

    func open(_ request: PCMRequest) throws(AudioRecorder.AudioRecorderError) -> any PCMDevice {
        let failure: AudioRecorder.AudioRecorderError? = state.withLock { state in
            state.calls.append(.open)
            return state.openFailures.isEmpty ? nil : state.openFailures.removeFirst()
        }
        if let failure { throw failure }
        return FakeDevice(self)
    }
}

/// An open device of ``FakePCM``.
private final class FakeDevice: PCMDevice {
    private let system: FakePCM
    private var ready = 0

    init(_ system: FakePCM) { self.system = system }

    var parameters: PCMParameters { system.parameters }

    var pollDescriptors: [pollfd] { [pollfd(fd: system.activity.descriptor, events: Int16(POLLIN), revents: 0)] }

    func prepare() -> Int32 { answer(.prepare, \.prepareCodes) }
    func start() -> Int32 { answer(.start, \.startCodes) }
    func resume() -> Int32 { answer(.resume, \.resumeCodes) }
    func drop() -> Int32 {
        system.state.withLock { $0.calls.append(.drop) }
        return 0
    }
    func events(in descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int32 { 0 }

    func available() -> Int {
        system.state.withLock { state in
            guard let step = state.steps.first else {
                if ready == 0 { system.activity.clear() }
                return ready
            }
            state.steps.removeFirst()
            switch step {
            case .frames(let count): ready += count
            case .fault(let code): return Int(code)
            }
            return ready
        }
    }

    func read(into buffer: UnsafeMutableRawPointer, frames: Int) -> Int {
        system.state.withLock { state in
            let count = min(frames, ready)
            for index in 0..<count * parameters.channels {
                let sample = state.nextSample &+ state.channelOffset &* Int16(index % parameters.channels)
                switch parameters.format {
                case .int16: buffer.storeBytes(of: sample, toByteOffset: index * 2, as: Int16.self)
                case .int24:
                    buffer.storeBytes(of: 0, toByteOffset: index * 3, as: UInt8.self)
                    buffer.storeBytes(of: sample, toByteOffset: index * 3 + 1, as: Int16.self)
                case .int32: buffer.storeBytes(of: Int32(sample) << 16, toByteOffset: index * 4, as: Int32.self)
                case .float32: buffer.storeBytes(of: Float(sample) / 32768, toByteOffset: index * 4, as: Float.self)
                }
                if index % parameters.channels == parameters.channels - 1 { state.nextSample &+= state.rise }
            }
            ready -= count
            state.framesRead += count
            for reader in state.readers where reader.frames <= state.framesRead { reader.expectation.fulfill() }
            state.readers.removeAll { $0.frames <= state.framesRead }
            return count
        }
    }

    func close() {
        let onClose = system.state.withLock { state in
            state.calls.append(.close)
            return state.onClose
        }
        onClose?()
    }

    private func answer(_ call: FakePCM.Call, _ codes: WritableKeyPath<FakePCM.State, [Int32]>) -> Int32 {
        system.state.withLock { state in
            state.calls.append(call)
            return state[keyPath: codes].isEmpty ? 0 : state[keyPath: codes].removeFirst()
        }
    }
}
