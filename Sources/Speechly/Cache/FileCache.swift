import Foundation
import SpeechlySync

/// A cache of one small file per value, for this user alone.
///
/// The folder has mode 0700 and each file 0600. A file is written aside and moved into place, so that readers
/// and other processes see the old value or the new one, never half of it. What cannot be read counts as absent
/// and is replaced by the next value; when nothing can be written, values last as long as the program.
public final class FileCache: CacheProtocol, Sendable {
    /// The folder that holds the values.
    public let directory: URL

    /// The user's home, where the folder is in it. Without one there is nowhere to keep anything: a program that
    /// runs as root would make a home that no account has.
    private let home: URL?

    private let unsaved = Locked<[String: String]>([:])
    private let logger: Logger

    /// The longest value that is read, in bytes.
    private static let maximumLength = 1 << 20

    /// Creates a cache in `$XDG_STATE_HOME/speechly`, or in `~/.local/state/speechly`.
    public convenience init() {
        self.init(environment: ProcessInfo.processInfo.environment)
    }

    /// Creates a cache in the folder that an environment asks for.
    init(environment: [String: String], logger: Logger = .silent) {
        directory = Self.defaultDirectory(environment: environment)
        home = Self.stateHome(environment) == nil ? Self.home(environment) : nil
        self.logger = logger
    }

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - directory: the folder for the values. It is made when the first value is kept.
    ///   - logger: where problems with the files are reported.
    public init(directory: URL, logger: Logger = .silent) {
        self.directory = directory
        home = nil
        self.logger = logger
    }

    /// The folder that a cache has unless told otherwise.
    ///
    /// - Parameter environment: the environment variables to look at.
    static func defaultDirectory(environment: [String: String]) -> URL {
        let state = stateHome(environment) ?? home(environment).appendingPathComponent(".local/state")
        return state.appendingPathComponent("speechly")
    }

    private static func stateHome(_ environment: [String: String]) -> URL? {
        // A relative path here has to be ignored, says the base directory specification.
        environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
    }

    private static func home(_ environment: [String: String]) -> URL {
        environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil }
            ?? FileManager.default.homeDirectoryForCurrentUser
    }

    /// Keeps a value, in place of the one before.
    public func setValue(_ value: String, forKey: String) {
        let path = path(forKey)
        do {
            let temporary = try writeAside(value)
            var isMoved = rename(temporary, path) == 0
            // An empty folder in the file's place is damage like any other.
            if !isMoved, rmdir(path) == 0 { isMoved = rename(temporary, path) == 0 }
            guard isMoved else {
                let error = FileCacheError(step: "move into place", path: path)
                unlink(temporary)
                throw error
            }
            forgetUnsaved(forKey)
        } catch {
            keepUnsaved(value, forKey, error)
        }
    }

    /// Looks a value up.
    public func getValue(forKey: String) -> String? {
        if let value = unsaved.withLock({ $0[forKey] }) { return value }
        return readFile(path(forKey))
    }

    /// Keeps a value unless there is one; of two processes that try at once, one wins and both get its value.
    public func setValueIfAbsent(_ value: String, forKey: String) -> String {
        setValueIfAbsent(value, forKey: forKey) { _ in true }
    }

    /// Keeps a value unless there is one that is of use; of two processes that find the same damage at once, one mends
    /// it and both get its value.
    public func setValueIfAbsent(_ value: String, forKey: String, isUsable: (String) -> Bool) -> String {
        if let present = getValue(forKey: forKey), isUsable(present) { return present }
        do {
            let temporary = try writeAside(value)
            defer { unlink(temporary) }
            if link(temporary, path(forKey)) == 0 { return value }
            guard errno == EEXIST else { throw FileCacheError(step: "create", path: path(forKey)) }
            let lock = FolderLock(directory.path)
            defer { lock.release() }
            if let present = readFile(path(forKey)), isUsable(present) { return present }
            setValue(value, forKey: forKey)
        } catch {
            keepUnsaved(value, forKey, error)
        }
        return value
    }

    /// Forgets a value.
    public func removeValue(forKey: String) {
        forgetUnsaved(forKey)
        unlink(path(forKey))
    }

    private func keepUnsaved(_ value: String, _ key: String, _ error: any Error) {
        logger.log(.warning, "a value cannot be kept beyond this run: \(error)")
        unsaved.withLock { $0[key] = value }
    }

    private func forgetUnsaved(_ key: String) {
        unsaved.withLock { $0[key] = nil }
    }

    /// The file of a value. Letters, digits, `-`, `_` and inner `.` stand for themselves.
    private func path(_ key: String) -> String {
        var name = ""
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: ".") where !name.isEmpty: name += "."
            default: name += "%" + String(byte, radix: 16)
            }
        }
        // A file name has at most 255 bytes; a hash keeps long ones apart.
        if name.utf8.count > 200 {
            let hash = name.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
            name = name.prefix(160) + "%" + String(hash, radix: 16)
        }
        return directory.appendingPathComponent(name.isEmpty ? "%" : name).path
    }

    private func readFile(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let data = try? file.read(upToCount: Self.maximumLength + 1), !data.isEmpty,
            data.count <= Self.maximumLength
        else { return nil }
        return String(data: data, encoding: .utf8)
    }

    /// Writes a value to a new file in the folder and returns the file's path.
    private func writeAside(_ value: String) throws -> String {
        try makeDirectory()
        let temporary = directory.appendingPathComponent(".new-\(UUID().uuidString)").path
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileCacheError(step: "create", path: temporary) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(value.utf8))
            try file.synchronize()
            try file.close()
        } catch {
            unlink(temporary)
            throw error
        }
        return temporary
    }

    private func makeDirectory() throws {
        var status = stat()
        if stat(directory.path, &status) == 0 {
            // A folder that others can enter would give the tokens away.
            if status.st_mode & 0o077 != 0 { chmod(directory.path, 0o700) }
            return
        }
        if let home, stat(home.path, &status) != 0 {
            throw FileCacheError(step: "use the home folder", path: home.path)
        }
        try FileManager.default.createDirectory(
            at: directory.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard mkdir(directory.path, 0o700) == 0 || errno == EEXIST else {
            throw FileCacheError(step: "make the folder", path: directory.path)
        }
    }
}

/// A step with a file that failed, with the system's reason.
private struct FileCacheError: Error, CustomStringConvertible {
    let step: String
    let path: String
    let reason = String(cString: strerror(errno))

    var description: String { "cannot \(step) (\(path)): \(reason)" }
}
