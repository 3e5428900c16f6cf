import Foundation

/// Certificates made with the `openssl` command, once per test process.
public struct Certificates: Sendable {
    /// A certificate and its key, in PEM.
    public struct Pair: Sendable {
        /// The certificate.
        public let certificate: [UInt8]
        /// The key.
        public let key: [UInt8]
    }

    /// Who signed those of the servers and of `client`.
    public let authority: [UInt8]
    /// For `localhost` and 127.0.0.1.
    public let server: Pair
    /// For another host.
    public let wrongName: Pair
    /// For `localhost`, but no longer valid.
    public let expired: Pair
    /// For `localhost`, signed by itself.
    public let selfSigned: Pair
    /// For a client.
    public let client: Pair
    /// Signed by somebody else.
    public let otherClient: Pair

    /// Made when they are first asked for.
    public static let shared = Result { try Certificates() }

    /// A step that failed.
    public struct Failed: Error {
        /// The step.
        public let what: String
    }

    private init() throws {
        var template = Array((NSTemporaryDirectory() + "/speechly-certificates-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Failed(what: "mkdtemp") }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: directory) }

        func openssl(_ arguments: String...) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["openssl"] + arguments
            process.currentDirectoryURL = URL(fileURLWithPath: directory)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failed(what: "openssl \(arguments.joined(separator: " "))")
            }
        }

        func bytes(_ name: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)")))
        }

        func selfSigned(_ name: String, _ subject: String, _ extensions: String) throws -> Pair {
            try openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650",
                "-keyout", "\(name).key", "-out", "\(name).pem", "-subj", "/CN=\(subject)", "-addext", extensions)
            return Pair(certificate: try bytes("\(name).pem"), key: try bytes("\(name).key"))
        }

        func signed(_ name: String, _ extensions: String, validFor dates: [String] = ["-days", "3650"]) throws -> Pair {
            try openssl(
                "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", "\(name).key", "-out", "\(name).csr", "-subj", "/CN=\(name)")
            try Data(extensions.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name).ext"))
            let arguments =
                ["openssl", "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key"]
                + ["-CAcreateserial", "-out", "\(name).pem", "-extfile", "\(name).ext"] + dates
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            process.currentDirectoryURL = URL(fileURLWithPath: directory)
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failed(what: arguments.joined(separator: " "))
            }
            return Pair(certificate: try bytes("\(name).pem"), key: try bytes("\(name).key"))
        }

        authority = try selfSigned("ca", "Test Authority", "basicConstraints=critical,CA:TRUE").certificate
        let local = "subjectAltName=DNS:localhost,IP:127.0.0.1"
        server = try signed("server", local)
        wrongName = try signed("wrong", "subjectAltName=DNS:example.org")
        expired = try signed("expired", local, validFor: ["-days", "-1"])
        client = try signed("client", "extendedKeyUsage=clientAuth")
        self.selfSigned = try selfSigned("self", "localhost", local)
        otherClient = try selfSigned("other", "other", "extendedKeyUsage=clientAuth")
    }
}
