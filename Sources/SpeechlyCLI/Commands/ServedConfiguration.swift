import Foundation
import SpeechlyService

/// What `speechly serve` serves, and how it is read again.
struct ServedConfiguration: Sendable {
    private enum Source {
        case nothing
        case file(String)
        case folder(ApplicationFolder)
    }

    private var source: Source
    private let appIds: Set<UUID>?
    private let projectIds: Set<UUID>?

    /// Reads what is to be served.
    /// - Parameters:
    ///   - file: a configuration for every application.
    ///   - folder: a folder of applications, each with its own.
    init(
        file: String?, folder: String?, appIds: Set<UUID>?, projectIds: Set<UUID>?
    ) throws(CommandFailure) {
        self.appIds = appIds
        self.projectIds = projectIds
        if let folder {
            do {
                source = .folder(try ApplicationFolder(path: folder))
            } catch {
                throw Self.failure(error.problems, folder)
            }
        } else {
            source = file.map { .file($0) } ?? .nothing
        }
    }

    /// The configuration as it was read last; a file is read each time.
    func configuration() throws(CommandFailure) -> ServiceConfiguration {
        var configuration: ServiceConfiguration
        switch source {
        case .nothing: configuration = ServiceConfiguration()
        case .file(let path): configuration = try SALFile.configuration(path)
        case .folder(let folder):
            configuration = ServiceConfiguration()
            configuration.applications = folder.applications
        }
        configuration.appIds = appIds
        configuration.projectIds = projectIds
        return configuration
    }

    /// Reads again and puts what is right in its place; what has errors stays as it was, and the log says why.
    mutating func reload(_ service: EmbeddedService) {
        if case .folder(var folder) = source {
            for problem in folder.reread() { service.reportReloadFailure(problem.description) }
            source = .folder(folder)
        }
        let read: ServiceConfiguration
        do throws(CommandFailure) {
            read = try configuration()
        } catch {
            return service.reportReloadFailure(error.what.isEmpty ? error.why : "\(error.what): \(error.why)")
        }
        // The service itself logs and counts what it makes of it.
        try? service.reload(read)
    }

    /// Tells whether something has changed on disk.
    static func fingerprint(file: String?, folder: String?) -> String {
        if let folder { return ApplicationFolder.fingerprint(ofFolder: folder) }
        return file.map { ApplicationFolder.fingerprint(ofConfiguration: $0) } ?? ""
    }

    private static func failure(_ problems: [ApplicationFolder.Problem], _ folder: String) -> CommandFailure {
        guard let first = problems.first else { return CommandFailure(folder, "there is no application in it") }
        let line = first.description.split(whereSeparator: \.isNewline).first.map(String.init) ?? first.path
        let more = problems.count - 1
        return CommandFailure("", more == 0 ? line : "\(line) (and \(more) more applications have errors)")
    }
}
