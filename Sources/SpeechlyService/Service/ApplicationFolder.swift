import Foundation
import SpeechlySync

/// A folder of applications, each with a configuration of its own.
///
/// What is in it, by name:
/// - `UUID.sal`, `UUID.yaml`, or a folder `UUID` with a `config.yaml`: an application
/// - a folder `UUID` without a `config.yaml`: a project, with its applications in it
///
/// Names that begin with a dot are passed over; other names are errors, as are other files that look like
/// configurations.
public struct ApplicationFolder: Sendable {
    /// What keeps an application from being used.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The file or folder.
        public let path: String
        /// What is wrong, one line for each error.
        public let reason: String

        /// The reason, behind the path unless it begins with it.
        public var description: String {
            !path.isEmpty && reason.hasPrefix(path) ? reason : "\(path.shownPath): \(reason)"
        }
    }

    /// Why a folder cannot be used as it is: at least one problem.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// In the order of their paths.
        public let problems: [Problem]

        /// The problems, one or more lines each.
        public var description: String { problems.map(\.description).joined(separator: "\n") }
    }

    private struct Entry: Sendable {
        var application: ServiceApplication
        var fingerprint: String
    }

    /// Where it is.
    public let path: String

    private var entries: [String: Entry] = [:]

    /// The applications, in the order of their paths.
    public var applications: [ServiceApplication] { entries.sorted { $0.key < $1.key }.map(\.value.application) }

    /// Reads a folder.
    /// - Throws: ``Failure`` if it cannot be read, has no application, or one of them has errors.
    public init(path: String) throws(Failure) {
        self.path = path
        let problems = reread()
        guard problems.isEmpty else { throw Failure(problems: problems) }
        guard !entries.isEmpty else {
            throw Failure(problems: [
                Problem(path: path, reason: "there is no application in it: put UUID.sal or UUID/config.yaml there")
            ])
        }
    }

    /// Reads again what has changed.
    ///
    /// An application that has errors now stays as it was. A folder that cannot be read changes nothing.
    /// - Returns: what is wrong; empty if all is as the folder says.
    public mutating func reread() -> [Problem] {
        let found: [FoundApplication]
        var problems: [Problem]
        do {
            (found, problems) = try FoundApplication.search(path)
        } catch {
            return [error]
        }
        var next: [String: Entry] = [:]
        var ids: [UUID: String] = [:]
        for item in found {
            if let other = ids[item.id] {
                problems.append(Problem(path: item.path, reason: "the same application as \(other)"))
                continue
            }
            ids[item.id] = item.path
            let old = entries[item.path]
            if let old, old.fingerprint == item.fingerprint, old.application.projectId == item.projectId {
                next[item.path] = old
                continue
            }
            do {
                let application = try ServiceApplication(
                    id: item.id, contentsOfFile: item.path, projectId: item.projectId)
                next[item.path] = Entry(application: application, fingerprint: item.fingerprint)
            } catch {
                problems.append(Problem(path: item.path, reason: String(describing: error)))
                if let old { next[item.path] = old }
            }
        }
        // What is wrong with a name may be an application half way through a change.
        if !problems.isEmpty {
            let taken = Set(next.values.map(\.application.id))
            for (path, old) in entries where next[path] == nil && !taken.contains(old.application.id) {
                next[path] = old
            }
        }
        entries = next
        return problems
    }

    /// What tells whether a configuration of one file, or of one folder with its files, has changed.
    public static func fingerprint(ofConfiguration path: String) -> String {
        FoundApplication.fingerprint(path)
    }

    /// What tells whether something in a folder of applications has changed: names, sizes and times.
    public static func fingerprint(ofFolder path: String) -> String {
        guard let (found, problems) = try? FoundApplication.search(path) else { return "" }
        return found.map { "\($0.path) \($0.fingerprint)" }.joined(separator: "\n") + "\n\(problems)"
    }
}
