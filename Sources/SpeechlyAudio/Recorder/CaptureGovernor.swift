/// Keeps a device that delivers without end and without pause, such as a file or ALSA's `null`, at the pace of
/// a microphone.
///
/// Frames accrue with time, a little faster than the sample rate, so that no real device's clock is ever
/// too fast for it, and only so many are kept that a real device's full buffer can be read at once. Beyond that,
/// whatever can have been captured since the start and has not been read may be: sound servers keep many seconds.
struct CaptureGovernor {
    private let framesPerSecond: Double
    private let capacity: Double
    private var frames: Double
    /// How many frames a device with a clock of its own has captured that were not read, at most.
    private var owed = 0.0
    private var last: UInt64
    private let rate: Double
    /// The most that is owed, in seconds.
    private static let longestDebt = 60.0

    /// Starts at `time`, in nanoseconds.
    init(_ parameters: PCMParameters, at time: UInt64) {
        rate = Double(parameters.sampleRate)
        framesPerSecond = Double(parameters.sampleRate) * 1.05
        capacity = Double(parameters.bufferFrames + parameters.periodFrames)
        frames = Double(min(2 * parameters.periodFrames, parameters.bufferFrames))
        last = time
    }

    /// How many frames may be read at `time`.
    mutating func allowance(at time: UInt64) -> Int {
        if time > last {
            let seconds = Double(time - last) / 1e9
            frames = min(capacity, frames + seconds * framesPerSecond)
            owed = min(Self.longestDebt * rate, owed + seconds * rate)
            last = time
        }
        return Int(max(0, frames, owed))
    }

    /// Notes that frames were read.
    mutating func consume(_ count: Int) {
        owed = max(0, owed - Double(count))
        frames = max(0, frames - Double(count))
    }

    /// How long until `count` frames may be read, in milliseconds, rounded up.
    func delay(for count: Int) -> Int32 {
        let missing = max(0, Double(count) - frames)
        return Int32(min(1_000, (missing / framesPerSecond * 1_000).rounded(.up)))
    }
}
