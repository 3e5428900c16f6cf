import Foundation
import SpeechlyGRPC

/// An application as it is served: what it understands, and what hears it.
///
/// A context keeps the one it was started with, so that replacing it disturbs no context.
final class Application: Sendable {
    /// The project it belongs to; nil for all.
    let projectId: UUID?
    let languageCode: String
    let interpreter: Interpreter
    let recognizers: RecognizerKind
    /// What it was made of; nil for the service's own configuration.
    let revision: ServiceApplication.Revision?

    init(
        projectId: UUID? = nil, languageCode: String, interpreter: Interpreter, recognizers: RecognizerKind,
        revision: ServiceApplication.Revision? = nil
    ) {
        self.projectId = projectId
        self.languageCode = languageCode
        self.interpreter = interpreter
        self.recognizers = recognizers
        self.revision = revision
    }

    /// Prepares what the recognisers of an application share.
    convenience init(
        sal: SALConfiguration?, projectId: UUID? = nil, languageCode: String, silence: Duration,
        provider: RecognizerProvider, revision: ServiceApplication.Revision? = nil
    ) throws {
        var interpreter = Interpreter(configuration: sal)
        interpreter.silenceTriggeredSegmentation = silence.milliseconds
        let task = RecognitionTask(
            grammar: sal?.graph, vocabulary: (sal?.vocabulary ?? []).sorted(), languageCode: languageCode)
        self.init(
            projectId: projectId, languageCode: languageCode, interpreter: interpreter,
            recognizers: RecognizerKind(make: try provider.prepare(task)), revision: revision)
    }

    /// Checks a language that a client asks for. None means the application's.
    func checkLanguage(_ code: String) throws(GRPCStatus) {
        guard !code.isEmpty else { return }
        guard Self.primary(code) == Self.primary(languageCode) else {
            throw .invalid(
                "the language '\(ApplicationDirectory.shown(code))' is not served here: the application is for "
                    + languageCode)
        }
    }

    private static func primary(_ code: String) -> String {
        String(code.prefix { $0 != "-" && $0 != "_" }).lowercased()
    }
}

extension Duration {
    /// In whole milliseconds, from none to ten minutes.
    fileprivate var milliseconds: Int {
        let limited = min(max(self, .zero), .seconds(600))
        return Int(limited.components.seconds) * 1000 + Int(limited.components.attoseconds / 1_000_000_000_000_000)
    }
}
