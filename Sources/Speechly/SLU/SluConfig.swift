/// What the audio of a stream is, and what holds for all its contexts.
public struct SluConfig: Sendable, Hashable {
    /// The sample rate of the audio, in Hz.
    public let sampleRate: Double

    /// The number of channels of the audio.
    public let channels: UInt32

    /// The language of the speech, a BCP 47 tag; `nil` for the app's language.
    public let languageCode: String?

    /// Options for every context of the stream.
    public let options: ContextOptions

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - sampleRate: the sample rate of the audio, in Hz.
    ///   - channels: the number of channels of the audio.
    ///   - languageCode: the language of the speech, a BCP 47 tag; `nil` for the app's language.
    ///   - options: options for every context of the stream.
    public init(
        sampleRate: Double, channels: UInt32, languageCode: String? = nil, options: ContextOptions = ContextOptions()
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.languageCode = languageCode
        self.options = options
    }
}

/// A request that does not fit the state of an SLU client.
public enum InvalidSLUState: Error, Hashable, Sendable {
    /// There is no stream: connect first.
    case notConnected
    /// A context is open for audio: stop it first.
    case contextAlreadyStarted
    /// No context is open for audio: start one first.
    case contextNotStarted
}

extension InvalidSLUState: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .notConnected: return "there is no stream; connect first"
        case .contextAlreadyStarted: return "a context is open for audio already; stop it first"
        case .contextNotStarted: return "no context is open for audio; start one first"
        }
    }
}
