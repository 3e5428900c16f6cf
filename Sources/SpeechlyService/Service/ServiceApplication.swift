import Foundation

/// An application of a service, with a configuration of its own.
public struct ServiceApplication: Sendable {
    /// Tells whether an application was made anew.
    final class Revision: Sendable {}

    /// Its id, with which devices log in.
    public let id: UUID

    /// The project it belongs to; with `nil` a token for any project may use it.
    public let projectId: UUID?

    /// What it understands; `nil` for open vocabulary.
    public let sal: SALConfiguration?

    let revision = Revision()

    /// An application for a compiled configuration. One that describes nothing is as none: anything may be said.
    public init(id: UUID, sal: SALConfiguration?, projectId: UUID? = nil) {
        self.id = id
        self.projectId = projectId
        self.sal = sal.flatMap { $0.isEmpty ? nil : $0 }
        language = sal?.language
        silenceTriggeredSegmentation = sal?.silenceTriggeredSegmentation
    }

    /// The language and the silence that the configuration names, also if it describes nothing else.
    let language: String?
    let silenceTriggeredSegmentation: Duration?

    /// An application for what a file says; see ``ServiceConfiguration/init(contentsOfFile:)``.
    /// - Throws: ``ServiceConfigurationError`` if it cannot be read, `SALError` if it has errors.
    public init(id: UUID, contentsOfFile path: String, projectId: UUID? = nil) throws {
        self.init(id: id, sal: try SALCompiler.compile(contentsOfFile: path), projectId: projectId)
    }
}
