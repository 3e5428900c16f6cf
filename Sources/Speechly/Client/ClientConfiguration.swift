import Foundation
import SpeechlyAudio

/// What can be set about a client, beyond where its service is.
///
/// A duration below zero is taken as zero, and one above a year as a year, unless it says otherwise.
public struct ClientConfiguration: Sendable {
    /// The language of the speech, a BCP 47 tag such as `en-US`; `nil` for the app's language.
    public var languageCode: String?

    /// Options for every context; those given at a start take their place.
    public var streamOptions: ContextOptions

    /// The ALSA device of the microphone.
    public var device: String

    /// The length of the pieces in which the microphone's audio is sent, 20 to 100 ms.
    public var chunk: Duration

    /// How several channels of the microphone become one.
    public var channelSelection: ChannelSelection

    /// Whether the microphone stays open between contexts.
    public var warmth: MicrophoneWarmth

    /// Whether a context like the last one starts when the microphone, lost during a context, is back.
    public var reopensDevice: Bool

    /// How the voice activity detector tells speech from noise.
    public var voiceActivity: VoiceActivityParameters

    /// How long the microphone stays open after a stop, so that the last word is not cut.
    public var tail: Duration

    /// How long an attempt to connect may take.
    public var connectTimeout: Duration

    /// How long a login may take; `nil` for as long as connecting.
    public var loginTimeout: Duration?

    /// How long the service may take to acknowledge a start. Counted from when the start is sent, or, while the
    /// service still owes results of an earlier context, from when it has finished that one.
    public var startTimeout: Duration

    /// How long after a stop the service may be silent before its results are given up. Whatever it sends shows
    /// that it is still at work, and the time starts anew.
    public var finishTimeout: Duration

    /// How long a stream stays open without a context.
    public var idleTimeout: Duration

    /// How much audio is kept while it cannot be sent: during login and connecting, or when the network is slow.
    /// At least 10 s.
    public var bufferedAudio: Duration

    /// How much audio of a context is kept, beyond what final segments cover, so that a context whose connection
    /// breaks can be continued on a new one.
    ///
    /// It is for the microphone. Any other source can wait: all of its audio that final segments do not cover is kept,
    /// and it is read no further ahead than ``contextLimit`` and 30 s. Without such a limit it is read as fast as
    /// the service takes it, and the last hour is kept.
    public var replayedAudio: Duration

    /// How many attempts in a row are made to get the connection of a context back before the context fails; 0
    /// fails at once. With 15 that takes some 15 s.
    public var maximumReconnects: Int

    /// How long the service lets a context be. Before that the client goes on in a new one, at a pause, without the
    /// host seeing more than one. At least 1 s; `nil` for a service without such a limit.
    public var contextLimit: Duration?

    /// How long a connection in use may be silent before the client asks whether the service is still there; an
    /// answer has to come within ``keepaliveTimeout``. `nil` never asks. Services with strict rules end connections that ask often.
    public var keepaliveInterval: Duration?

    /// How long the service may take to answer that question before the connection counts as lost.
    public var keepaliveTimeout: Duration

    /// Whether access tokens may go over a network in plain text. They do not unless this is set: an address with
    /// `grpc://` and a host other than this machine is refused.
    public var allowsPlaintextToken: Bool

    /// How the client proves who the service is; used with `grpc+tls` addresses.
    public var tls: ClientTLS

    /// Where the access token and the device id are kept; `nil` for a `FileCache`.
    public var cacheDirectory: URL?

    /// A folder where the audio of each utterance is saved as a WAV file, for debugging; `nil` for none.
    public var utteranceDirectory: URL?

    /// Where the log goes.
    public var logger: Logger

    /// The defaults.
    public init() {
        languageCode = nil
        streamOptions = ContextOptions()
        device = "default"
        chunk = .milliseconds(30)
        channelSelection = .average
        warmth = .cold
        reopensDevice = false
        voiceActivity = VoiceActivityParameters()
        tail = .milliseconds(500)
        connectTimeout = .seconds(10)
        loginTimeout = nil
        startTimeout = .seconds(10)
        finishTimeout = .seconds(30)
        idleTimeout = .seconds(30)
        bufferedAudio = .seconds(30)
        replayedAudio = .seconds(60)
        maximumReconnects = 15
        contextLimit = .seconds(300)
        keepaliveInterval = .seconds(20)
        keepaliveTimeout = .seconds(5)
        allowsPlaintextToken = false
        tls = ClientTLS()
        cacheDirectory = nil
        utteranceDirectory = nil
        logger = .silent
    }
}
