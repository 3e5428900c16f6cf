import Glibc

/// The peer's side: the shared library made from `Peers/codec_peer.cc`.
struct Peer {
    enum Operation: Int32 { case decodeFresh, decodeArena, decodeReused, encodeReused, encodeFresh, memcpy }
    struct Failure: Error, CustomStringConvertible { var description: String }

    private typealias Run = @convention(c) (Int32, UnsafePointer<UInt8>?, Int, UInt64) -> UInt64
    private let run: Run

    init(library: String) throws {
        guard let handle = dlopen(library, RTLD_NOW), let symbol = dlsym(handle, "codec_peer_run") else {
            throw Failure(description: dlerror().map { String(cString: $0) } ?? library)
        }
        run = unsafeBitCast(symbol, to: Run.self)
    }

    func callAsFunction(_ operation: Operation, _ bytes: [UInt8], iterations: UInt64) throws -> UInt64 {
        let elapsed = bytes.withUnsafeBufferPointer { run(operation.rawValue, $0.baseAddress, $0.count, iterations) }
        guard elapsed > 0 else { throw Failure(description: "the peer cannot do \(operation)") }
        return elapsed
    }
}
