import Foundation
import SpeechlyAudio

// Usage: ResamplerBenchmark PEER, where PEER is the program made from Peers/resampler.c.

/// How much audio each measurement converts, in seconds.
let seconds = 60
let rounds = 7
nonisolated(unsafe) var hasFailed = false

func report(_ name: String, _ values: String, passes: Bool) {
    print("\(name): \(values) \(passes ? "PASS" : "FAIL")")
    if !passes { hasFailed = true }
}

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func format(_ value: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", value) }

/// The processor time of converting `seconds` of 16-bit noise in chunks of 100 ms.
func ownTime(inputRate: Double, channels: Int) throws -> Double {
    let resampler = try Resampler(inputRate: inputRate, inputChannels: channels)
    var random: UInt32 = 1
    let chunk = (0..<Int(inputRate) / 10 * channels).map { _ in
        random = random &* 1_664_525 &+ 1_013_904_223
        return Int16(truncatingIfNeeded: random >> 16)
    }
    var output = Data()
    let start = processorTime()
    for _ in 0..<seconds * 10 {
        output.removeAll(keepingCapacity: true)
        chunk.withUnsafeBytes { resampler.process($0, as: .int16, into: &output) }
    }
    return processorTime() - start
}

func peerTime(_ path: String) throws -> Double {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [String(seconds)]
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let nanoseconds = text.split(separator: " ").first.flatMap({ Double($0) }) else {
        throw CocoaError(.fileReadCorruptFile)
    }
    return nanoseconds / 1e9
}

/// The level of what a tone at 48 kHz becomes at 16 kHz, in dB.
func level(of frequency: Double) throws -> Double {
    let resampler = try Resampler(inputRate: 48_000)
    let tone = (0..<48_000).map { Float(0.9 * sin(2 * .pi * frequency * Double($0) / 48_000)) }
    let output = resampler.process(tone)[1_600..<14_400]
    let power = output.reduce(0.0) { $0 + pow(Double($1) / 32_768, 2) } / Double(output.count)
    return 20 * log10(max(1e-12, (2 * power).squareRoot()) / 0.9)
}

let peer = CommandLine.arguments.dropFirst().first ?? ""
guard FileManager.default.isExecutableFile(atPath: peer) else {
    FileHandle.standardError.write(Data("ResamplerBenchmark: the peer program is missing; use run-resampler.sh\n".utf8))
    exit(2)
}
var (own, other, stereo): ([Double], [Double], [Double]) = ([], [], [])
for _ in 0..<rounds {
    own.append(try ownTime(inputRate: 48_000, channels: 1))
    other.append(try peerTime(peer))
    stereo.append(try ownTime(inputRate: 44_100, channels: 2))
}
let speed = Double(seconds) / median(own)
report("resampler 48 to 16 kHz, speed", "ours=\(format(speed, 0))x target>=100x real time", passes: speed >= 100)
let stereoSpeed = Double(seconds) / median(stereo)
report(
    "resampler 44.1 kHz stereo to 16 kHz mono, speed", "ours=\(format(stereoSpeed, 0))x target>=50x real time",
    passes: stereoSpeed >= 50)
let ratio = median(own) / median(other)
report(
    "resampler 48 to 16 kHz, processor time for \(seconds) s",
    "ours=\(format(median(own) * 1e3))ms peer=\(format(median(other) * 1e3))ms ratio=\(format(ratio)) target<=1.50",
    passes: ratio <= 1.5)
let passband = try level(of: 7_000)
report("resampler 7 kHz", "ours=\(format(passband))dB target=0.00dB+-0.50dB", passes: abs(passband) <= 0.5)
let alias = try level(of: 9_000)
report("resampler alias of 9 kHz", "ours=\(format(alias, 1))dB target<=-80.0dB", passes: alias <= -80)
let latency = try Resampler(inputRate: 48_000).latency * 1e3
report("resampler added latency", "ours=\(format(latency))ms target<=6.00ms", passes: latency <= 6)
exit(hasFailed ? 1 : 0)
