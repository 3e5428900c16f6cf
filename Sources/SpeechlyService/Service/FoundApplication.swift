import Foundation
import SpeechlySync

/// An application in a folder, not read yet.
struct FoundApplication {
    typealias Problem = ApplicationFolder.Problem

    private static let maximumFiles = 1_000

    var id: UUID
    var projectId: UUID?
    var path: String
    /// Tells one state of its files from another.
    var fingerprint: String

    /// The applications in a folder and in the projects in it, in the order of their paths.
    static func search(
        _ folder: String, project: UUID? = nil
    ) throws(Problem) -> (found: [FoundApplication], problems: [Problem]) {
        var found: [FoundApplication] = []
        var problems: [Problem] = []
        for name in try names(folder) {
            let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
            let isFolder = isFolder(path)
            let isConfiguration = [".sal", ".yaml", ".yml"].contains { name.lowercased().hasSuffix($0) }
            guard isFolder || isConfiguration else { continue }
            let stem = isFolder ? name : String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
            guard let id = UUID(uuidString: stem) else {
                problems.append(Problem(path: path, reason: "its name has to be the UUID of an application"))
                continue
            }
            do throws(Problem) {
                if isFolder, try !names(path).contains(where: { $0 == "config.yaml" || $0 == "config.yml" }) {
                    guard project == nil else {
                        throw Problem(path: path, reason: "there is no config.yaml in it")
                    }
                    let inside = try search(path, project: id)
                    found += inside.found
                    problems += inside.problems
                    if inside.found.isEmpty, inside.problems.isEmpty {
                        let reason = "there is no config.yaml in it, and no application of a project"
                        problems.append(Problem(path: path, reason: reason))
                    }
                } else {
                    found.append(
                        FoundApplication(
                            id: id, projectId: project, path: path,
                            fingerprint: fingerprint(path)))
                }
            } catch {
                problems.append(error)
            }
        }
        return (found, problems)
    }

    private static func names(_ folder: String) throws(Problem) -> [String] {
        if let problem = folder.pathProblem { throw Problem(path: folder, reason: problem) }
        guard let directory = opendir(folder) else {
            throw Problem(path: folder, reason: String(cString: strerror(errno)))
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return path.isWholeInC && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names, sizes and times of a file, or of the files in a folder.
    static func fingerprint(_ path: String) -> String {
        guard isFolder(path) else { return state(path) }
        return ((try? names(path)) ?? []).prefix(maximumFiles).map { "\($0) \(state(path + "/" + $0))" }.joined(
            separator: "\n")
    }

    private static func state(_ path: String) -> String {
        var status = stat()
        guard path.isWholeInC, stat(path, &status) == 0 else { return "missing" }
        return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}
