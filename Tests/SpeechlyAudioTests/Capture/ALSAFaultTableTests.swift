import Foundation
import SpeechlySync
import XCTest

@testable import SpeechlyAudio

/// Every errno at every call of libasound, always; those that ALSA's documentation names also once only, the first
/// time or in the middle.
final class ALSAFaultTableTests: XCTestCase {
    private struct Row: Sendable, CustomStringConvertible {
        var call: FakeALSA.Call
        var errno: Int32
        var when: ClosedRange<Int>

        var faults: [FakeALSA.Fault] {
            let fault = FakeALSA.Fault(call: call, code: -errno, when: when)
            switch call {
            // These are called only after a fault of another kind.
            case .resume: return [fault, FakeALSA.Fault(call: .available, code: -ESTRPIPE, when: 3...3)]
            case .drop: return [fault, FakeALSA.Fault(call: .available, code: -EBADFD, when: 3...3)]
            default: return [fault]
            }
        }

        var description: String { "\(call) answers \(ALSASystem.text(of: -errno)) (\(errno)), calls \(when)" }
    }

    private static let named: Set<Int32> = [
        EPERM, ENOENT, EINTR, EIO, ENXIO, EAGAIN, ENOMEM, EACCES, EBUSY, ENODEV, EINVAL, EPIPE, ENOSYS, EBADFD,
        ESTRPIPE,
        ETIMEDOUT, ENOTSUP, ECONNREFUSED,
    ]

    private static let rows: [Row] = FakeALSA.Call.allCases.flatMap { call in
        (Int32(1)...133).flatMap { errno in
            ([1...Int.max] + (named.contains(errno) ? [1...1, 3...3] : [])).map {
                Row(call: call, errno: errno, when: $0)
            }
        }
    }

    func testEveryErrnoAtEveryCallEndsWellOrInOneError() throws {
        let problems = Locked<[String]>([])
        let next = Locked(0)
        let group = DispatchGroup()
        for _ in 0..<4 {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                while true {
                    let index = next.withLock { next in
                        defer { next += 1 }
                        return next
                    }
                    guard index < Self.rows.count else { return }
                    let row = Self.rows[index]
                    if let problem = Self.run(row) { problems.withLock { $0.append("\(row): \(problem)") } }
                }
            }
        }
        XCTAssertEqual(group.wait(timeout: .now() + 300), .success)
        let found = problems.withLock { $0 }
        XCTAssertTrue(
            found.isEmpty, "\(found.count) of \(Self.rows.count): \(found.prefix(20).joined(separator: "\n"))")
    }

    /// Records with a fault. Returns what is not as it should be.
    private static func run(_ row: Row) -> String? {
        let stop = StopByItself()
        let time = VirtualTime { stop.consider() }
        let library = FakeALSA(row.faults, time: time)
        let spy = Spy()
        do {
            let recorder = try AudioRecorder(
                sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic", tail: .milliseconds(20),
                system: ALSASystem(library: library, access: { .allowed }), time: time.captureTime)
            recorder.delegate = spy
            stop.arm(recorder, library, time)
            try recorder.start()
            guard spy.stopped.wait(timeout: .now() + 60) == .success else { return "never stops" }
            withExtendedLifetime(recorder) {}
        } catch {
            // A refusal to open: a typed error that names the device.
            guard let error = error as? AudioRecorder.AudioRecorderError else { return "throws \(error)" }
            if !"\(error)".hasPrefix("mic: ") { return "the error does not name the device: \(error)" }
            if spy.seen.failures.count + spy.seen.stops > 0 { return "throws and calls the delegate" }
            return library.openHandles == 0 && library.wronglyClosed == 0 ? nil : "a handle is not closed once"
        }
        let seen = spy.seen
        if library.openHandles != 0 || library.wronglyClosed != 0 { return "a handle is not closed once" }
        if seen.stops != 1 { return "\(seen.stops) ends" }
        if seen.failures.count > 1 { return "\(seen.failures.count) errors" }
        if seen.failures.isEmpty && seen.bytes == 0 && !seen.isQuiet { return "no error and no audio" }
        if let failure = seen.failures.first, !failure.hasPrefix("mic: stopped working: ") { return failure }
        // Never more than a few attempts a second.
        let starts = library.starts
        for (index, start) in starts.enumerated() {
            let within = starts[index...].prefix { $0 - start < 1_000_000_000 }.count
            if within > 6 { return "\(within) starts within a second" }
        }
        return nil
    }

    func testALostDeviceIsNamedWithTheErrnosText() throws {
        for (code, text) in [(ENODEV, "No such device"), (EIO, "Input/output error"), (EPIPE, "Broken pipe")] {
            let row = Row(call: .available, errno: code, when: 3...Int.max)
            let time = VirtualTime()
            let library = FakeALSA(row.faults, time: time)
            let spy = Spy()
            let recorder = try AudioRecorder(
                sampleRate: 16_000, channels: 1, prepareOnInit: false, device: "mic",
                system: ALSASystem(library: library, access: { .allowed }), time: time.captureTime)
            recorder.delegate = spy
            try recorder.start()
            XCTAssertEqual(spy.stopped.wait(timeout: .now() + 30), .success)
            XCTAssertEqual(spy.seen.failures, ["mic: stopped working: \(text)"])
        }
    }

    func testWithoutPermissionTheGroupIsNamed() throws {
        for code in [EACCES, EPERM, ENOENT, ENODEV] {
            let library = FakeALSA([.init(call: .open, code: -code, when: 1...Int.max)], time: VirtualTime())
            let system = ALSASystem(library: library, access: { .denied })
            XCTAssertThrowsError(
                try AudioRecorder(sampleRate: 16_000, channels: 1, prepareOnInit: true, device: "mic", system: system)
            ) {
                XCTAssertEqual(
                    "\($0)", "mic: permission denied; add this user to the group 'audio' and log in again")
            }
        }
    }
}

/// Stops a recorder from its own thread, so that it does not run on: once the faults in the middle have come, or when
/// the recorder must have said that nothing comes.
private final class StopByItself: Sendable {
    private struct State {
        weak var recorder: AudioRecorder?
        var library: FakeALSA?
        var time: VirtualTime?
        var end: UInt64 = 0
    }

    private let state = Locked(State())

    func arm(_ recorder: AudioRecorder, _ library: FakeALSA, _ time: VirtualTime) {
        let end = time.now + 4_000_000_000
        state.withLock { $0 = State(recorder: recorder, library: library, time: time, end: end) }
    }

    /// Called before each wait.
    func consider() {
        let (library, time, end) = state.withLock { ($0.library, $0.time, $0.end) }
        guard let library, let time, library.framesRead >= 9_600 || time.now >= end else { return }
        let recorder = state.withLock { state in
            state.library = nil
            return state.recorder
        }
        recorder?.stop()
    }
}

/// A delegate that counts.
private final class Spy: AudioRecorderDelegate, Sendable {
    struct Seen {
        var bytes = 0
        var stops = 0
        var failures: [String] = []
        /// Whether the recorder has said that no audio comes.
        var isQuiet = false
    }

    private let state = Locked(Seen())
    let stopped = DispatchSemaphore(value: 0)

    var seen: Seen { state.withLock { $0 } }

    func audioRecorderDidReceiveData(_ audioRecorder: AudioRecorderProtocol, audioData: Data) {
        state.withLock { $0.bytes += audioData.count }
    }

    func audioRecorderDidCatchError(_ audioRecorder: AudioRecorderProtocol, error: Error) {
        state.withLock { $0.failures.append("\(error)") }
    }

    func audioRecorderDidStop(_ audioRecorder: AudioRecorderProtocol) {
        state.withLock { $0.stops += 1 }
        stopped.signal()
    }

    func audioRecorderDidWarn(_ audioRecorder: AudioRecorderProtocol, warning: AudioRecorderWarning) {
        guard warning == .noAudio else { return }
        state.withLock { $0.isQuiet = true }
    }
}
