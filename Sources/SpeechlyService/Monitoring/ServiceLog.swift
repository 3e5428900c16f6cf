import Foundation
import Speechly

/// Where a service's log goes: entries with a name and fields. They never hold tokens, keys, audio or words.
public struct ServiceLog: Sendable {
    /// What happened.
    public struct Entry: Sendable {
        /// A field's value.
        public enum Value: Sendable, Hashable {
            /// A text.
            case text(String)
            /// A number.
            case number(Double)
        }

        /// How important it is.
        public let level: LogLevel
        /// The name of what happened, such as `context_finished`.
        public let event: String
        /// What else is known, in order.
        public let fields: [(name: String, value: Value)]
        /// When it happened.
        public let time: Date
    }

    /// What is less important is not logged.
    public var level: LogLevel

    private let handler: @Sendable (Entry) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - level: what is less important than this is not logged.
    ///   - handler: takes an entry. It is called on many threads, must not block, and must not call the service.
    public init(level: LogLevel = .info, handler: @escaping @Sendable (Entry) -> Void) {
        self.level = level
        self.handler = handler
    }

    /// A log that keeps nothing.
    public static let silent = ServiceLog(level: .error) { _ in }

    func write(
        _ level: LogLevel, _ event: String, _ fields: @autoclosure () -> [(name: String, value: Entry.Value)] = []
    ) {
        guard level >= self.level else { return }
        handler(Entry(level: level, event: event, fields: fields(), time: Date()))
    }
}

extension ServiceLog.Entry {
    /// The entry as a JSON object on one line: `time`, `level`, `event`, then the fields.
    public var json: String {
        let known: [(name: String, value: Value)] = [
            ("time", .text(Self.iso8601(time))), ("level", .text("\(level)")), ("event", .text(event)),
        ]
        return "{" + (known + fields).map { "\(Self.quoted($0.name)):\(Self.json($0.value))" }.joined(separator: ",")
            + "}"
    }

    private static func json(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let number):
            if !number.isFinite {
                "null"
            } else if number == number.rounded(), abs(number) < 1e15 {
                String(Int64(number))
            } else {
                String((number * 1000).rounded() / 1000)
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private static func iso8601(_ time: Date) -> String {
        let milliseconds = Int((time.timeIntervalSince1970 * 1000).rounded(.down))
        let text = Timestamp.iso8601(milliseconds / 1000)
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return text.dropLast(6) + ".\(fraction)Z"
    }
}
