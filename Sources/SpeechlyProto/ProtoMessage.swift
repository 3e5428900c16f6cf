/// A message of the schema: reads itself from and writes itself to the protobuf wire format.
///
/// Decoding follows proto3: fields that are absent keep their default, unknown fields and known fields with another
/// wire type are skipped, the last value of a scalar wins, repeated occurrences of a submessage merge, and of a oneof
/// the last member wins. Unknown fields are not kept. Encoding is canonical: fields in ascending order, defaults
/// left out, shortest integers.
public protocol ProtoMessage: Sendable, Hashable {
    /// The message's full name in the schema: `speechly.slu.v1.SLURequest`.
    static var messageName: String { get }

    /// Makes a message with every field at its default.
    init()

    /// Reads fields into this message until the end of the message that `reader` is in.
    ///
    /// - Throws: `ProtoError` without a message name (whoever entered the message adds it). The fields read before
    ///   stay changed.
    mutating func merge(from reader: inout ProtoReader) throws(ProtoError)

    /// Writes the fields in front of what `writer` holds, the last field first. See `ProtoWriter`.
    func encode(into writer: inout ProtoWriter)
}

extension ProtoMessage {
    /// Reads a message from `reader`'s position to its end.
    ///
    /// - Throws: `ProtoError` with this message's name, or the name of the message inside it that is wrong.
    @inlinable
    public init(from reader: inout ProtoReader) throws(ProtoError) {
        self.init()
        do { try merge(from: &reader) } catch { throw error.naming(Self.messageName) }
    }

    /// Decodes a message. The bytes are copied where needed; the buffer may go away afterwards.
    ///
    /// - Throws: `ProtoError`; `byteOffset` counts from the start of `serializedBytes`.
    @inlinable
    public init(serializedBytes: UnsafeRawBufferPointer) throws(ProtoError) {
        var reader = ProtoReader(serializedBytes)
        try self.init(from: &reader)
    }

    /// Decodes a message.
    ///
    /// - Throws: `ProtoError`; `byteOffset` counts from the start of `serializedBytes`.
    @inlinable
    public init(serializedBytes: [UInt8]) throws(ProtoError) {
        self = try serializedBytes.withUnsafeBufferPointer { bytes throws(ProtoError) in
            try Self(serializedBytes: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Encodes the message into a new array. Use a `ProtoWriter` again and again to encode without allocating.
    @inlinable
    public func serializedBytes() -> [UInt8] {
        ProtoWriter.encodeOnce { writer in encode(into: &writer) }
    }
}

extension ProtoError {
    /// Adds the name of the message that was being read, unless one further inside has done so.
    @usableFromInline
    func naming(_ name: String) -> ProtoError {
        messageName.isEmpty ? ProtoError(kind: kind, messageName: name, byteOffset: byteOffset) : self
    }
}
