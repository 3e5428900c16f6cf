import Foundation
import SpeechlyService

/// Measures the SAL compiler and understanding; exits 1 if a number misses its target.
@main
struct SALBenchmark {
    private var report = Report()

    static func main() {
        var benchmark = SALBenchmark()
        do {
            try benchmark.permutation()
            try benchmark.templates()
        } catch {
            benchmark.report.fail("sal: \(error)")
        }
        exit(benchmark.report.failed ? 1 : 0)
    }

    private mutating func permutation() throws {
        let source = "*x ![\((0..<8).map { "{0.5: \(word($0)) y\(word($0))}" }.joined(separator: " | "))] end"
        let before = residentMemory()
        let configuration = try SALCompiler.compile(source, file: "eight.sal")
        let memory = max(residentMemory() - before, 0)
        let time = try median(15) { _ = try SALCompiler.compile(source, file: "eight.sal") }
        report.line("sal compile permutation of 8", time, target: 0.010, unit: "ms", scale: 1e3)
        report.line("sal memory permutation of 8", memory, target: 10e6, unit: "MB", scale: 1e-6)
        _ = configuration.intents
    }

    private mutating func templates() throws {
        let source = mixedTemplates(10_000)
        let before = residentMemory()
        let large = try Workload(source: source)
        let memory = max(residentMemory() - before, 0)
        let time = try median(3) { _ = try SALCompiler.compile(source, file: "large.sal") }
        report.line("sal compile 10000 templates", time, target: 2, unit: "ms", scale: 1e3)
        report.line("sal memory 10000 templates", memory, target: 300e6, unit: "MB", scale: 1e-6)
        let graphTime = median(3) { _ = large.configuration.graph.arcs.count }
        report.line("sal graph 10000 templates", graphTime, target: 4, unit: "ms", scale: 1e3)

        let small = try Workload(source: mixedTemplates(100))
        try understanding("sal understand 10 words of 100 templates", small, target: 50e-6, comparing: true)
        try understanding("sal understand 10 words of 10000 templates", large, target: 1e-3, comparing: true)
        try understanding(
            "sal understand 10 words, 10000 templates all alike to the last",
            Workload(source: similarTemplates(10_000)),
            target: 1e-3, comparing: false)
    }

    private mutating func understanding(
        _ name: String, _ workload: Workload, target: Double, comparing: Bool
    ) throws {
        let configuration = workload.configuration
        let utterances = workload.utterances
        let understood = utterances.count { configuration.understand($0).first?.intent != "" }
        guard utterances.count == 1000, understood == 900 else {
            return report.fail("\(name): \(understood) of \(utterances.count) utterances understood")
        }
        let ours = median(7) { for words in utterances { _ = configuration.understand(words) } }
        var theirs: Double?
        if comparing {
            let peer = try RegularExpressionPeer(templates: workload.source)
            // The peer takes a second for an utterance of a large configuration.
            let sample = configuration.intents.count > 1000 ? Array(utterances.prefix(10)) : utterances
            let matched = sample.count { peer.matches($0) }
            guard matched == sample.count * 9 / 10 else {
                return report.fail("\(name): the peer matches \(matched) of \(sample.count) utterances")
            }
            theirs = median(1) { for words in sample { _ = peer.matches(words) } } / Double(sample.count)
        }
        report.line(name, ours / 1000, target: target, unit: "us", scale: 1e6, peer: theirs)
    }
}
