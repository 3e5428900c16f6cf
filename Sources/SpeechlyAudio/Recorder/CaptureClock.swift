/// Compares what a device has captured with the time, to notice what is missing although no call has said so.
///
/// Sound servers keep audio for a program that is late, and throw some away without a word when that is too much.
/// Then the device stays behind the time by what is missing. A device that is only late catches up, and one whose
/// clock is slow falls behind little by little: neither has lost anything.
///
/// What counts is how far behind the device is at the best moment of a second: neither a late thread nor audio that
/// comes in large pieces can make that smaller than it is.
struct CaptureClock {
    /// How much has to be missing, in seconds.
    private static let slack = 0.1
    /// How far from its nominal rate a device may be. Sound cards are within 0.0002, emulated ones are not.
    private static let drift = 0.005
    /// By how much a device that is catching up comes closer within a window, in seconds.
    private static let progress = 0.02
    /// For how many windows in a row a device has to be behind without catching up.
    private static let patience = 3

    private let rate: Double
    /// How long a window is, and how long no audio may come in the first one that counts, in nanoseconds.
    private let window: UInt64
    private let longestPause: UInt64

    /// When audio came first.
    private var start: UInt64?
    /// Frames captured since then.
    private var captured = 0
    private var last: UInt64 = 0
    private var windowStart: UInt64 = 0
    private var isSteady = true
    /// How many frames the device was behind at the best moment of this window, and of the one before.
    private var least = 0.0
    private var previousLeast = 0.0
    /// How many frames behind is how it should be.
    private var baseline: Double?
    private var lateWindows = 0

    init(_ parameters: PCMParameters) {
        rate = Double(parameters.sampleRate)
        let period = UInt64(Double(parameters.periodFrames) / rate * 1e9)
        window = max(1_000_000_000, 4 * period)
        longestPause = max(250_000_000, 3 * period)
    }

    /// Begins anew.
    mutating func reset() {
        start = nil
        baseline = nil
        lateWindows = 0
    }

    /// How many frames should have been captured by now but are neither read nor, as `available`, ready to be.
    func backlog(_ available: Int, at now: UInt64) -> Int {
        guard let baseline, let start else { return 0 }
        return Int(max(0, behind(available, at: now, since: start) - baseline))
    }

    /// Whether the device holds more than it says, as sound servers do for a program that is late.
    func isLate(_ available: Int, at now: UInt64) -> Bool {
        Double(backlog(available, at: now)) > Self.slack * rate
    }

    /// Frames were read of those that were `available`, at a time when that was known. Returns how many have turned
    /// out to be missing.
    mutating func read(_ count: Int, available: Int, at now: UInt64) -> Int {
        guard let start else {
            begin(count, available, now)
            return 0
        }
        let amount = behind(available, at: now, since: start)
        captured += count
        if now > last + longestPause { isSteady = false }
        last = now
        guard now >= windowStart + window else {
            least = min(least, amount)
            return 0
        }
        defer {
            windowStart = now
            least = amount
            isSteady = true
        }
        return judge(seconds: Double(now - windowStart) / 1e9)
    }

    private mutating func begin(_ count: Int, _ available: Int, _ now: UInt64) {
        start = now
        captured = count - available
        last = now
        windowStart = now
        least = 0
        isSteady = true
    }

    private func behind(_ available: Int, at now: UInt64, since start: UInt64) -> Double {
        Double(now - min(now, start)) / 1e9 * rate - Double(captured + available)
    }

    /// A window is over.
    private mutating func judge(seconds: Double) -> Int {
        guard let baseline else {
            // Devices take their time before audio flows.
            if isSteady { self.baseline = least }
            return 0
        }
        let excess = least - baseline
        guard excess > Self.slack * rate else {
            self.baseline = baseline + min(excess, Self.drift * seconds * rate)
            lateWindows = 0
            return 0
        }
        let isCatchingUp = lateWindows > 0 && least < previousLeast - Self.progress * rate
        lateWindows = isCatchingUp ? 1 : lateWindows + 1
        previousLeast = least
        guard lateWindows > Self.patience else { return 0 }
        self.baseline = least
        lateWindows = 0
        return Int(excess)
    }
}
