import Foundation

/// What a capture thread does over and over: wait, read, recover.
extension CaptureLoop {
    /// For how long nothing comes from a device that has gone quiet, in nanoseconds.
    static let quietTime: UInt64 = 250_000_000

    /// One round: wait, then read or recover. Returns a negative `errno` when the device is lost.
    func step() -> Int32 {
        var now = setup.time.now()
        if case .tail(let frames, let deadline) = recording, frames <= 0 || hasEnded(deadline, at: now) {
            // What should have come by now and has not is missing at the end.
            if frames > 0, clock.isLate(0, at: now) { writer.lose(min(frames, clock.backlog(0, at: now))) }
            endRecording(0)
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
        if recovery.isDue { return recover(at: now) }
        wait(includingDevice: true, timeout: timeout(at: now))
        if troubleSince > 0, setup.time.now() >= troubleSince + 1_000_000_000 { return -EIO }
        let available = device.available()
        // Not before: while the thread is kept from running, the device goes on.
        now = setup.time.now()
        let result = available < 0 ? failed(available, at: now) : read(available, at: now)
        if result >= 0, case .on = recording, pace.isQuiet(at: now, since: lastRead) {
            writer.mark(.warning(.noAudio))
            setup.delivery.signal()
        }
        return result
    }

    func read(_ available: Int, at now: UInt64) -> Int32 {
        let allowance = governor.allowance(at: now)
        var limit = min(available, allowance)
        if case .tail(let frames, _) = recording { limit = min(limit, frames) }
        noteLateness(available, at: now)
        var count = 0
        if case .idle = recording {
            count = writer.read(limit, from: device, into: history)
        } else {
            // What does not run full need not be read when there is no room.
            if pace.isAhead || isCatchingUp { limit = min(limit, writer.room) }
            count = writer.read(limit, from: device, for: setup.delivery)
        }
        guard count >= 0 else { return failed(count, at: now) }
        idlePolls = count == 0 ? idlePolls + 1 : 0
        guard count > 0 else { return 0 }
        lastRead = now
        leftover = available - count
        troubleSince = 0
        governor.consume(count)
        recovery.succeeded(at: now)
        let isTooFast = pace.read(
            count, available: available, allowance: allowance, sampleRate: stream.parameters.sampleRate)
        let missing = watchClock(count, available: available, at: now)
        if case .idle = recording { return 0 }
        if missing > 0 { writer.lose(missing) }
        if isTooFast {
            writer.mark(.warning(.fasterThanRealTime))
            setup.delivery.signal()
        }
        if case .tail(let frames, let deadline) = recording {
            recording = .tail(frames: frames - count - missing, deadline: deadline)
        }
        return 0
    }

    /// Compares what was read with the time. Returns how many frames have turned out to be missing.
    private func watchClock(_ count: Int, available: Int, at now: UInt64) -> Int {
        guard pace.isAhead else { return clock.read(count, available: available, at: now) }
        clock.reset()
        return 0
    }

    /// Notes whether the device has much that is old: as long as it has, its buffer is full.
    private func noteLateness(_ available: Int, at now: UInt64) {
        if available <= min(writer.room, stream.parameters.bufferFrames / 2) {
            isCatchingUp = false
        } else if clock.isLate(available, at: now) {
            isCatchingUp = true
        }
    }

    /// Whether a tail is over although not all of it has come.
    private func hasEnded(_ deadline: UInt64, at now: UInt64) -> Bool {
        now >= deadline && (!isCatchingUp || now >= lastRead + Self.quietTime)
    }

    // MARK: Faults

    /// Takes up a fault.
    private func failed(_ code: Int, at now: UInt64) -> Int32 {
        if code == -Int(EAGAIN) || code == -Int(EINTR) {
            idlePolls += 1
            return 0
        }
        return recovery.begin(Int32(clamping: code), at: now)
    }

    /// Tries to get the device going. What it captured from the last read until now is gone.
    private func recover(at now: UInt64) -> Int32 {
        let result = recovery.attempt(device, at: now)
        guard result >= 0, !recovery.isDue else { return result }
        let restart = setup.time.now()
        // What was in the device at the last read came before it.
        let missing = Double(restart - min(restart, lastRead)) / 1e9 * Double(stream.parameters.sampleRate)
        let frames = Int(min(missing.rounded(), 1e12)) + max(0, pace.isAhead ? 0 : leftover)
        lastRead = restart
        leftover = 0
        clock.reset()
        isCatchingUp = false
        troubleSince = 0
        if case .idle = recording { return 0 }
        writer.lose(frames)
        setup.delivery.signal()
        return 0
    }

    // MARK: Waiting

    private func timeout(at now: UInt64) -> Int32 {
        // A device that cannot be polled is asked every period.
        let period = stream.parameters.periodFrames * 1_000 / stream.parameters.sampleRate
        let longest = descriptors.count > 1 ? 1_000 : Int32(clamping: min(1_000, max(5, period)))
        guard case .tail(_, let deadline) = recording else { return longest }
        let end = max(deadline, isCatchingUp ? lastRead + Self.quietTime : 0, now)
        return min(longest, Int32(clamping: (end - now) / 1_000_000 + 1))
    }

    func wait(includingDevice: Bool, timeout: Int32) {
        descriptors.withUnsafeMutableBufferPointer { buffer in
            let count = includingDevice ? buffer.count : 1
            guard setup.time.poll(buffer.baseAddress, nfds_t(count), timeout) > 0 else { return }
            if buffer[0].revents != 0 { setup.control.wake.clear() }
            guard includingDevice else { return }
            // Some plugins need to be asked before they have anything available.
            let events = device.events(in: UnsafeMutableBufferPointer(rebasing: buffer[1...]))
            let hasTrouble = events > 0 && events & Int32(POLLERR | POLLHUP | POLLNVAL) != 0
            if !hasTrouble { troubleSince = 0 } else if troubleSince == 0 { troubleSince = setup.time.now() }
        }
    }
}
