/// Why bytes are not a message: what is wrong, in which message, and at which byte.
public struct ProtoError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the bytes.
    public enum Kind: Hashable, Sendable {
        /// The input, or the message or group around it, ends inside a value.
        case truncated
        /// A varint has more than ten bytes, or a tag more than five.
        case malformedVarint
        /// A string field holds bytes that are not UTF-8.
        case invalidUTF8
        /// A tag has wire type 6 or 7, which do not exist.
        case invalidWireType(UInt8)
        /// A field number is 0 or greater than 536,870,911.
        case invalidFieldNumber(UInt64)
        /// A length prefix promises more bytes than the message around it still has.
        case lengthBeyondEnd(length: UInt64, available: Int)
        /// A group ends that was not open, or another one was.
        case unmatchedEndGroup(fieldNumber: UInt32)
        /// A group never ends.
        case unterminatedGroup(fieldNumber: UInt32)
        /// Messages and groups are nested deeper than `ProtoReader.maximumDepth`.
        case nestingTooDeep
    }

    /// What is wrong.
    public var kind: Kind
    /// The full name of the innermost message being read, as in the schema: `speechly.slu.v1.SLUResponse`.
    public var messageName: String
    /// Where it is wrong: bytes from the start of the input, also inside nested messages. For a bad tag, length or
    /// varint its first byte; for invalid UTF-8 the first byte that does not belong; for a value that is cut, the end
    /// of what is there.
    public var byteOffset: Int

    /// Makes an error.
    public init(kind: Kind, messageName: String, byteOffset: Int) {
        self.kind = kind
        self.messageName = messageName
        self.byteOffset = byteOffset
    }

    /// One line: message, byte offset, and what is wrong there.
    public var description: String {
        "cannot decode \(messageName.isEmpty ? "message" : messageName): byte \(byteOffset): \(kind)"
    }
}

extension ProtoError.Kind: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .truncated: "the data ends inside a value"
        case .malformedVarint: "a variable-length integer has too many bytes"
        case .invalidUTF8: "a string is not valid UTF-8"
        case .invalidWireType(let type): "wire type \(type) does not exist"
        case .invalidFieldNumber(let number): "field number \(number) is not between 1 and 536870911"
        case .lengthBeyondEnd(let length, let available):
            "a length of \(length) bytes where only \(available) are left"
        case .unmatchedEndGroup(let number): "a group with field number \(number) ends that is not open"
        case .unterminatedGroup(let number): "the group with field number \(number) never ends"
        case .nestingTooDeep: "messages or groups are nested more than \(ProtoReader.maximumDepth) deep"
        }
    }
}
