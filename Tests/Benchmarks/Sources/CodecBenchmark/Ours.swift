import Glibc
import SpeechlyProto

/// Our side: what a host would write, through the public API.
enum Ours {
    static func decode(_ bytes: [UInt8], iterations: UInt64) throws -> UInt64 {
        try bytes.withUnsafeBytes { buffer in
            let start = now()
            for _ in 0..<iterations { use(try SLUResponse(serializedBytes: buffer)) }
            return now() - start
        }
    }

    static func encodeReused(_ message: SLUResponse, iterations: UInt64) -> UInt64 {
        var writer = ProtoWriter()
        let start = now()
        for _ in 0..<iterations {
            writer.removeAll()
            message.encode(into: &writer)
            writer.withUnsafeBytes { use($0) }
        }
        return now() - start
    }

    static func encodeFresh(_ message: SLUResponse, iterations: UInt64) -> UInt64 {
        let start = now()
        for _ in 0..<iterations { use(message.serializedBytes()) }
        return now() - start
    }

    static func encodeAudio(_ pcm: [UInt8], writer: inout ProtoWriter, iterations: UInt64) -> UInt64 {
        pcm.withUnsafeBytes { pcm in
            let start = now()
            for _ in 0..<iterations {
                writer.removeAll()
                SLURequest.encodeAudio(pcm, into: &writer)
                writer.withUnsafeBytes { use($0) }
            }
            return now() - start
        }
    }
}

/// Nanoseconds of processor time: other processes do not count.
func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Keeps the optimiser from dropping what nobody looks at.
@inline(never) private func use(_ message: borrowing SLUResponse) {}
@inline(never) private func use(_ bytes: borrowing [UInt8]) {}
@inline(never) private func use(_ bytes: UnsafeRawBufferPointer) {}
