import CALSA
import Foundation

/// What a capture thread does: read the device, carry out commands, recover from faults.
///
/// While a device is open the thread allocates nothing, takes no lock that another thread may hold, and waits for
/// nothing but the device and its wake-up descriptor.
///
/// `@unchecked Sendable`: after its initialiser only its own thread uses it.
final class CaptureLoop: @unchecked Sendable {
    typealias Failure = AudioRecorder.AudioRecorderError

    enum Recording {
        case idle
        case on
        /// Stopped, but for so many frames more, or until no more come at this time or later, in nanoseconds.
        case tail(frames: Int, deadline: UInt64)
    }

    /// Everything that does not change from one opening of the device to the next.
    struct Setup: Sendable {
        var system: any PCMSystem
        var request: PCMRequest
        var output: CaptureOutput
        /// In seconds.
        var tail: TimeInterval
        /// Whether the device stays open between recordings.
        var isWarm = false
        /// How much of what came before a recording belongs to it, in seconds.
        var preRoll: TimeInterval = 0
        /// Whether recording begins again when a device that was lost is back.
        var reopens = false
        var time = CaptureTime.system
        var control: CaptureControl
        var delivery: CaptureDelivery
    }

    let setup: Setup
    var device: any PCMDevice
    var stream: CaptureStream
    var writer: CaptureWriter
    var history: CaptureHistory
    var governor: CaptureGovernor
    var recovery = CaptureRecovery()
    var recording = Recording.idle
    /// The end of a recording, to be told when the device is closed or used for the next one.
    var end: CaptureStream.Event?
    /// Whether the device has been started.
    var isRunning = false
    /// Whether the device is to be closed although it is kept warm.
    var isCooling = false
    /// The negative `errno` that the device was lost with.
    var lossCode: Int32 = 0
    /// When the device was last read, and how much it had then that was left in it.
    var lastRead: UInt64
    var leftover = 0
    /// What keeps watch over the device's clock.
    var pace = CapturePace()
    var clock: CaptureClock
    /// Whether the device delivers what a sound server kept while the thread was late.
    var isCatchingUp = false
    /// The wake-up descriptor, then the device's.
    var descriptors: [pollfd] = []
    /// Polls of the device that led to nothing, in a row.
    var idlePolls = 0
    /// Since when the device reports an error of its own without saying which; 0 while it does not.
    var troubleSince: UInt64 = 0

    /// Opens the device.
    init(_ setup: Setup) throws(Failure) {
        self.setup = setup
        (device, stream) = try Self.open(setup)
        writer = CaptureWriter(stream)
        history = Self.history(setup, stream)
        lastRead = setup.time.now()
        governor = CaptureGovernor(stream.parameters, at: lastRead)
        clock = CaptureClock(stream.parameters)
    }

    /// Starts the thread.
    func startThread() {
        setup.delivery.add(stream)
        let thread = Thread { [self] in run() }
        thread.stackSize = 512 * 1024
        thread.start()
    }

    static func open(_ setup: Setup) throws(Failure) -> (any PCMDevice, CaptureStream) {
        let device = try setup.system.open(setup.request)
        do {
            return (device, try CaptureStream(device.parameters, output: setup.output))
        } catch {
            device.close()
            throw .unsupportedFormat(device: setup.request.device, reason: error.description)
        }
    }

    /// Uses a device that has been opened anew.
    func adopt(_ opened: (device: any PCMDevice, stream: CaptureStream)) {
        (device, stream) = opened
        writer = CaptureWriter(stream)
        history = Self.history(setup, stream)
        setup.control.opened()
        setup.delivery.add(stream)
    }

    private static func history(_ setup: Setup, _ stream: CaptureStream) -> CaptureHistory {
        CaptureHistory(
            capacity: setup.isWarm ? Int(setup.preRoll * Double(stream.parameters.sampleRate)) : 0,
            bytesPerFrame: stream.parameters.bytesPerFrame)
    }

    private func run() {
        // Foundation keeps a thread's name to itself.
        spa_name_thread("speechly-mic")
        while true {
            let wasRecording = capture()
            device.close()
            if lossCode < 0 { writer.mark(.unavailable) }
            if let end { writer.mark(end) }
            end = nil
            writer.mark(.closed)
            setup.delivery.signal()
            if lossCode < 0, setup.reopens, wasRecording || setup.isWarm, setup.control.beginWaiting() {
                guard waitForDevice(recording: wasRecording) else { return }
            } else {
                guard setup.control.closed(), reopen() else { return }
            }
        }
    }

    /// Opens the device again, for a recording that was asked for while it was being closed.
    private func reopen() -> Bool {
        do {
            adopt(try Self.open(setup))
        } catch {
            _ = setup.control.openingFailed()
            setup.delivery.add(failure: error)
            return false
        }
        return true
    }

    // MARK: Capturing

    /// Captures until the device is to be closed. Returns whether the device was lost during a recording.
    private func capture() -> Bool {
        lastRead = setup.time.now()
        leftover = 0
        governor = CaptureGovernor(stream.parameters, at: lastRead)
        recovery = CaptureRecovery()
        pace = CapturePace()
        clock = CaptureClock(stream.parameters)
        isCatchingUp = false
        troubleSince = 0
        isCooling = false
        isRunning = false
        lossCode = 0
        descriptors = [pollfd(fd: setup.control.wake.descriptor, events: Int16(POLLIN), revents: 0)]
        descriptors += device.pollDescriptors
        // Taken before the device is started: if that fails, they have been answered with the failure.
        while let command = setup.control.nextCommand() {
            if command == .quit { return endSilently() }
            handle(command)
        }
        var code = device.prepare()
        if code >= 0 { code = device.start() }
        if code < 0 { code = recovery.begin(code, at: lastRead) }
        if code < 0 { return fail(code) }
        isRunning = true
        while true {
            while let command = setup.control.nextCommand() {
                if command == .quit { return endSilently() }
                handle(command)
            }
            if case .idle = recording {
                if setup.isWarm && !isCooling {
                    tellEnd()
                } else {
                    if setup.control.beginClosing() { return false }
                    continue
                }
            }
            let result = step()
            if result < 0 { return fail(result) }
        }
    }

    private func fail(_ code: Int32) -> Bool {
        var wasRecording = true
        if case .idle = recording { wasRecording = false }
        if wasRecording { endRecording(code) }
        lossCode = code
        _ = setup.control.beginClosing(force: true)
        return wasRecording
    }

    private func endSilently() -> Bool {
        recording = .idle
        setup.control.send(.quit)
        _ = setup.control.beginClosing(force: true)
        return false
    }
}
