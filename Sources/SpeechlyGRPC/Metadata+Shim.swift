import CgRPCShim

extension Metadata {
    /// A copy for libgrpc, owned by whoever calls; `nil` if there is nothing to send.
    func makeShim() -> OpaquePointer? {
        guard !isEmpty, let shim = spg_metadata_new(count) else { return nil }
        for element in self {
            var key = element.key
            key.withUTF8 { key in
                key.withMemoryRebound(to: CChar.self) { key in
                    switch element.value {
                    case .text(var text):
                        text.withUTF8 { spg_metadata_add(shim, key.baseAddress, key.count, $0.baseAddress, $0.count) }
                    case .binary(let bytes):
                        bytes.withUnsafeBytes {
                            spg_metadata_add(shim, key.baseAddress, key.count, $0.baseAddress, $0.count)
                        }
                    }
                }
            }
        }
        return shim
    }

    /// Copies what libgrpc received.
    init(shim: OpaquePointer?) {
        self.init()
        for index in 0..<spg_metadata_count(shim) {
            let pair = spg_metadata_pair_at(shim, index)
            let key = String(
                decoding: UnsafeRawBufferPointer(start: pair.key, count: pair.key_length), as: UTF8.self)
            let value = UnsafeRawBufferPointer(start: pair.value, count: pair.value_length)
            if key.hasSuffix("-bin") {
                append([UInt8](value), forKey: key)
            } else {
                append(String(decoding: value, as: UTF8.self), forKey: key)
            }
        }
    }
}
