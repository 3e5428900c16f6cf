import SpeechlySync

/// What a service counts since its start.
final class ServiceMetrics: Sendable {
    enum Counter: String, CaseIterable {
        case logins = "speechly_logins_total"
        case refusedTokens = "speechly_tokens_refused_total"
        case streams = "speechly_streams_total"
        case streamsEnded = "speechly_streams_ended_total"
        case contexts = "speechly_contexts_total"
        case contextsFinished = "speechly_contexts_finished_total"
        case segments = "speechly_segments_total"
        case audioSeconds = "speechly_audio_seconds_total"
        case texts = "speechly_texts_total"
        case batchJobs = "speechly_batch_jobs_total"
        case reloads = "speechly_reloads_total"

        var help: String {
            switch self {
            case .logins: "Logins, by the status they got."
            case .refusedTokens: "Calls refused for their token, by the reason."
            case .streams: "SLU streams that were taken."
            case .streamsEnded: "SLU streams that ended, by their status."
            case .contexts: "Audio contexts that were started."
            case .contextsFinished: "Audio contexts whose results were all sent."
            case .segments: "Segments that were recognised."
            case .audioSeconds: "Audio of finished contexts and batch jobs, in seconds."
            case .texts: "Texts that were understood."
            case .batchJobs: "Batch jobs that ended, by how."
            case .reloads: "Reloads of the configuration, by how they ended."
            }
        }

        /// The name of what tells the values apart.
        var label: String? {
            switch self {
            case .logins, .streamsEnded: "code"
            case .refusedTokens: "reason"
            case .batchJobs, .reloads: "result"
            default: nil
            }
        }
    }

    /// A value that goes up and down, as it is now.
    struct Gauge {
        var name: String
        var help: String
        var value: Double
    }

    private let state = Locked<[Counter: [String: Double]]>([:])

    /// Adds to a counter. The label has to be one of few: text of a peer is not.
    func add(_ amount: Double = 1, to counter: Counter, label: String = "") {
        state.withLock { $0[counter, default: [:]][label, default: 0] += amount }
    }

    /// Everything in Prometheus' text format.
    func text(_ gauges: [Gauge]) -> String {
        let values = state.withLock { $0 }
        var lines: [String] = []
        for counter in Counter.allCases {
            let name = counter.rawValue
            lines += ["# HELP \(name) \(counter.help)", "# TYPE \(name) counter"]
            let found = values[counter] ?? (counter.label == nil ? ["": 0] : [:])
            for (label, value) in found.sorted(by: { $0.key < $1.key }) {
                let labels = counter.label.map { "{\($0)=\"\(label)\"}" } ?? ""
                lines.append("\(name)\(labels) \(Self.number(value))")
            }
        }
        for gauge in gauges {
            lines += [
                "# HELP \(gauge.name) \(gauge.help)", "# TYPE \(gauge.name) gauge",
                "\(gauge.name) \(Self.number(gauge.value))",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
