import Foundation
import SpeechlyGRPC
import SpeechlySync

/// What an ``EmbeddedService`` understands, hears with, and allows.
public struct ServiceConfiguration: Sendable {
    /// The compiled configuration; `nil` for open vocabulary: words are recognised, nothing is understood.
    public let sal: SALConfiguration?

    /// Applications with configurations of their own. Where there are any, no other application may log in
    /// but those of ``appIds``.
    public var applications: [ServiceApplication] = []

    /// The applications that may log in for ``sal``; `nil` for any, or for none if there are ``applications``.
    public var appIds: Set<UUID>?

    /// The projects that may log in, beside those that ``applications`` belong to; `nil` for any, unless
    /// applications belong to some.
    public var projectIds: Set<UUID>?

    /// The key that signs the tokens. Every service with the same key accepts them. A random one unless set,
    /// so that a restart asks clients to log in again.
    public var tokenKey: TokenKey?

    /// Where the log goes; nowhere unless set.
    public var log = ServiceLog.silent

    /// The language that is spoken, as a BCP 47 tag. The shipped recogniser hears US English.
    public var languageCode = "en-US"

    /// How long a silence ends a segment unless a client says so itself; zero, the default, for never: then nothing is
    /// final before the context is stopped, which suits a button that is held while someone speaks. Where a context
    /// stays open, 500 to 1,000 ms make a result of each thing that is said.
    public var silenceTriggeredSegmentation = Duration.zero

    /// Makes the recognisers.
    public var recognizer = RecognizerProvider.pocketSphinx()

    /// Most recognisers in memory, and so most contexts whose audio is heard at a time. A context
    /// that finds none free waits for ten seconds, then fails with `RESOURCE_EXHAUSTED`. The shipped
    /// recogniser takes some megabytes with a small configuration, and a hundred without one.
    public var maximumRecognizers = 32

    /// Threads that recognise speech; one for each processor unless set, and 1 to 256.
    public var decodingThreads = ProcessInfo.processInfo.activeProcessorCount

    /// Most SLU streams at a time; more end with `RESOURCE_EXHAUSTED`.
    public var maximumStreams = 2_000

    /// Most SLU streams at a time of one device and application; more end with `RESOURCE_EXHAUSTED`.
    public var maximumStreamsPerClient = 100

    /// Longest file of a batch job, in bytes; a longer one ends with `RESOURCE_EXHAUSTED`. Files wait on disk,
    /// in a temporary folder.
    public var maximumBatchBytes = 256 << 20

    /// Most batch jobs that wait or run at a time; more end with `RESOURCE_EXHAUSTED`. One runs at a time for
    /// every two ``decodingThreads``, so that streams go on.
    public var maximumBatchJobs = 100

    /// A service for anything that may be said.
    public init() { sal = nil }

    /// A service for what a configuration in SAL says.
    /// - Parameters:
    ///   - sal: the source text.
    ///   - file: what error messages call the text.
    /// - Throws: `SALError` with every error and its position.
    public init(sal: String, file: String = "configuration.sal") throws {
        self.init(sal: try SALCompiler.compile(sal, file: file))
    }

    /// A service for what a file says: plain SAL, a `.yaml` file, or a folder with a `config.yaml` and the
    /// CSV files it imports.
    /// - Throws: ``ServiceConfigurationError`` if it cannot be read, `SALError` if it has errors.
    public init(contentsOfFile path: String) throws {
        self.init(sal: try SALCompiler.compile(contentsOfFile: path))
    }

    /// A service for a compiled configuration, in the language it names. One that describes nothing is as
    /// none: anything may be said.
    public init(sal: SALConfiguration) {
        self.sal = sal.isEmpty ? nil : sal
        if let language = sal.language { languageCode = language }
        silenceTriggeredSegmentation = sal.silenceTriggeredSegmentation ?? .zero
    }
}

/// Why a configuration file was not read.
public enum ServiceConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read as text.
    case unreadable(path: String, reason: String)
    /// Two applications have the same id.
    case duplicateApplication(id: UUID)

    /// The file and the reason.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "cannot read the configuration \(path.shownPath): \(reason)"
        case .duplicateApplication(let id): "there are two applications \(id.uuidString.lowercased())"
        }
    }
}
