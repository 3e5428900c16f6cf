import Foundation

/// ALSA devices for tests on machines without sound.
///
/// ALSA reads its configuration from a file of this process's own, in which `default` is ALSA's `null` device
/// (silence without end) and ``fileDevice(_:)`` names devices that deliver a file.
public enum ALSASandbox {
    private static let configuration: URL? = {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("speechly-alsa-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        let file = folder.appendingPathComponent("asound.conf")
        let text = """
            </usr/share/alsa/alsa.conf>
            pcm.!default { type plug slave.pcm "null" }
            pcm.described {
                type plug
                slave.pcm "null"
                hint { show on description "A microphone of the tests" }
            }
            pcm.server {
                @args [ SERVER SOURCE ]
                @args.SERVER { type string }
                @args.SOURCE { type string }
                type pulse
                server $SERVER
                device $SOURCE
            }
            pcm.samples {
                @args [ FILE ]
                @args.FILE { type string }
                type file
                slave.pcm "null"
                file "/dev/null"
                infile $FILE
                format "raw"
            }
            """
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        } catch { return nil }
        setenv("ALSA_CONFIG_PATH", file.path, 1)
        atexit {
            if let path = ALSASandbox.configuration {
                try? FileManager.default.removeItem(at: path.deletingLastPathComponent())
            }
        }
        return file
    }()

    /// Makes ALSA use the configuration; to be called in a test class's `setUp`, before anything opens a device.
    public static func enter() throws {
        guard configuration != nil else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The path of the configuration file, for the environment of child processes (`ALSA_CONFIG_PATH`).
    public static var configurationPath: String { configuration?.path ?? "" }

    /// The name of a device that delivers the bytes of a file as the samples it is asked for, as fast as they are
    /// read, and zeros after their end.
    ///
    /// - Parameter url: The file, without a header. Its path must have no quotes and commas.
    public static func fileDevice(_ url: URL) -> String { "samples:FILE='\(url.path)'" }
}
