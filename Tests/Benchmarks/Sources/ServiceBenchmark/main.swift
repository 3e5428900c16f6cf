import Foundation
import Speechly
import SpeechlyService

// Usage: ServiceBenchmark PEER CASES
//
// Everything before the first result counts as cold: the process has just begun.

let began = ContinuousClock.now
let rounds = 15
guard CommandLine.arguments.count == 3 else {
    FileHandle.standardError.write(Data("usage: ServiceBenchmark PEER CASES\n".utf8))
    exit(2)
}
let cases = CommandLine.arguments[2]
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("service-benchmark-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

var failed = false
@MainActor func report(_ name: String, ours: Double, peer: Double?, target: Double) {
    let passed = ours <= target
    failed = failed || !passed
    func text(_ value: Double) -> String { String(format: "%.4f", value) }
    let comparison = peer.map { "peer=\(text($0)) ratio=\(String(format: "%.2f", ours / $0))" } ?? "peer=- ratio=-"
    print("\(name): ours=\(text(ours)) \(comparison) target<=\(text(target)) \(passed ? "PASS" : "FAIL")")
}

let file = try AudioFile(path: cases + "/order-by-stars.slt.wav")
var audio: [UInt8] = []
while let chunk = try await file.nextChunk() { audio += chunk }
audio = Array(audio.prefix(2 * 32_000))
let length = Double(audio.count) / 32_000

let configuration = try ServiceConfiguration(contentsOfFile: cases + "/repos.sal")
let session = try await Session(configuration: configuration, socket: folder.appendingPathComponent("s").path)
var heard: Set<[String]> = []
let first = try await session.context(audio, realtime: false)
let cold = seconds(ContinuousClock.now - began)
heard.insert(first.words)

var warm: [Double] = []
for _ in 0..<rounds {
    let result = try await session.context(audio, realtime: false)
    warm.append(seconds(result.total))
    heard.insert(result.words)
}
var latency: [Double] = []
for _ in 0..<5 {
    let result = try await session.context(audio, realtime: true)
    latency.append(seconds(result.afterStop))
    heard.insert(result.words)
}

guard let graph = configuration.sal?.graph else { throw BenchmarkError("no configuration") }
let peer = try Peer(program: CommandLine.arguments[1], graph: graph, audio: audio, rounds: rounds, folder: folder)
guard heard == [["order", "by", "stars"]], peer.text == "order by stars" else {
    throw BenchmarkError("heard \(heard), the peer \(peer.text)")
}
print("\(String(format: "%.2f", length)) s of speech, seconds from start to finished:")
report("service cold flat out", ours: cold, peer: peer.cold, target: 0.35)
report("service warm flat out, fastest of \(rounds)", ours: warm.min() ?? 1, peer: peer.warm, target: 0.1)
print("service warm flat out, median of \(rounds): ours=\(String(format: "%.4f", median(warm)))")
report("service result after stop at real time, worst of 5", ours: latency.max() ?? 1, peer: nil, target: 0.3)
exit(failed ? 1 : 0)
