import Foundation

/// Gets a device going again after an overrun or after the computer slept; a few times a second at most, and in vain
/// only a few times in all.
struct CaptureRecovery {
    /// How often recovery may be tried without lasting success.
    private static let maximumAttempts = 8
    /// How long to wait between two attempts, and how long audio has to come for a success, in nanoseconds.
    private static let interval: UInt64 = 250_000_000

    private var code: Int32 = 0
    private var attempts = 0
    private var notBefore: UInt64 = 0

    /// Whether an attempt is to be made.
    var isDue: Bool { code < 0 }

    /// How long to wait before the next attempt, in milliseconds.
    func pause(at now: UInt64) -> Int32 {
        code < 0 && notBefore > now ? Int32(clamping: (notBefore - now) / 1_000_000 + 1) : 0
    }

    /// Takes up a fault. Returns it when the device is lost.
    mutating func begin(_ code: Int32, at now: UInt64) -> Int32 {
        guard Self.isPassing(code), attempts < Self.maximumAttempts else { return code }
        self.code = code
        return 0
    }

    /// Tries to get the device going. Returns a negative `errno` when it is lost.
    mutating func attempt(_ device: any PCMDevice, at now: UInt64) -> Int32 {
        attempts += 1
        notBefore = now + Self.interval
        if code == -ESTRPIPE {
            let result = device.resume()
            if result == -EAGAIN && attempts < Self.maximumAttempts { return 0 }
            // Few drivers can go on where they were.
            if result >= 0 {
                code = 0
                return 0
            }
        }
        if code == -EBADFD { _ = device.drop() }
        // A capture device that has only been prepared stays silent for ever.
        var result = device.prepare()
        if result >= 0 { result = device.start() }
        if result >= 0 {
            code = 0
            return 0
        }
        return begin(result, at: now)
    }

    /// Audio came.
    mutating func succeeded(at now: UInt64) {
        if now >= notBefore { attempts = 0 }
    }

    /// Whether a device that answers so may work again.
    private static func isPassing(_ code: Int32) -> Bool {
        switch -code {
        case EPIPE, ESTRPIPE, EBADFD, EAGAIN, EINTR: true
        default: false
        }
    }
}
