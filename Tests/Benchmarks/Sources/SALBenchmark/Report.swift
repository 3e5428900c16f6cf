import Foundation

/// Prints one line a measurement and remembers whether one missed its target.
struct Report {
    private(set) var failed = false

    mutating func fail(_ text: String) {
        print("\(text) FAIL")
        failed = true
    }

    /// One measurement in base units (seconds, bytes), shown in `unit`, of which a base unit has `scale`.
    mutating func line(
        _ name: String, _ ours: Double, target: Double, unit: String, scale: Double, peer: Double? = nil
    ) {
        var text = "\(name): ours=\(short(ours * scale))\(unit)"
        var passes = ours <= target
        if let peer {
            text += " peer=\(short(peer * scale))\(unit) ratio=\(short(ours / peer)) target<=1"
            passes = passes && ours <= peer
        }
        print("\(text) target<=\(short(target * scale))\(unit) \(passes ? "PASS" : "FAIL")")
        failed = failed || !passes
    }

    private func short(_ number: Double) -> String { String(format: "%.3g", number) }
}

/// The median time of several runs, in seconds.
func median(_ runs: Int, _ body: () throws -> Void) rethrows -> Double {
    var times: [Double] = []
    for _ in 0..<runs {
        let time = try ContinuousClock().measure(body).components
        times.append(Double(time.seconds) + Double(time.attoseconds) * 1e-18)
    }
    return times.sorted()[runs / 2]
}

/// Resident memory of the process in bytes.
func residentMemory() -> Double {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Double(fields[1]) ?? 0) * 4096 : 0
}
