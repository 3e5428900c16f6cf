import Foundation
import SpeechlyService

/// Reads SAL files for the commands that need one.
enum SALFile {
    /// Compiles a file. Throws its first error, and says how many more there are.
    static func configuration(_ path: String) throws(CommandFailure) -> ServiceConfiguration {
        do {
            return try ServiceConfiguration(contentsOfFile: path)
        } catch let error as SALError {
            throw failure(error, path)
        } catch {
            throw CommandFailure("", String(describing: error))
        }
    }

    static func failure(_ error: SALError, _ path: String) -> CommandFailure {
        guard let first = error.errors.first else { return CommandFailure(path, "the configuration does not compile") }
        let more = error.errors.count - 1 + error.omitted[.error, default: 0]
        let rest = more == 0 ? "" : " (and \(more) more; see 'speechly sal check \(path)')"
        return CommandFailure("\(first.file):\(first.line):\(first.column)", first.message + rest)
    }
}
