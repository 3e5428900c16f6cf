import Foundation
import SpeechlyCore

/// The rules of a client: what start, stop, audio, login, connection and the service's answers lead to.
///
/// Pure: events in, actions out, time and chance as arguments. An utterance is what becomes of one start: audio from
/// its start to its stop, and the context that the service makes of it. The service gets them one after the other:
/// start, audio, stop of the first utterance, then those of the second. What a final segment does not cover stays in
/// the utterance's ring, so that a new stream can be given what the lost one had not answered for.
struct ClientStateMachine {
    /// What a client does not change its mind about.
    struct Settings: Hashable {
        /// Where the service is, for people.
        var place = ""
        /// Whether every start has to name an app.
        var needsAppId = false
        /// The most audio that waits, in bytes.
        var maximumBufferedBytes = 960_000
        /// How many utterances may be under way: open for audio, or waiting for their results.
        var maximumUtterances = 100
        /// How long after its stop the recorder may take to say that it has stopped.
        var recorderStopTimeout = Duration.milliseconds(2500)
        /// How long a recorder that starts anew may take to say that the old recording has stopped.
        var recorderRestartTimeout = Duration.milliseconds(500)
        /// How long the service may take to acknowledge a start once it has finished the context before.
        var startTimeout = Duration.seconds(10)
        /// How long the service may be silent when it owes the results of a context that has been stopped.
        var finishTimeout = Duration.seconds(30)
        /// How many streams may be lost in a row before a start that the service has not acknowledged fails.
        var maximumLostStreams = 4
        /// How many attempts in a row are made to get a stream back for a context; 0 gives up at once.
        var maximumReconnects = 15
        /// The most audio that is kept so that it can be sent again, in bytes.
        var maximumReplayBytes = 1_920_000
        /// How long the service lets a context be; `nil` for no limit.
        var contextLimit: Duration? = .seconds(300)
        /// The audio of one second, in bytes.
        var bytesPerSecond = 32_000
        /// The bytes of one sample of every channel.
        var bytesPerFrame = 2
    }

    /// Where an utterance's audio comes from.
    enum Source: Hashable {
        case microphone
        case external
        /// The voice activity detector, which has the recorder to itself.
        case detector
    }

    /// Something to send to the service.
    enum Command: Hashable {
        /// - Parameter from: where in the utterance's audio the context begins, in bytes.
        case start(utterance: Int, appId: String?, options: ContextOptions, from: Int = 0)
        case audio(utterance: Int, Data)
        case stop(utterance: Int)

        var utterance: Int {
            switch self {
            case .start(let utterance, _, _, _), .audio(let utterance, _), .stop(let utterance): return utterance
            }
        }

        var byteCount: Int {
            if case .audio(_, let data) = self { return data.count }
            return 0
        }
    }

    /// What has to be done, in order. `session` names the attempt to get a stream that it belongs to.
    enum Action: Hashable {
        case startRecorder(utterance: Int)
        case stopRecorder
        case suspendRecorder
        case stopSource(utterance: Int)
        /// Log in; drop the refused token first when `renew` is set.
        case login(session: Int, renew: Bool)
        /// Open a stream, on a connection of its own making when `fresh` is set.
        case connect(session: Int, fresh: Bool)
        /// End the stream at once.
        case disconnect
        case send(Command, session: Int)
        /// Room for external audio.
        case roomForAudio
        /// A start that joins an utterance under way.
        case join(utterance: Int, request: Int)
        case started(utterance: Int, contextId: String)
        /// The context is over: complete, or failed.
        case stopped(utterance: Int, contextId: String, Outcome)
        /// The utterance is over before the service has started its context.
        case failed(utterance: Int, Failure)
        /// Something failed that ends no utterance.
        case report(Failure)
        case schedule(at: Duration)
    }

    /// How a started context ended.
    enum Outcome: Hashable {
        /// All results are in.
        case complete
        /// It failed, which is to be reported.
        case failed(Failure)
        /// The owner ended it; who waits for its results gets the failure.
        case ended(Failure)
    }

    enum Capture: Hashable {
        case active
        case tail
        case ended
    }

    /// One context of the service for an utterance.
    ///
    /// There are several while the service still owes the results of all but the last.
    struct Part: Hashable {
        /// Where in the utterance's audio it begins, in bytes.
        let origin: Int
        var continuation: HostResults.Continuation
        var serviceId: String?
        var isStartSent = false
        var isStopSent = false
        /// When the service's silence about it becomes a failure.
        var deadline: Duration?
        /// What came for it before the part ahead of it was complete.
        var held: [RecognitionMessage] = []
    }

    struct Utterance: Hashable {
        let id: Int
        let appId: String?
        let options: ContextOptions
        let source: Source
        var capture = Capture.active
        /// Whether its start is in the order of commands; not so while an utterance before it may get audio.
        var isQueued = false
        /// Its contexts on the stream that is up: none, one, or more while one takes over from another.
        var parts: [Part] = []
        var ring = ReplayRing()
        var results = HostResults()
        /// The context as the host knows it.
        var contextId: String?
        /// When the recorder's silence after its stop means that it has stopped.
        var captureDeadline: Duration?
        var hasLoggedInAgain = false
        var hasTimedOut = false
        /// Audio that was sent again and need not find room.
        var replayedBytes = 0
        var quietBytes = 0
        var hasLostAudio = false
    }

    /// A start during a tail: audio until the recorder says that the old recording has stopped is the old one's.
    struct Handover: Hashable {
        let old: Int
        let new: Int
        var audio: [Data] = []
        var deadline: Duration
    }

    enum Link: Hashable {
        case down
        /// Waiting for the next attempt to get a stream back.
        case waiting
        case loggingIn
        case connecting
        case up
    }

    let settings: Settings
    var link = Link.down
    /// The number of the attempt to get a stream; what belongs to an older one is out of date.
    var session = 0
    /// How the stream ended before it was known to be up.
    var earlyEnd: StreamEnd?
    /// In the order of their starts.
    var utterances: [Utterance] = []
    var handover: Handover?
    /// Recordings that are over for us, and about whose stop the recorder has still to speak.
    var expectedRecorderStops: [Duration] = []
    /// Audio that is given to the sender and not yet sent.
    var bytesInFlight = 0
    var isSuspended = false
    var isClosed = false
    var timer: Duration?

    var lastState = ClientState.disconnected
    var reason = ClientStateChange.Reason.requested
    /// What failed for good, until the owner tries again.
    var permanentFailure: Failure?
    var backoff = Backoff()
    var reconnectDeadline: Duration?
    /// Whether the next connection must not be one that was there before.
    var needsFreshConnection = false
    /// Since when the stream has been of use.
    var linkSince: Duration?
    /// Contexts of streams that are gone: what still comes for them is nobody's.
    var retired: [String] = []
    let jitter: @Sendable () -> Double

    /// - Parameter jitter: chance, evenly from 0 to 1.
    init(settings: Settings, jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }) {
        self.settings = settings
        self.jitter = jitter
    }

    /// How a stream ended.
    enum StreamEnd: Hashable {
        /// The token was refused.
        case refused(Failure)
        /// The connection was lost or had ended before.
        case lost(Failure)
        /// The service ended the stream for another reason.
        case failed(Failure)

        var failure: Failure {
            switch self {
            case .refused(let failure), .lost(let failure), .failed(let failure): return failure
            }
        }
    }

    /// The utterance that is open for audio and has not been asked to stop.
    var listening: Utterance? { utterances.last.flatMap { $0.capture == .active ? $0 : nil } }

    /// The last utterance without an end: the one that a stop is about.
    var stoppable: Utterance? { utterances.last }

    func index(of id: Int) -> Int? { utterances.firstIndex { $0.id == id } }

    /// The audio that waits to be sent, in bytes.
    var waitingBytes: Int {
        let kept = utterances.lazy.filter { [link] in link != .up || !$0.isQueued }.reduce(0) { $0 + $1.ring.count }
        return link == .up ? bytesInFlight + kept : kept
    }

    /// Whether an external source may hand over more audio.
    var hasRoomForAudio: Bool { waitingBytes < min(settings.maximumBufferedBytes, 65_536) && hasRoomToReplay }

    /// A number of bytes of audio as seconds.
    func seconds(_ bytes: Int) -> Double { Double(bytes) / Double(max(1, settings.bytesPerSecond)) }

    /// A time in the audio as a number of bytes, in whole samples.
    func bytes(_ seconds: Double) -> Int {
        let frames = (seconds * Double(settings.bytesPerSecond) / Double(max(1, settings.bytesPerFrame))).rounded()
        return Int(max(0, min(frames, 1e12))) * settings.bytesPerFrame
    }
}
