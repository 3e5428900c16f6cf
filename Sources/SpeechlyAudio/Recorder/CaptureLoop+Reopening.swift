import Foundation

/// What a capture thread does while its device is gone.
extension CaptureLoop {
    /// How long to wait between two attempts to open the device, in milliseconds.
    private static let interval: Int32 = 500

    /// Waits until the device is back, and goes on with it. Returns `false` when nobody wants it any more.
    ///
    /// - Parameter recording: Whether a recording is to begin then.
    func waitForDevice(recording wasRecording: Bool) -> Bool {
        var begins = wasRecording
        // To say what else there is, every device is opened.
        var attempt = setup
        attempt.request.namesOthers = false
        while true {
            while let command = setup.control.nextCommand() {
                switch command {
                case .quit, .suspend: return giveUp(command)
                case .stop:
                    begins = false
                    if !setup.isWarm { return giveUp(command) }
                case .warm: break
                case .start:
                    begins = true
                    do throws(Failure) {
                        return resume(try Self.open(setup), recording: true, restarts: false)
                    } catch {
                        // Whoever asked has been told that a recording is under way.
                        setup.delivery.add(failure: error)
                    }
                }
            }
            descriptors = [pollfd(fd: setup.control.wake.descriptor, events: Int16(POLLIN), revents: 0)]
            wait(includingDevice: false, timeout: Self.interval)
            if let opened = try? Self.open(attempt) {
                return resume(opened, recording: begins, restarts: begins)
            }
        }
    }

    private func resume(
        _ opened: (any PCMDevice, CaptureStream), recording begins: Bool, restarts: Bool
    ) -> Bool {
        adopt(opened)
        recording = begins ? .on : .idle
        if restarts {
            writer.mark(.restarted)
            setup.delivery.signal()
        }
        return true
    }

    private func giveUp(_ command: CaptureControl.Command) -> Bool {
        if command == .quit { setup.control.send(.quit) }
        guard setup.control.closed() else { return false }
        do throws(Failure) {
            adopt(try Self.open(setup))
            return true
        } catch {
            _ = setup.control.openingFailed()
            setup.delivery.add(failure: error)
            return false
        }
    }
}
