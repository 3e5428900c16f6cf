import Foundation
import SpeechlySync

/// Why a file was not read.
struct SALFileProblem: Error {
    var reason: String
}

/// The files of a configuration on disk.
enum SALFolder {
    /// What to compile for a path: a `.yaml` file, a folder that has one, or a file of plain SAL.
    static func input(path: String) throws(ServiceConfigurationError) -> SALInput {
        if let problem = path.pathProblem { throw .unreadable(path: path, reason: problem) }
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        if status.st_mode & S_IFMT == S_IFDIR { return try yaml(path: yamlFile(in: path)) }
        if isYAML(path) { return try yaml(path: path) }
        return SALInput(file: path, bytes: try mainFile(path))
    }

    private static func isYAML(_ path: String) -> Bool {
        let name = path.lowercased()
        return name.hasSuffix(".yaml") || name.hasSuffix(".yml")
    }

    private static func yamlFile(in folder: String) throws(ServiceConfigurationError) -> String {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw .unreadable(path: folder, reason: "\(error.localizedDescription)")
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        for name in ["config.yaml", "config.yml"] where names.contains(name) { return base + name }
        let found = names.filter(isYAML).sorted()
        guard found.count == 1, let name = found.first else {
            throw .unreadable(
                path: folder, reason: found.isEmpty ? "the folder has no config.yaml" : "it has several .yaml files")
        }
        return base + name
    }

    private static func yaml(path: String) throws(ServiceConfigurationError) -> SALInput {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return SALConfigurationReader.read(file: path, bytes: try mainFile(path), folder: folder) {
            bytes(path: folder + $0)
        }
    }

    private static func mainFile(_ path: String) throws(ServiceConfigurationError) -> [UInt8] {
        switch bytes(path: path) {
        case .success(let bytes): return bytes
        case .failure(let problem): throw .unreadable(path: path, reason: problem.reason)
        }
    }

    /// The bytes of a plain file of a size that makes sense. Does not wait for a pipe to be written.
    static func bytes(path: String) -> Result<[UInt8], SALFileProblem> {
        guard path.isWholeInC else { return .failure(SALFileProblem(reason: .notWholeInC)) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return .failure(SALFileProblem(reason: String(cString: strerror(errno)))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(SALFileProblem(reason: "it is not a plain file"))
        }
        guard status.st_size <= SALSource.maximumSize else {
            return .failure(SALFileProblem(reason: "it has more than \(SALSource.maximumSize) bytes"))
        }
        // The size is no promise: the system's own files say 0.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: max(Int(status.st_size) + 1, 4_096))
        while bytes.count <= SALSource.maximumSize {
            let length = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { return .failure(SALFileProblem(reason: String(cString: strerror(errno)))) }
            if length == 0 { return .success(bytes) }
            bytes += chunk[..<length]
        }
        return .failure(SALFileProblem(reason: "it has more than \(SALSource.maximumSize) bytes"))
    }
}
