import Dispatch
import Foundation
import SpeechlyAudio
import SpeechlyCore
import SpeechlyGRPC
import SpeechlySync

/// The works of a client: carries out what its state machine decides.
///
/// It outlives the client by as long as its last tasks take, so that releasing a client waits for nothing. Events
/// are taken under one lock, and what follows from them is handed on in the same order: recorder calls to
/// `recorderQueue`, commands to `outbox`, callbacks to `deliveryQueue`.
final class ClientEngine: Sendable {
    struct State {
        var machine: ClientStateMachine
        var recognition = RecognitionState()
        weak var client: Client?
        weak var delegate: SpeechlyDelegate?
        /// Is told every event under the lock.
        var observer: (@Sendable (ClientEvent) -> Void)?
        var voice: VoiceControl
        /// The utterance that the detector has opened.
        var voiceUtterance: Int?
        /// The last start with the microphone, for a device that comes back.
        var lastStart: (appId: String?, options: ContextOptions)?
        var isMicrophoneGone = false
        var lostAudio = LostAudio()
        /// Until when the recorder has to say that the detector's recording has stopped.
        var voiceDeadline: Duration?
        var nextId = 0
        var handles: [Int: UtteranceHandle] = [:]
        var sources: [Int: any AudioSource] = [:]
        var finishedContexts: [String: AudioContext] = [:]
        var inbox: [ClientEvent] = []
        var isDraining = false
        var token: ApiAccessToken?
        var linkTask: Task<Void, Never>?
        /// The last call to an SLU client that is not ours, for the next one to wait for.
        var sluChain: Task<Void, Never>?
        var roomWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
        var outbox = Outbox<SenderItem>()
        /// Whether somebody is sending what is in the outbox.
        var isSending = false
        /// Whether an event is being handled, after which its caller sends.
        var isHandling = false
        var sendsAfterwards = false
        var isWatching = false
        /// When the token is to be renewed.
        var renewal: Duration?
    }

    struct SenderItem: Sendable {
        let command: ClientStateMachine.Command
        let session: Int
    }

    let state: Locked<State>
    let login: ClientLogin
    let sluClient: any SluClientProtocol
    /// The same, where it is ours.
    let ownSluClient: SluClient?
    let sluConfig: SluConfig
    let recorder: RecorderBox
    let recorderQueue = DispatchQueue(
        label: "speechly.Client.recorder", target: .global(qos: .userInitiated))
    /// Serial, whatever the queue is that the owner chose.
    let deliveryQueue: DispatchQueue
    let clock: any ClientClock
    let logger: Logger
    let utterances: UtteranceFiles?
    let events = EventHub<ClientEvent> { .dropped($0) }
    let segments = EventHub<Segment>()
    let levels = EventHub<AudioLevel>(limit: 32)
    let states = EventHub<ClientStateChange>()
    /// What a connection does not outlive; `nil` for a service on this machine.
    let watch: (any ConnectionWatch)?
    let place: String

    init(
        settings: ClientStateMachine.Settings, login: ClientLogin, sluClient: any SluClientProtocol,
        sluConfig: SluConfig, recorder: RecorderBox, voiceActivity: VoiceActivityParameters,
        delegateDispatchQueue: DispatchQueue,
        clock: any ClientClock, logger: Logger, utteranceDirectory: URL?, watch: (any ConnectionWatch)? = nil
    ) {
        self.watch = watch
        ownSluClient = sluClient as? SluClient
        place = ownSluClient?.address.description ?? ""
        var settings = settings
        settings.place = place
        state = Locked(
            State(
                machine: ClientStateMachine(settings: settings),
                voice: VoiceControl(
                    sampleRate: sluConfig.sampleRate, channels: Int(sluConfig.channels), parameters: voiceActivity)))
        self.login = login
        self.sluClient = sluClient
        self.sluConfig = sluConfig
        self.recorder = recorder
        self.clock = clock
        self.logger = logger
        deliveryQueue = DispatchQueue(label: "speechly.Client.delivery", target: delegateDispatchQueue)
        utterances = utteranceDirectory.map {
            UtteranceFiles(
                directory: $0, sampleRate: Int(sluConfig.sampleRate), channels: Int(sluConfig.channels), logger: logger)
        }
    }

    /// Takes an event: lets the machine decide, and carries it out.
    func handle(_ event: (inout State) -> [ClientStateMachine.Action]) {
        let sends = state.withLock { state in
            state.isHandling = true
            let actions = event(&state)
            for action in actions { perform(action, &state) }
            letDetectorRecord(&state)
            notifyState(&state)
            state.isHandling = false
            defer { state.sendsAfterwards = false }
            return state.sendsAfterwards
        }
        if sends { sendAtOnce() }
    }

    /// Ends everything. Waits for nothing.
    func shutdown() {
        handle { $0.machine.close() }
        state.withLock { $0.linkTask?.cancel() }
        events.finish()
        segments.finish()
        levels.finish()
        states.finish()
        recorderQueue.async { [recorder] in recorder.release() }
        guard let ownSluClient else {
            Task { [sluClient] in try? await sluClient.disconnect() }
            return
        }
        ownSluClient.end(suspending: false)
    }
}

/// The recorder, which may be of any class. Sendable: it is used on the engine's recorder queue only, once the
/// client is made.
final class RecorderBox: @unchecked Sendable {
    private var recorder: AudioRecorderProtocol?

    init(_ recorder: AudioRecorderProtocol) {
        self.recorder = recorder
    }

    func setDelegate(_ delegate: AudioRecorderDelegate) { recorder?.delegate = delegate }
    func start() throws { try recorder?.start() }
    func stop() { recorder?.stop() }
    func suspend() throws { try recorder?.suspend() }
    func resume() throws { try recorder?.resume() }

    /// Lets go of the microphone and of the recorder.
    func release() {
        recorder?.delegate = nil
        try? recorder?.suspend()
        recorder = nil
    }
}
