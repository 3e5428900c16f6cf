import Glibc

// Usage: CodecBenchmark PEER-LIBRARY
//        CodecBenchmark --allocations     (with the malloc hook preloaded)
// Exits with 1 when a target is missed.

var comparison = Comparison()
do {
    switch CommandLine.arguments.dropFirst().first {
    case "--allocations": try comparison.countAllocations()
    case let library?: try comparison.compareWithPeer(Peer(library: library))
    case nil: throw Peer.Failure(description: "usage: CodecBenchmark PEER-LIBRARY | --allocations")
    }
} catch {
    print("CodecBenchmark: \(error)")
    exit(2)
}
exit(comparison.missed ? 1 : 0)
