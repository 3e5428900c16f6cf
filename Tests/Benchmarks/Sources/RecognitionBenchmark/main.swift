import Foundation

// Usage: RecognitionBenchmark WORDS SPEECH [--commands N] [--only NAME] [--no-load] [--verbose] [--evidence]
//
// WORDS is a list of words to make the titles of songs from, SPEECH the folder that keeps what was spoken.

var arguments = Array(CommandLine.arguments.dropFirst())
@MainActor func option(_ name: String) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(index...(index + 1)) }
    return arguments[index + 1]
}
let commands = option("--commands").flatMap(Int.init) ?? 60
let only = option("--only")
let isLoaded = !arguments.contains("--no-load")
arguments.removeAll { $0 == "--no-load" }
let isVerbose = arguments.contains("--verbose")
arguments.removeAll { $0 == "--verbose" }
let isForTraining = arguments.contains("--evidence")
arguments.removeAll { $0 == "--evidence" }
guard arguments.count == 2 else {
    FileHandle.standardError.write(
        Data("usage: RecognitionBenchmark WORDS SPEECH [--commands N] [--only NAME] [--no-load] [--verbose]\n".utf8))
    exit(2)
}

let words = try String(contentsOfFile: arguments[0], encoding: .utf8).split(separator: "\n").map(String.init)
let speaker = try Speaker(folder: arguments[1])
if isForTraining {
    // What the verification is trained with; nothing that is measured with.
    for domain in Domain.training where only == nil || domain.name == only {
        try Evidence(domain, speaker: speaker).print(commands: commands)
    }
    exit(0)
}
let domains = (Domain.all + [Domain.music(words: words)]).filter { only == nil || $0.name == only }

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recognition-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
var failed = false
@MainActor func report(_ name: String, _ value: Double, _ passed: Bool, _ target: String) {
    failed = failed || !passed
    print("\(name): ours=\(text(value, 4)) target\(target) \(passed ? "PASS" : "FAIL")")
}

for domain in domains {
    let evaluation = try Evaluation(domain, speaker: speaker, isVerbose: isVerbose)
    let found = try evaluation.run(commands: commands, others: 40)
    report(
        "\(domain.name) exact, clean, of \(found.clean.all), %", found.clean.percent, found.clean.percent >= 95, ">=95")
    report(
        "\(domain.name) exact, 20 dB, of \(found.noisy.all), %", found.noisy.percent, found.noisy.percent >= 90, ">=90")
    report(
        "\(domain.name) commands in unrelated speech, of \(found.unrelated.all), %", found.unrelated.percent,
        found.unrelated.percent <= 2, "<=2")
    report(
        "\(domain.name) commands in near misses, of \(found.nearMisses.all), %", found.nearMisses.percent,
        found.nearMisses.percent <= 10, "<=10")
    let limit = domain.templates.count <= 100 ? 0.04 : 0.15
    report("\(domain.name) real-time factor", found.realTimeFactor, found.realTimeFactor <= limit, "<=\(limit)")
    guard isLoaded else { continue }
    let isSmall = domain.templates.count <= 100
    let load = try await Load.run(evaluation, streams: isSmall ? 20 : 6, rounds: 4, folder: folder)
    let name = "\(domain.name), \(load.streams) streams on one core"
    report("\(name), result after stop, p95, s", load.p95, load.p95 <= 0.4, "<=0.4")
    report(
        "\(name), memory of each, MB", load.megabytes, load.megabytes <= (isSmall ? 12 : 25), isSmall ? "<=12" : "<=25")
    print("\(name), words exact: \(load.exact.hits) of \(load.exact.all)")
}
try? FileManager.default.removeItem(at: folder)
exit(failed ? 1 : 0)
