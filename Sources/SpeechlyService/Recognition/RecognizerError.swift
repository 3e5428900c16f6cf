/// Why speech cannot be recognised.
public enum RecognizerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file of the model is missing or cannot be read.
    case modelMissing(path: String, package: String)

    /// The configuration has more words, or a larger grammar, than a recogniser can hold.
    case tooLarge(what: String, count: Int, limit: Int)

    /// The engine refused a step.
    case engineFailed(step: String)

    /// A file that the engine needs for itself could not be written.
    case temporaryFile(path: String, reason: String)

    /// The model cannot recognise this language.
    case unsupportedLanguage(String)

    /// What went wrong, where, and what to do about it.
    public var description: String {
        switch self {
        case .modelMissing(let path, let package):
            "the recogniser's model file \(path) cannot be read; install the package \(package)"
        case .tooLarge(let what, let count, let limit):
            "the configuration has \(count) \(what), the recogniser takes at most \(limit); split the configuration"
        case .engineFailed(let step):
            "pocketsphinx failed to \(step)"
        case .temporaryFile(let path, let reason):
            "cannot write the recogniser's dictionary \(path): \(reason); check TMPDIR and the space left there"
        case .unsupportedLanguage(let code):
            "the recogniser's model hears US English (en-US), not \(code)"
        }
    }
}
