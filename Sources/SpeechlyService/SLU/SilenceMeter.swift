/// Measures how long it has been quiet, by the energy of the audio.
///
/// Words come too late for this: one that is still being said is in no hypothesis yet.
struct SilenceMeter {
    /// 20 ms at 16 kHz.
    private static let frameSize = 320
    /// Below this level, in units of 16-bit samples, it is always quiet.
    private static let gate = 100.0
    /// Speech is this much louder than the background.
    private static let speechOverNoise = 3.0
    /// The background follows a rising level this slowly: it doubles in 1.4 s.
    private static let rise = 1.01

    private var frame: [Int16] = []
    private var noise: Double?
    private var quietFrames = 0

    /// How long it has been quiet, in milliseconds.
    var quietMilliseconds: Int { quietFrames * 20 }

    /// Hears samples at 16 kHz.
    mutating func hear(_ samples: some Sequence<Int16>) {
        for sample in samples {
            frame.append(sample)
            if frame.count == Self.frameSize {
                judge()
                frame.removeAll(keepingCapacity: true)
            }
        }
    }

    private mutating func judge() {
        let energy = frame.reduce(0.0) { $0 + Double($1) * Double($1) }
        let level = (energy / Double(frame.count)).squareRoot()
        let background = min(level, (noise ?? level) * Self.rise)
        noise = max(background, 1)
        let isQuiet = level < max(Self.gate, background * Self.speechOverNoise)
        quietFrames = isQuiet ? quietFrames + 1 : 0
    }
}
