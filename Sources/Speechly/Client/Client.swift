import Dispatch
import Foundation
import SpeechlyAudio
import SpeechlyCore
import SpeechlyGRPC
import SpeechlySync

/// Microphone or other audio in, recognised segments out.
///
/// A client logs in, connects and keeps one stream for all its contexts, as they are needed. Results come three
/// ways at once: to the ``delegate``, from ``events`` and ``segments``, and from ``start(appId:options:)``,
/// ``stop()`` and ``transcribe(_:appId:options:)``. Every method may be called from any thread, the delegate's
/// callbacks included. Releasing the client ends what is under way, and waits for nothing.
public final class Client: Sendable {
    /// What keeps a client from being made.
    public enum SpeechlyClientInitError: Error, Hashable, Sendable {
        /// Neither an app id nor a project id is given.
        case keysMissing
    }

    let engine: ClientEngine
    /// Understands text where the client knows the service's address.
    let wlu: WluClient?
    /// Lives as long as the client, such as a service in the same process.
    private let companion: (any Sendable)?

    /// The identity service a client uses unless told otherwise: `SPEECHLY_IDENTITY_ADDR` of the environment, or
    /// the public one.
    public static var defaultIdentityAddr: String {
        ProcessInfo.processInfo.environment["SPEECHLY_IDENTITY_ADDR"] ?? "grpc+tls://api.speechly.com"
    }

    /// The SLU service a client uses unless told otherwise: `SPEECHLY_SLU_ADDR` of the environment, or the
    /// public one.
    public static var defaultSluAddr: String {
        ProcessInfo.processInfo.environment["SPEECHLY_SLU_ADDR"] ?? "grpc+tls://api.speechly.com"
    }

    /// Creates a client of a service at an address, with the microphone of this machine.
    ///
    /// - Parameters:
    ///   - appId: the application; this or `projectId` is needed.
    ///   - projectId: the project, for logins that serve all its applications. It comes first when both are given.
    ///   - prepareOnInit: whether to open the microphone's device and log in ahead of time. The login runs in the
    ///     background; when it fails, the first start tries again and reports.
    ///   - identityAddr: the address of the identity service, as `GRPCAddress` reads it.
    ///   - sluAddr: the address of the SLU service, as `GRPCAddress` reads it.
    ///   - delegateDispatchQueue: where the delegate is called.
    ///   - configuration: what else can be set.
    /// - Throws: `SpeechlyClientInitError.keysMissing`, `GRPCAddress.ParseError`, a `Failure` with
    ///   ``Failure/Code/insecureAddress``, or what keeps the microphone from being prepared.
    public convenience init(
        appId: UUID? = nil,
        projectId: UUID? = nil,
        prepareOnInit: Bool = true,
        identityAddr: String = Client.defaultIdentityAddr,
        sluAddr: String = Client.defaultSluAddr,
        delegateDispatchQueue: DispatchQueue = DispatchQueue(
            label: "speechly.Client.delegate", target: .global(qos: .userInitiated)),
        configuration: ClientConfiguration = ClientConfiguration()
    ) throws {
        guard appId != nil || projectId != nil else { throw SpeechlyClientInitError.keysMissing }
        try self.init(
            appId: appId, projectId: projectId, prepareOnInit: prepareOnInit,
            identityAddress: GRPCAddress(addr: identityAddr), sluAddress: GRPCAddress(addr: sluAddr),
            delegateDispatchQueue: delegateDispatchQueue, configuration: configuration, companion: nil)
    }

    /// Creates a client of a service that may be in this process.
    ///
    /// - Parameters:
    ///   - companion: kept for as long as the client lives, and closed with it if it is a ``ClientCompanion``.
    ///   - ownCache: keeps token and device id unless the configuration names a folder.
    package convenience init(
        appId: UUID?, projectId: UUID?, prepareOnInit: Bool, identityAddress: GRPCAddress, sluAddress: GRPCAddress,
        delegateDispatchQueue: DispatchQueue, configuration: ClientConfiguration, companion: (any Sendable)?,
        cache ownCache: (any CacheProtocol)? = nil
    ) throws {
        guard appId != nil || projectId != nil else { throw SpeechlyClientInitError.keysMissing }
        let configuration = configuration.bounded
        for address in [identityAddress, sluAddress] {
            try TokenSafety.check(address, allowsPlaintext: configuration.allowsPlaintextToken)
        }
        let channelConfiguration = Channel.Configuration(
            tls: configuration.tls,
            keepalive: configuration.keepaliveInterval.map {
                .init(interval: $0, timeout: configuration.keepaliveTimeout)
            },
            connectTimeout: configuration.connectTimeout)
        let identity = try RenewableChannel(
            address: identityAddress, configuration: channelConfiguration,
            watch: SystemWatch.watch(for: identityAddress))
        // A connection that is given up must not come back, and one client's must not be another's.
        let makeSluChannel = { @Sendable in
            try Channel(address: sluAddress, configuration: channelConfiguration.forOneAttempt)
        }
        var wluConfiguration = channelConfiguration
        wluConfiguration.ownConnection = true
        var settings = SluClient.Settings()
        settings.connectTimeout = configuration.connectTimeout
        settings.idleTimeout = configuration.idleTimeout
        settings.logger = configuration.logger
        settings.allowsPlaintextToken = configuration.allowsPlaintextToken
        let clock = SystemClock()
        let sluClient = SluClient(
            channel: try makeSluChannel(), delegateQueue: nil, settings: settings, clock: clock,
            makeChannel: makeSluChannel)
        let cache: any CacheProtocol =
            configuration.cacheDirectory.map { FileCache(directory: $0, logger: configuration.logger) }
            ?? ownCache ?? FileCache()
        let identityClient = CachingIdentityClient(
            baseClient: IdentityClient(
                channel: identity, timeout: configuration.loginTimeout ?? configuration.connectTimeout,
                allowsPlaintextToken: configuration.allowsPlaintextToken),
            cache: cache)
        // One queue for both: what has been converted is taken without another thread's being woken for it.
        let queue = DispatchQueue(label: "speechly.Client.audio")
        let recorder = try AudioRecorder(
            sampleRate: 16000, channels: 1, audioQueue: queue, delegateQueue: queue, prepareOnInit: prepareOnInit,
            device: configuration.device,
            chunk: configuration.chunk, tail: configuration.tail, channelSelection: configuration.channelSelection,
            warmth: configuration.warmth, reopensDevice: configuration.reopensDevice)
        let login = ClientLogin(
            appId: appId, projectId: projectId, identityClient: identityClient, cache: cache,
            place: identityAddress.description)
        let wlu = WluClient(
            channel: try RenewableChannel(
                address: sluAddress, configuration: wluConfiguration, watch: SystemWatch.watch(for: sluAddress)),
            timeout: configuration.connectTimeout, allowsPlaintextToken: configuration.allowsPlaintextToken
        ) {
            try await login.authenticate()
        }
        self.init(
            login: login, prepareOnInit: prepareOnInit, sluClient: sluClient, audioRecorder: recorder,
            delegateDispatchQueue: delegateDispatchQueue, configuration: configuration, clock: clock, wlu: wlu,
            companion: companion, watch: SystemWatch.watch(for: sluAddress))
    }

    /// Creates a client of parts that are made elsewhere.
    ///
    /// - Parameters:
    ///   - appId: the application; this or `projectId` is needed.
    ///   - projectId: the project, for logins that serve all its applications. It comes first when both are given.
    ///   - prepareOnInit: whether to log in ahead of time, in the background.
    ///   - sluClient: streams audio to the service.
    ///   - identityClient: logs in.
    ///   - cache: keeps the device id.
    ///   - audioRecorder: captures audio. The client becomes its delegate.
    ///   - delegateDispatchQueue: where the delegate is called.
    /// - Throws: `SpeechlyClientInitError.keysMissing`.
    public convenience init(
        appId: UUID? = nil,
        projectId: UUID? = nil,
        prepareOnInit: Bool,
        sluClient: SluClientProtocol,
        identityClient: IdentityClientProtocol,
        cache: CacheProtocol,
        audioRecorder: AudioRecorderProtocol,
        delegateDispatchQueue: DispatchQueue
    ) throws {
        try self.init(
            appId: appId, projectId: projectId, prepareOnInit: prepareOnInit, sluClient: sluClient,
            identityClient: identityClient, cache: cache, audioRecorder: audioRecorder,
            delegateDispatchQueue: delegateDispatchQueue, configuration: ClientConfiguration())
    }

    /// Creates a client of parts that are made elsewhere, with a configuration. Of that, what concerns the parts
    /// themselves is theirs to know.
    ///
    /// - Parameters:
    ///   - appId: the application; this or `projectId` is needed.
    ///   - projectId: the project, for logins that serve all its applications. It comes first when both are given.
    ///   - prepareOnInit: whether to log in ahead of time, in the background.
    ///   - sluClient: streams audio to the service.
    ///   - identityClient: logs in.
    ///   - cache: keeps the device id.
    ///   - audioRecorder: captures audio. The client becomes its delegate.
    ///   - delegateDispatchQueue: where the delegate is called.
    ///   - configuration: language, options, timeouts and logging.
    /// - Throws: `SpeechlyClientInitError.keysMissing`.
    public convenience init(
        appId: UUID? = nil,
        projectId: UUID? = nil,
        prepareOnInit: Bool,
        sluClient: SluClientProtocol,
        identityClient: IdentityClientProtocol,
        cache: CacheProtocol,
        audioRecorder: AudioRecorderProtocol,
        delegateDispatchQueue: DispatchQueue,
        configuration: ClientConfiguration
    ) throws {
        guard appId != nil || projectId != nil else { throw SpeechlyClientInitError.keysMissing }
        let login = ClientLogin(
            appId: appId, projectId: projectId, identityClient: identityClient, cache: cache, place: "")
        self.init(
            login: login, prepareOnInit: prepareOnInit, sluClient: sluClient, audioRecorder: audioRecorder,
            delegateDispatchQueue: delegateDispatchQueue, configuration: configuration, clock: SystemClock(),
            wlu: nil, companion: nil)
    }

    init(
        login: ClientLogin, prepareOnInit: Bool, sluClient: SluClientProtocol, audioRecorder: AudioRecorderProtocol,
        delegateDispatchQueue: DispatchQueue, configuration: ClientConfiguration, clock: any ClientClock,
        wlu: WluClient?, companion: (any Sendable)?, watch: (any ConnectionWatch)? = nil
    ) {
        let configuration = configuration.bounded
        let sluConfig = SluConfig(
            sampleRate: audioRecorder.sampleRate, channels: audioRecorder.channels,
            languageCode: configuration.languageCode, options: configuration.streamOptions)
        let recorder = RecorderBox(audioRecorder)
        engine = ClientEngine(
            settings: configuration.machineSettings(
                needsAppId: login.projectId != nil,
                bytesPerSecond: sluConfig.sampleRate * Double(sluConfig.channels) * 2,
                bytesPerFrame: Int(sluConfig.channels) * 2),
            login: login, sluClient: sluClient, sluConfig: sluConfig, recorder: recorder,
            voiceActivity: configuration.voiceActivity, delegateDispatchQueue: delegateDispatchQueue, clock: clock,
            logger: configuration.logger,
            utteranceDirectory: configuration.utteranceDirectory, watch: watch)
        self.wlu = wlu
        self.companion = companion
        engine.state.withLock { $0.client = self }
        recorder.setDelegate(engine)
        sluClient.delegate = engine
        if prepareOnInit { engine.handle { $0.machine.prepare() } }
    }

    deinit { engine.shutdown() }

    /// Sets who is told of every event as it happens, in order and with none left out; `nil` for nobody.
    ///
    /// - Parameter observer: called with a lock held: it keeps the event and returns.
    package func observe(_ observer: (@Sendable (ClientEvent) -> Void)?) {
        engine.state.withLock { $0.observer = observer }
    }

    /// Ends everything, and waits until a service that came with the client is gone and has removed its files. The
    /// client is of no use afterwards.
    package func close() async {
        engine.shutdown()
        await (companion as? ClientCompanion)?.close()
    }

    /// The id of this device: made once, and kept in the cache.
    public var deviceId: UUID { engine.login.deviceId }
}

extension Client.SpeechlyClientInitError: CustomStringConvertible, LocalizedError {
    /// What is missing.
    public var description: String { "neither an app id nor a project id is given" }

    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension ClientConfiguration {
    /// The configuration with every duration within what can be reckoned with.
    var bounded: ClientConfiguration {
        var copy = self
        let settings: [WritableKeyPath<ClientConfiguration, Duration>] = [
            \.chunk, \.tail, \.connectTimeout, \.startTimeout, \.finishTimeout, \.idleTimeout, \.bufferedAudio,
            \.replayedAudio, \.keepaliveTimeout,
        ]
        for setting in settings { copy[keyPath: setting] = self[keyPath: setting].within() }
        copy.loginTimeout = loginTimeout?.within()
        copy.keepaliveInterval = keepaliveInterval?.within()
        // A shorter one would have the client start contexts and send nothing.
        copy.contextLimit = contextLimit?.within(.seconds(1) ... .longest)
        return copy
    }

    func machineSettings(needsAppId: Bool, bytesPerSecond: Double, bytesPerFrame: Int) -> ClientStateMachine.Settings {
        var settings = ClientStateMachine.Settings()
        settings.needsAppId = needsAppId
        settings.maximumBufferedBytes = Int(max(10, bufferedAudio.seconds) * max(0, bytesPerSecond))
        settings.recorderStopTimeout = tail + .seconds(2)
        settings.startTimeout = startTimeout
        settings.finishTimeout = finishTimeout
        settings.bytesPerSecond = Int(max(1, bytesPerSecond))
        settings.bytesPerFrame = max(1, bytesPerFrame)
        settings.maximumReplayBytes = Int(max(0, replayedAudio.seconds) * max(0, bytesPerSecond))
        settings.maximumReconnects = max(0, maximumReconnects)
        settings.contextLimit = contextLimit
        return settings
    }
}

/// What comes with a client and ends with it.
package protocol ClientCompanion: Sendable {
    /// Ends, and waits until nothing of it is left.
    func close() async
}
