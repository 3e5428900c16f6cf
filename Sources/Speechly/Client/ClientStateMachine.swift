import Foundation

/// The rules of a client: what start, stop, audio, login, connection and the service's answers lead to.
///
/// Pure: events in, actions out, the time as an argument. An utterance is what becomes of one start: audio from its
/// start to its stop, and the context that the service makes of it. Commands to the service form one queue: start,
/// audio, stop of the first utterance, then those of the second. They wait in `outbox` until a stream is up, and
/// stay in `unacknowledged` until the service has started the context, so that they can be sent again on a new
/// stream when the first one refuses the token.
struct ClientStateMachine {
    /// What a client does not change its mind about.
    struct Settings: Hashable {
        /// Whether every start has to name an app.
        var needsAppId = false
        /// The most audio that waits, in bytes.
        var maximumBufferedBytes = 960_000
        /// How long after its stop the recorder may take to say that it has stopped.
        var recorderStopTimeout = Duration.milliseconds(2500)
        /// How long a recorder that starts anew may take to say that the old recording has stopped.
        var recorderRestartTimeout = Duration.milliseconds(500)
        /// How long the service may take to acknowledge a start.
        var startTimeout = Duration.seconds(10)
        /// How long after a stop the service may be silent.
        var finishTimeout = Duration.seconds(30)
        /// How many streams may be lost in a row before a start that the service has not acknowledged fails.
        var maximumLostStreams = 4
    }

    /// Where an utterance's audio comes from.
    enum Source: Hashable {
        case microphone
        case external
    }

    /// Something to send to the service.
    enum Command: Hashable {
        case start(utterance: Int, appId: String?, options: ContextOptions)
        case audio(utterance: Int, Data)
        case stop(utterance: Int)

        var utterance: Int {
            switch self {
            case .start(let utterance, _, _), .audio(let utterance, _), .stop(let utterance): return utterance
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
        case connect(session: Int)
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

    struct Utterance: Hashable {
        let id: Int
        let appId: String?
        let source: Source
        var capture = Capture.active
        var contextId: String?
        var isStopSent = false
        /// When the service's silence about this utterance becomes a failure.
        var deadline: Duration?
        /// When the recorder's silence after its stop means that it has stopped.
        var captureDeadline: Duration?
        var hasLoggedInAgain = false
        /// How many streams were lost, one after the other, before the service started the context.
        var lostStreams = 0
        var hasLostAudio = false
    }

    /// A start during a tail: audio until the recorder says that the old recording has stopped is the old one's.
    struct Handover: Hashable {
        let old: Int
        let new: Int
        let start: Command
        var audio: [Data] = []
        var deadline: Duration
    }

    enum Link: Hashable {
        case down
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
    var outbox: [Command] = []
    /// Sent since the first start that is not acknowledged; `nil` when that was too much to keep.
    var unacknowledged: [Command]? = []
    var unacknowledgedBytes = 0
    var outboxBytes = 0
    /// Audio that is given to the sender and not yet sent.
    var bytesInFlight = 0
    var isSuspended = false
    var isClosed = false
    var timer: Duration?

    init(settings: Settings) {
        self.settings = settings
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

    /// Whether an external source may hand over more audio.
    var hasRoomForAudio: Bool { outboxBytes + bytesInFlight < min(settings.maximumBufferedBytes, 65_536) }
}
