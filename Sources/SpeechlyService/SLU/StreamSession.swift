import SpeechlyGRPC
import SpeechlyProto

/// The order rules of one SLU stream as a pure state machine: a request in, what to do out.
struct StreamSession {
    /// What a request asks the service to do.
    enum Action {
        case nothing
        case open(ContextSettings, Application)
        case audio([UInt8])
        case close
        /// The client sends nothing more, and no context is open.
        case end
    }

    /// Longest context, in seconds of audio.
    static let maximumContextSeconds = 5 * 60
    /// A request has to be smaller than this, in bytes.
    static let maximumRequestBytes = 1_000_000
    private static let sampleRates: ClosedRange<Int32> = 8_000...192_000

    private enum Phase {
        case unconfigured
        case idle
        case listening(samples: Int)
        case ended
    }

    private let holder: TokenClaims
    private let catalog: ApplicationCatalog
    private var languageCode = ""
    private var phase = Phase.unconfigured
    private var streamOptions: [(key: String, values: [String])] = []

    /// Samples per second of the audio that comes; known once the stream is configured.
    private(set) var sampleRate = 0

    init(holder: TokenClaims, catalog: ApplicationCatalog) {
        self.holder = holder
        self.catalog = catalog
    }

    /// Takes the next request, of `size` bytes on the wire.
    mutating func receive(_ request: SLURequest, size: Int) throws(GRPCStatus) -> Action {
        do throws(GRPCStatus) {
            guard size < Self.maximumRequestBytes else {
                throw GRPCStatus(
                    code: .resourceExhausted,
                    message:
                        "a request of \(size) bytes: send the audio in pieces below \(Self.maximumRequestBytes) bytes")
            }
            return try handle(request)
        } catch {
            phase = .ended
            throw error
        }
    }

    /// Takes the end of the client's requests.
    mutating func receiveEnd() throws(GRPCStatus) -> Action {
        defer { phase = .ended }
        switch phase {
        case .listening:
            throw .precondition("the stream was closed while a context is open: send stop first")
        case .ended: return .nothing
        case .unconfigured, .idle: return .end
        }
    }

    private mutating func handle(_ request: SLURequest) throws(GRPCStatus) -> Action {
        if case .ended = phase { return .nothing }
        if case .config(let config)? = request.streamingRequest {
            guard case .unconfigured = phase else { throw .precondition("config was sent twice: it comes once, first") }
            try configure(config)
            phase = .idle
            return .nothing
        }
        if case .unconfigured = phase { throw .invalid("the first message of a stream has to be config") }
        switch request.streamingRequest {
        case .start(let start)?:
            return try open(appId: start.appId, options: start.options.map { ($0.key, $0.value) })
        case .event(let event)?:
            switch event.event {
            case .start: return try open(appId: event.appId, options: [])
            case .stop: return try close()
            default: throw .invalid("event \(event.event.rawValue) is unknown: START is 0, STOP is 1")
            }
        case .stop?: return try close()
        case .audio(let audio)?: return try hear(audio)
        case .config?, .rttResponse?, nil: return .nothing
        }
    }

    private mutating func configure(_ config: SLUConfig) throws(GRPCStatus) {
        guard config.encoding == .linear16 else {
            throw .invalid("encoding \(config.encoding.rawValue) is not supported: send LINEAR16 (0)")
        }
        guard config.channels == 1 else {
            throw .invalid("\(config.channels) channels are not supported: send 1")
        }
        guard Self.sampleRates.contains(config.sampleRateHertz) else {
            throw .invalid(
                "a sample rate of \(config.sampleRateHertz) Hz is not supported: send "
                    + "\(Self.sampleRates.lowerBound) to \(Self.sampleRates.upperBound) Hz, best 16000")
        }
        // With a token for a project each context has its own.
        try catalog.current.application(of: holder)?.checkLanguage(config.languageCode)
        languageCode = config.languageCode
        streamOptions = config.options.map { ($0.key, $0.value) }
        _ = try ContextSettings(streamOptions)
        sampleRate = Int(config.sampleRateHertz)
    }

    private mutating func open(
        appId: String, options: [(key: String, values: [String])]
    ) throws(GRPCStatus) -> Action {
        guard case .idle = phase else { throw .precondition("start was sent while a context is open: send stop first") }
        let application = try catalog.current.application(named: appId, for: holder)
        try application.checkLanguage(languageCode)
        // Later ones win: those of the context over those of the stream.
        let options = try ContextSettings(streamOptions + options)
        phase = .listening(samples: 0)
        return .open(options, application)
    }

    private mutating func close() throws(GRPCStatus) -> Action {
        guard case .listening = phase else { throw .precondition("stop was sent without a start") }
        phase = .idle
        return .close
    }

    private mutating func hear(_ audio: [UInt8]) throws(GRPCStatus) -> Action {
        guard case .listening(let before) = phase else { throw .precondition("audio was sent without a start") }
        guard audio.count % 2 == 0 else {
            throw .invalid("a piece of audio has \(audio.count) bytes: 16-bit samples need an even number")
        }
        let samples = before + audio.count / 2
        guard samples <= Self.maximumContextSeconds * sampleRate else { throw .contextTooLong }
        phase = .listening(samples: samples)
        return audio.isEmpty ? .nothing : .audio(audio)
    }
}
