import Foundation

/// A microphone without hardware: a PulseAudio server of this process's own, whose only sink is heard by a device of
/// ``ALSASandbox``. What is played is captured, in real time.
public final class PulseSandbox {
    /// Why there is no server here.
    public struct Unavailable: Error, CustomStringConvertible {
        /// The reason.
        public let description: String
    }

    private let folder: URL
    /// The server's process. Not Foundation's: the server closes all descriptors it inherits, which Foundation takes
    /// for its end.
    private let server: pid_t
    private let environment: [String: String]

    /// The name of the device that hears what is played, for `ALSASandbox`.
    public var microphone: String { "server:SERVER='unix:\(socket)',SOURCE='mic.monitor'" }

    private var socket: String { folder.appendingPathComponent("native").path }

    /// Starts a server, and waits until it answers.
    ///
    /// - Throws: ``Unavailable`` when there is no PulseAudio, or it cannot run.
    public init() throws {
        try ALSASandbox.enter()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("speechly-pulse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        environment = ProcessInfo.processInfo.environment.merging([
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PULSE_RUNTIME_PATH": folder.path,
            "PULSE_SERVER": "unix:\(folder.path)/native", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        ]) { $1 }
        let arguments = [
            "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm=yes", "--log-target=null",
            "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(folder.path)/native",
            "-L", "module-null-sink sink_name=mic rate=48000 channels=2",
        ]
        do { server = try Self.spawn("/usr/bin/pulseaudio", arguments, environment) } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while true {
            if try run("pactl", ["info"]) == 0 { return }
            guard waitpid(server, nil, WNOHANG) == 0, ContinuousClock.now < deadline else {
                throw Unavailable(description: "PulseAudio does not run here")
            }
            usleep(50_000)
        }
    }

    deinit {
        kill(server, SIGKILL)
        waitpid(server, nil, 0)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Plays an audio file to its end.
    public func play(_ file: URL) throws {
        guard try run("paplay", ["-d", "mic", file.path]) == 0 else {
            throw Unavailable(description: "\(file.lastPathComponent) cannot be played")
        }
    }

    private func run(_ tool: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(tool)")
        process.arguments = arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    private static func spawn(_ path: String, _ arguments: [String], _ environment: [String: String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, nil, &argv, &envp)
        guard code == 0 else {
            throw Unavailable(description: "PulseAudio cannot be started: \(String(cString: strerror(code)))")
        }
        return pid
    }
}
