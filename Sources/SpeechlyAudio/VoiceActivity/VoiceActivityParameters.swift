/// How a ``VoiceActivityDetector`` tells speech from noise. Names, defaults and ranges are those of Speechly's other
/// clients; a value out of its range is brought into it.
///
/// The decibels are Speechly's: ten times the logarithm of an amplitude, half of what is usual. A gate of −24 stands
/// for −48 dBFS, a signal 3 over the noise has twice its amplitude.
public struct VoiceActivityParameters: Hashable, Sendable, Codable {
    /// What is quieter than this is never speech, whatever the noise: −90 to 0.
    public var noiseGateDb: Double { didSet { noiseGateDb = Self.limit(noiseGateDb, to: -90...0, or: -24) } }

    /// How far over the noise speech has to be: 0 to 10.
    public var signalToNoiseDb: Double { didSet { signalToNoiseDb = Self.limit(signalToNoiseDb, to: 0...10, or: 3) } }

    /// In which time the noise level moves half way to what is heard: up to 5 s; zero keeps it as it is.
    public var noiseLearnHalfTime: Duration {
        didSet { noiseLearnHalfTime = min(max(noiseLearnHalfTime, .zero), .seconds(5)) }
    }

    /// How many of the newest frames are looked at: 1 to 32.
    public var signalSearchFrames: Int { didSet { signalSearchFrames = min(max(signalSearchFrames, 1), 32) } }

    /// The share of loud frames among them with which speech starts: 0 to 1.
    public var signalActivation: Double {
        didSet { signalActivation = Self.limit(signalActivation, to: 0...1, or: 0.7) }
    }

    /// The share of loud frames among them with which speech may end: 0 to 1.
    public var signalRelease: Double { didSet { signalRelease = Self.limit(signalRelease, to: 0...1, or: 0.2) } }

    /// How long after the last loud frames speech goes on: up to 8 s. Under 2 s recognition suffers.
    public var signalSustain: Duration { didSet { signalSustain = min(max(signalSustain, .zero), .seconds(8)) } }

    /// The length of a frame: 10 to 100 ms.
    public var frameLength: Duration {
        didSet { frameLength = min(max(frameLength, .milliseconds(10)), .milliseconds(100)) }
    }

    /// How many frames up to the one with which speech starts belong to it: 1 to 32. Fewer than
    /// ``signalSearchFrames`` would cut the beginning, and count as that many.
    public var historyFrames: Int { didSet { historyFrames = min(max(historyFrames, 1), 32) } }

    /// Creates parameters; those left out have Speechly's defaults.
    ///
    /// - Parameters:
    ///   - noiseGateDb: What is quieter is never speech.
    ///   - signalToNoiseDb: How far over the noise speech has to be.
    ///   - noiseLearnHalfTime: In which time the noise level moves half way to what is heard.
    ///   - signalSearchFrames: How many of the newest frames are looked at.
    ///   - signalActivation: The share of loud frames with which speech starts.
    ///   - signalRelease: The share of loud frames with which speech may end.
    ///   - signalSustain: How long after the last loud frames speech goes on.
    ///   - frameLength: The length of a frame.
    ///   - historyFrames: How many frames before the start belong to speech.
    public init(
        noiseGateDb: Double = -24, signalToNoiseDb: Double = 3, noiseLearnHalfTime: Duration = .milliseconds(400),
        signalSearchFrames: Int = 5, signalActivation: Double = 0.7, signalRelease: Double = 0.2,
        signalSustain: Duration = .milliseconds(3_000), frameLength: Duration = .milliseconds(30),
        historyFrames: Int = 8
    ) {
        (self.noiseGateDb, self.signalToNoiseDb) = (-24, 3)
        (self.signalSearchFrames, self.historyFrames) = (5, 8)
        (self.signalActivation, self.signalRelease) = (0.7, 0.2)
        (self.noiseLearnHalfTime, self.signalSustain) = (.milliseconds(400), .milliseconds(3_000))
        self.frameLength = .milliseconds(30)
        // Observers run only outside of the initialiser itself.
        func set<Value>(_ key: WritableKeyPath<Self, Value>, _ value: Value) { self[keyPath: key] = value }
        set(\.noiseGateDb, noiseGateDb)
        set(\.signalToNoiseDb, signalToNoiseDb)
        set(\.noiseLearnHalfTime, noiseLearnHalfTime)
        set(\.signalSearchFrames, signalSearchFrames)
        set(\.signalActivation, signalActivation)
        set(\.signalRelease, signalRelease)
        set(\.signalSustain, signalSustain)
        set(\.frameLength, frameLength)
        set(\.historyFrames, historyFrames)
    }

    private static func limit(_ value: Double, to range: ClosedRange<Double>, or fallback: Double) -> Double {
        value.isNaN ? fallback : min(max(value, range.lowerBound), range.upperBound)
    }
}
