import Foundation

/// What a capture thread does when it is told something.
extension CaptureLoop {
    func handle(_ command: CaptureControl.Command) {
        switch (command, recording) {
        case (.start, .idle):
            isCooling = false
            tellEnd()
            // What came since the last recording: the history of a warm microphone, or of no interest.
            readAvailable()
            history.take { writer.write($0, frames: $1, for: setup.delivery) }
            recording = .on
            pace.recordingBegins()
        case (.start, .tail):
            readAvailable()
            end = .ended(0)
            tellEnd()
            recording = .on
        case (.stop, .on):
            let available = availableFrames()
            let now = setup.time.now()
            // What was captured before the stop, in the device or still on its way, belongs to the recording.
            let frames = Int(setup.tail * Double(stream.parameters.sampleRate)) + available
            // A device that has gone quiet must not keep the recording open.
            let deadline = now + UInt64(setup.tail * 1e9) + Self.quietTime
            recording = .tail(frames: frames + clock.backlog(available, at: now), deadline: deadline)
        case (.suspend, .on), (.suspend, .tail):
            readAvailable()
            endRecording(0)
            isCooling = true
        case (.suspend, .idle):
            isCooling = true
        case (.warm, _):
            isCooling = false
        default:
            break
        }
    }

    /// Ends the recording: because it was asked for (0), or because of a negative `errno`.
    func endRecording(_ code: Int32) {
        recording = .idle
        end = .ended(code)
    }

    func tellEnd() {
        guard let event = end else { return }
        end = nil
        writer.mark(event)
        setup.delivery.signal()
    }

    // MARK: What is in the device

    /// What was captured but not read yet. Of a device without a clock that cannot be said.
    func availableFrames() -> Int {
        if !isRunning || pace.isAhead || recovery.isDue { return 0 }
        return min(max(0, device.available()), governor.allowance(at: setup.time.now()))
    }

    /// Also what a sound server keeps besides, as long as there is room for it.
    func readAvailable() {
        var available = availableFrames()
        while available > 0 {
            let now = setup.time.now()
            let isLate = clock.isLate(available, at: now)
            let before = governor.allowance(at: now)
            guard read(available, at: now) >= 0, isLate, governor.allowance(at: now) < before else { return }
            available = availableFrames()
        }
    }
}
