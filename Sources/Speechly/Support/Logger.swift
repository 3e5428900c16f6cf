import Foundation

/// How important a log entry is.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Every message on the wire, without its content.
    case wire
    /// Steps that help to find a fault.
    case debug
    /// Something worth knowing.
    case info
    /// Something is wrong, and the client copes.
    case warning
    /// Something failed.
    case error

    /// Orders by importance.
    public static func < (lhs: LogLevel, rhs: LogLevel) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Where the client's log goes. Entries never hold access tokens or audio.
public struct Logger: Sendable {
    /// What is less important is not logged.
    public var level: LogLevel

    private let handler: @Sendable (LogLevel, String) -> Void

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - level: what is less important than this is not logged.
    ///   - handler: takes an entry. It is called on many threads, must not block, and must not call the client.
    public init(level: LogLevel = .info, handler: @escaping @Sendable (LogLevel, String) -> Void) {
        self.level = level
        self.handler = handler
    }

    /// A logger that keeps nothing.
    public static let silent = Logger(level: .error) { _, _ in }

    /// A logger that writes one line per entry to standard error.
    ///
    /// - Parameter level: what is less important than this is not logged.
    public static func standardError(level: LogLevel = .info) -> Logger {
        Logger(level: level) { level, text in
            FileHandle.standardError.write(Data("speechly: \(level): \(text)\n".utf8))
        }
    }

    func log(_ level: LogLevel, _ text: @autoclosure () -> String) {
        if level >= self.level { handler(level, text()) }
    }
}
