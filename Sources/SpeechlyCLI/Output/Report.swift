/// How fast a run was, over all its files.
struct Report: Sendable {
    /// One file.
    struct Measurement: Sendable {
        /// How much audio it had.
        var audio = Duration.zero
        /// From its first audio to its last result.
        var total = Duration.zero
        /// From its first audio to its first result, if it had one.
        var firstResult: Duration?
        /// From its last audio to its last result.
        var lastResult = Duration.zero
    }

    private(set) var files: [Measurement] = []

    mutating func add(_ file: Measurement) { files.append(file) }

    /// The report for people; nothing where nothing was measured.
    var text: String {
        guard !files.isEmpty else { return "" }
        let (audio, total) = (seconds(files.map(\.audio)), seconds(files.map(\.total)))
        let speed = total > 0 ? " (\(rounded(audio / total)) × real time)" : ""
        var lines = [
            "report: \(counted(files.count, "file")), \(rounded(audio)) s of audio in \(rounded(total)) s\(speed)"
        ]
        for (name, values) in series where !values.isEmpty {
            let parts = Self.ranks.map { "\($0.name) \(Self.percentile($0.rank, of: values)) ms" }
            lines.append("\(name.text): \(parts.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The report as an event.
    var json: JSON {
        var members = [
            JSON.Member(key: "event", value: "report"),
            JSON.Member(key: "files", value: .integer(Int64(files.count))),
            JSON.Member(key: "audioMs", value: .integer(files.map { milliseconds($0.audio) }.reduce(0, +))),
            JSON.Member(key: "totalMs", value: .integer(files.map { milliseconds($0.total) }.reduce(0, +))),
        ]
        for (name, values) in series where !values.isEmpty {
            let ranks = Self.ranks.map { rank in
                JSON.Member(key: rank.name, value: .integer(Self.percentile(rank.rank, of: values)))
            }
            members.append(JSON.Member(key: name.key, value: .object(ranks)))
        }
        return .object(members)
    }

    private static let ranks = [(name: "p50", rank: 50), (name: "p90", rank: 90), (name: "p99", rank: 99)]

    private var series: [(name: (text: String, key: String), values: [Int64])] {
        [
            (("first result", "firstResultMs"), files.compactMap(\.firstResult).map { milliseconds($0) }),
            (("last result after the end", "lastResultMs"), files.map { milliseconds($0.lastResult) }),
        ]
    }

    /// The smallest value that at least so many percent of the values do not exceed.
    static func percentile(_ rank: Int, of values: [Int64]) -> Int64 {
        let sorted = values.sorted()
        let position = (rank * sorted.count + 99) / 100
        return sorted[min(max(position, 1), sorted.count) - 1]
    }

    private func seconds(_ durations: [Duration]) -> Double {
        Double(durations.map { milliseconds($0) }.reduce(0, +)) / 1000
    }

    private func rounded(_ number: Double) -> String { String((number * 10).rounded() / 10) }
}
