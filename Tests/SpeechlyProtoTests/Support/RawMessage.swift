import SpeechlyProto

/// The fields of a message nobody here has a type for, such as the descriptors protoc writes.
struct RawMessage {
    private var numbers: [UInt32: [UInt64]] = [:]
    private var contents: [UInt32: [[UInt8]]] = [:]

    init(_ bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes { buffer in
            var message = RawMessage()
            var reader = ProtoReader(buffer)
            while let tag = try reader.nextTag() {
                switch tag & 7 {
                case 0: message.numbers[tag >> 3, default: []].append(try reader.uint64())
                case 2: message.contents[tag >> 3, default: []].append(try reader.byteArray())
                default: try reader.skip(tag)
                }
            }
            return message
        }
    }

    private init() {}

    func numbers(_ field: UInt32) -> [UInt64] { numbers[field] ?? [] }
    func strings(_ field: UInt32) -> [String] { (contents[field] ?? []).map { String(decoding: $0, as: UTF8.self) } }
    func messages(_ field: UInt32) throws -> [RawMessage] { try (contents[field] ?? []).map { try RawMessage($0) } }
}
