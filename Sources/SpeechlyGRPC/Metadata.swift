/// The key and value pairs that travel with a call: an ordered multimap.
///
/// Keys are lower-cased. A key that ends in `-bin` carries bytes, every other one printable ASCII
/// text. What cannot be sent is reported when the metadata is used: a call with it fails with
/// ``GRPCStatus/Code/invalidArgument``, and the message names the key.
public struct Metadata: Sendable, Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// One key with one of its values.
    public struct Element: Sendable, Hashable {
        /// What a value can be.
        public enum Content: Sendable, Hashable {
            /// Printable ASCII text.
            case text(String)
            /// Any bytes, under a key that ends in `-bin`.
            case binary([UInt8])
        }

        /// The lower-cased key.
        public let key: String
        /// The value.
        public let value: Content
    }

    private var elements: [Element] = []

    /// No metadata.
    public init() {}

    /// Text values under their keys, in the order written.
    public init(dictionaryLiteral pairs: (String, String)...) {
        for (key, value) in pairs { append(value, forKey: key) }
    }

    /// Adds a text value after all others.
    public mutating func append(_ value: String, forKey key: String) {
        elements.append(Element(key: key.lowercased(), value: .text(value)))
    }

    /// Adds a binary value after all others. `key` has to end in `-bin`.
    public mutating func append(_ value: [UInt8], forKey key: String) {
        elements.append(Element(key: key.lowercased(), value: .binary(value)))
    }

    /// Adds all of `other` after all others.
    public mutating func append(contentsOf other: Metadata) {
        elements.append(contentsOf: other.elements)
    }

    /// Removes every value of `key`.
    public mutating func removeAll(forKey key: String) {
        let key = key.lowercased()
        elements.removeAll { $0.key == key }
    }

    /// The first text value of `key`. Setting it replaces all values of `key`; `nil` removes them.
    public subscript(key: String) -> String? {
        get { all(key).first }
        set {
            removeAll(forKey: key)
            if let newValue { append(newValue, forKey: key) }
        }
    }

    /// The first binary value of `key`.
    public func binary(_ key: String) -> [UInt8]? {
        let key = key.lowercased()
        for element in elements where element.key == key {
            if case .binary(let bytes) = element.value { return bytes }
        }
        return nil
    }

    /// All text values of `key`, in order.
    public func all(_ key: String) -> [String] {
        let key = key.lowercased()
        return elements.compactMap { element in
            guard element.key == key, case .text(let text) = element.value else { return nil }
            return text
        }
    }

    /// The keys and the sizes of the values in bytes; never the values, which may be secrets.
    public var description: String {
        let parts = elements.map { element in
            switch element.value {
            case .text(let text): "\(element.key): \(text.utf8.count) bytes"
            case .binary(let bytes): "\(element.key): \(bytes.count) bytes"
            }
        }
        return "[" + parts.joined(separator: ", ") + "]"
    }
}

extension Metadata: RandomAccessCollection {
    /// A place in the order of adding.
    public typealias Index = Int

    /// Always 0.
    public var startIndex: Int { elements.startIndex }

    /// The number of pairs.
    public var endIndex: Int { elements.endIndex }

    /// The pair at a position, in the order of adding.
    public subscript(position: Int) -> Element { elements[position] }
}

extension Metadata {
    /// Keys that the transport writes itself.
    private static let reserved: Set<String> = [
        "te", "content-type", "content-length", "host", "grpc-timeout", "grpc-encoding", "grpc-accept-encoding",
        "grpc-status", "grpc-message",
    ]

    /// Why this metadata cannot be sent, or `nil`.
    func problem() -> String? {
        for element in elements {
            let key = element.key
            guard !key.isEmpty, key.utf8.allSatisfy(Self.isKeyCharacter) else {
                return "'\(key)' is not a metadata key: only a–z, 0–9, '-', '_' and '.' are allowed"
            }
            guard !Self.reserved.contains(key) else { return "the metadata key '\(key)' belongs to the transport" }
            switch element.value {
            case .text(let text):
                guard !key.hasSuffix("-bin") else { return "the metadata key '\(key)' needs a binary value" }
                guard text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
                    return
                        "the value of metadata key '\(key)' is not printable ASCII: send it as bytes under '\(key)-bin'"
                }
            case .binary:
                guard key.hasSuffix("-bin") else {
                    return "the metadata key '\(key)' of a binary value must end in '-bin'"
                }
            }
        }
        return nil
    }

    private static func isKeyCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
