import Foundation
import SpeechlyGRPC

/// Which applications there are, and who may use them.
struct ApplicationDirectory: Sendable {
    /// Those with a configuration of their own.
    var applications: [UUID: Application] = [:]
    /// What serves the others, if they may log in.
    var other: Application?
    /// The applications that `other` serves; `nil` for any.
    var otherIds: Set<UUID>?
    /// The projects that may log in; `nil` for any.
    var projectIds: Set<UUID>?

    /// The application of an id, if it is served here.
    func application(_ id: UUID) -> Application? {
        if let own = applications[id] { return own }
        return otherIds?.contains(id) ?? true ? other : nil
    }

    /// Whether a project may log in.
    func hasProject(_ id: UUID) -> Bool { projectIds?.contains(id) ?? true }

    /// The application that a token is for; `nil` for a token of a project.
    func application(of holder: TokenClaims) throws(GRPCStatus) -> Application? {
        guard case .application(let text) = holder.scope else { return nil }
        guard let id = UUID(uuidString: text), let application = application(id) else {
            throw GRPCStatus(
                code: .notFound, message: "there is no application \(Self.shown(text)) on this service any more")
        }
        return application
    }

    /// The application that a call names, checked against the token's scope.
    func application(named name: String, for holder: TokenClaims) throws(GRPCStatus) -> Application {
        switch holder.scope {
        case .application(let own):
            guard name.isEmpty || UUID(uuidString: name).map({ $0 == UUID(uuidString: own) }) ?? false else {
                throw .invalid("the call names the application '\(Self.shown(name))', the token is for '\(own)'")
            }
            guard let application = try application(of: holder) else { throw .invalid("the token names nothing") }
            return application
        case .project(let project):
            guard !name.isEmpty else {
                throw .invalid("an application has to be named, because the token is for a project")
            }
            guard let id = UUID(uuidString: name) else {
                throw .invalid("the application id '\(Self.shown(name))' is not a UUID")
            }
            guard let application = application(id),
                application.projectId == nil || application.projectId == UUID(uuidString: project)
            else { throw .invalid("the application '\(name)' is not in the project") }
            return application
        }
    }

    /// Text of a peer as it may stand in a message.
    static func shown(_ text: String) -> String {
        let clean = String(text.prefix(64).map { $0.isNewline || ($0.asciiValue ?? 32) < 32 ? "?" : $0 })
        return text.count > 64 ? clean + "…" : clean
    }
}

extension ApplicationDirectory {
    /// What a configuration says. Applications that are in `old` unchanged are taken from there.
    init(_ configuration: ServiceConfiguration, reusing old: ApplicationDirectory? = nil) throws {
        for item in configuration.applications {
            guard applications[item.id] == nil else {
                throw ServiceConfigurationError.duplicateApplication(id: item.id)
            }
            if let known = old?.applications[item.id], known.revision === item.revision {
                applications[item.id] = known
            } else {
                applications[item.id] = try Application(
                    sal: item.sal, projectId: item.projectId,
                    languageCode: item.language ?? configuration.languageCode,
                    silence: item.silenceTriggeredSegmentation ?? configuration.silenceTriggeredSegmentation,
                    provider: configuration.recognizer, revision: item.revision)
            }
        }
        if configuration.applications.isEmpty || configuration.appIds != nil {
            other = try Application(
                sal: configuration.sal, languageCode: configuration.languageCode,
                silence: configuration.silenceTriggeredSegmentation, provider: configuration.recognizer)
            otherIds = configuration.appIds
        }
        let ownProjects = configuration.applications.compactMap(\.projectId)
        if let given = configuration.projectIds {
            projectIds = given.union(ownProjects)
        } else if !ownProjects.isEmpty {
            projectIds = Set(ownProjects)
        }
    }

    /// Every application, each once.
    var all: [Application] { Array(applications.values) + (other.map { [$0] } ?? []) }
}
