import Foundation

/// What a capture thread does: read the device, carry out commands, recover from faults.
///
/// `@unchecked Sendable`: after its initialiser only its own thread uses it.
final class CaptureLoop: @unchecked Sendable {
    typealias Failure = AudioRecorder.AudioRecorderError

    enum Recording {
        case idle
        case on
        /// Stopped, but for so many frames more, or until this time, in nanoseconds.
        case tail(frames: Int, deadline: UInt64)
    }

    /// Everything that does not change from one opening of the device to the next.
    struct Setup: Sendable {
        var system: any PCMSystem
        var request: PCMRequest
        var output: CaptureOutput
        /// In seconds.
        var tail: TimeInterval
        var control: CaptureControl
        var delivery: CaptureDelivery
    }

    private let setup: Setup
    private var device: any PCMDevice
    private var stream: CaptureStream
    private var writer: CaptureWriter
    private var governor: CaptureGovernor
    private var recovery = CaptureRecovery()
    private var recording = Recording.idle
    /// The end of a recording, to be told when the device is closed or used for the next one.
    private var end: CaptureStream.Event?
    /// Whether the device has more than can have been captured in the time.
    private var isAheadOfTime = false
    private var lastRead: UInt64
    /// The wake-up descriptor, then the device's.
    private var descriptors: [pollfd] = []
    /// Polls of the device that led to nothing, in a row.
    private var idlePolls = 0

    /// Opens the device.
    init(_ setup: Setup) throws(Failure) {
        self.setup = setup
        (device, stream) = try Self.open(setup)
        writer = CaptureWriter(stream)
        lastRead = monotonicTime()
        governor = CaptureGovernor(stream.parameters, at: lastRead)
    }

    /// Starts the thread.
    func startThread() {
        setup.delivery.add(stream)
        let thread = Thread { [self] in run() }
        thread.name = "speechly-capture"
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

    private func run() {
        while true {
            capture()
            device.close()
            if let end { writer.mark(end) }
            end = nil
            writer.mark(.closed)
            setup.delivery.signal()
            guard setup.control.closed(), reopen() else { return }
        }
    }

    /// Opens the device again, for a recording that was asked for while it was being closed.
    private func reopen() -> Bool {
        do {
            (device, stream) = try Self.open(setup)
        } catch {
            _ = setup.control.openingFailed()
            setup.delivery.add(failure: error)
            return false
        }
        setup.control.opened()
        writer = CaptureWriter(stream)
        setup.delivery.add(stream)
        return true
    }

    // MARK: Capturing

    private func capture() {
        lastRead = monotonicTime()
        governor = CaptureGovernor(stream.parameters, at: lastRead)
        recovery = CaptureRecovery()
        isAheadOfTime = false
        descriptors = [pollfd(fd: setup.control.wake.descriptor, events: Int16(POLLIN), revents: 0)]
        descriptors += device.pollDescriptors
        // Taken before the device is started: if that fails, they have been answered with the failure.
        var commands = setup.control.takeCommands()
        var code = device.prepare()
        if code >= 0 { code = device.start() }
        if code < 0 { return fail(code) }
        while true {
            for command in commands {
                if command == .quit { return endSilently() }
                handle(command)
            }
            commands = setup.control.takeCommands()
            if !commands.isEmpty { continue }
            if case .idle = recording {
                if setup.control.beginClosing() { return }
                continue
            }
            let result = step()
            if result < 0 { return fail(result) }
        }
    }

    private func handle(_ command: CaptureControl.Command) {
        switch (command, recording) {
        case (.start, .idle):
            // What came since the last recording belongs to none.
            if end != nil { writer.discard(availableFrames(), from: device) }
            tellEnd()
            recording = .on
        case (.start, .tail):
            readAvailable()
            end = .ended(nil)
            tellEnd()
            recording = .on
        case (.stop, .on):
            let frames = Int(setup.tail * Double(stream.parameters.sampleRate)) + availableFrames()
            // A device that has gone quiet must not keep the recording open.
            let deadline = monotonicTime() + UInt64((setup.tail + 0.25) * 1e9)
            recording = .tail(frames: frames, deadline: deadline)
        case (.suspend, .on), (.suspend, .tail):
            readAvailable()
            endRecording(nil)
        default:
            break
        }
    }

    /// One round: wait, then read or recover. Returns a negative `errno` when the device is lost.
    private func step() -> Int32 {
        var now = monotonicTime()
        if case .tail(let frames, let deadline) = recording, frames <= 0 || now >= deadline {
            endRecording(nil)
            return 0
        }
        let period = stream.parameters.periodFrames
        let isEarly = governor.allowance(at: now) < period
        let pause = max(recovery.pause(at: now), isEarly ? governor.delay(for: period) : 0, idlePolls > 2 ? 10 : 0)
        if pause > 0 {
            idlePolls = 0
            wait(includingDevice: false, timeout: min(pause, timeout(at: now)))
            return 0
        }
        if recovery.isDue {
            return recovery.attempt(device, at: now)
        }
        wait(includingDevice: true, timeout: timeout(at: now))
        now = monotonicTime()
        let available = device.available()
        guard available >= 0 else { return failed(available, at: now) }
        return read(available, at: now)
    }

    private func read(_ available: Int, at now: UInt64) -> Int32 {
        let allowance = governor.allowance(at: now)
        isAheadOfTime = available > allowance
        var limit = min(available, allowance)
        if case .tail(let frames, _) = recording { limit = min(limit, frames) }
        let count = writer.read(limit, from: device, for: setup.delivery)
        guard count >= 0 else { return failed(count, at: now) }
        idlePolls = count == 0 ? idlePolls + 1 : 0
        guard count > 0 else { return 0 }
        lastRead = now
        governor.consume(count)
        recovery.succeeded()
        if case .tail(let frames, let deadline) = recording {
            recording = .tail(frames: frames - count, deadline: deadline)
        }
        return 0
    }

    /// Takes up a fault: whatever was captured since the last read is gone.
    private func failed(_ code: Int, at now: UInt64) -> Int32 {
        if code == -Int(EAGAIN) || code == -Int(EINTR) {
            idlePolls += 1
            return 0
        }
        let result = recovery.begin(Int32(clamping: code), at: now)
        if result >= 0 {
            writer.mark(.lost(Double(now - lastRead) / 1e9))
            lastRead = now
            setup.delivery.signal()
        }
        return result
    }

    // MARK: Ends

    private func endRecording(_ error: Failure?) {
        recording = .idle
        end = .ended(error)
    }

    private func tellEnd() {
        guard let event = end else { return }
        end = nil
        writer.mark(event)
        setup.delivery.signal()
    }

    private func fail(_ code: Int32) {
        endRecording(.deviceLost(device: setup.request.device, reason: ALSASystem.text(of: code)))
        _ = setup.control.beginClosing(force: true)
    }

    private func endSilently() {
        recording = .idle
        setup.control.send(.quit)
        _ = setup.control.beginClosing(force: true)
    }

    // MARK: The device

    /// What was captured but not read yet. Of a device without a clock that cannot be said.
    private func availableFrames() -> Int {
        isAheadOfTime ? 0 : min(max(0, device.available()), governor.allowance(at: monotonicTime()))
    }

    private func readAvailable() {
        let available = availableFrames()
        if available > 0 { _ = read(available, at: monotonicTime()) }
    }

    private func timeout(at now: UInt64) -> Int32 {
        guard case .tail(_, let deadline) = recording else { return 1_000 }
        return Int32(clamping: (max(deadline, now) - now) / 1_000_000 + 1)
    }

    private func wait(includingDevice: Bool, timeout: Int32) {
        descriptors.withUnsafeMutableBufferPointer { buffer in
            let count = includingDevice ? buffer.count : 1
            guard poll(buffer.baseAddress, nfds_t(count), timeout) > 0 else { return }
            if buffer[0].revents != 0 { setup.control.wake.clear() }
            // Some plugins need to be asked before they have anything available.
            if includingDevice { _ = device.events(in: UnsafeMutableBufferPointer(rebasing: buffer[1...])) }
        }
    }
}

/// The time since some fixed moment, in nanoseconds.
func monotonicTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
