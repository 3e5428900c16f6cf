import Foundation

/// Runs server, clients and peer as processes of their own, and judges.
struct Suite {
    let peer: String
    var failed = false

    private var me: String { CommandLine.arguments[0] }

    /// Runs a command to its end; its output as name=value pairs.
    private func pairs(_ command: [String]) throws -> [String: Double] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Bench.Failure(description: "\(command.joined(separator: " ")): exit \(process.terminationStatus)")
        }
        var result: [String: Double] = [:]
        for pair in output.split(whereSeparator: \.isWhitespace) {
            let parts = pair.split(separator: "=")
            if parts.count == 2 { result[String(parts[0])] = Double(parts[1]) }
        }
        return result
    }

    private func withServer(pinned: Bool, _ body: (String) throws -> Void) throws {
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = (pinned ? ["taskset", "-c", "0"] : []) + [me, "serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        defer {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try body(line.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private mutating func judge(_ name: String, ours: Double, peer: Double?, limit: Double, atLeast: Bool = false) {
        let value = peer.map { ours / $0 } ?? ours
        let isGood = atLeast ? value >= limit : value <= limit
        if !isGood { failed = true }
        func text(_ number: Double) -> String { String(format: "%.2f", number) }
        let against = peer.map { "peer=\(text($0)) ratio=\(text(value)) " } ?? ""
        print(
            "\(name): ours=\(text(ours)) \(against)target\(atLeast ? ">" : "<")=\(text(limit)) \(isGood ? "PASS" : "FAIL")"
        )
    }

    mutating func pingPong(rounds: Int, repeats: Int = 7) throws {
        var results: [String: [[String: Double]]] = [:]
        try withServer(pinned: true) { address in
            for _ in 0..<repeats {
                for mode in ["peer", "pingpong-call", "pingpong-client"] {
                    let command = mode == "peer" ? [peer, "pingpong"] : [me, mode]
                    results[mode, default: []].append(
                        try pairs(["taskset", "-c", "0"] + command + [address, "\(rounds)"]))
                }
            }
        }
        func median(_ mode: String, _ name: String) -> Double {
            Measures.median((results[mode] ?? []).map { $0[name] ?? .infinity })
        }
        for (mode, title) in [("pingpong-call", "call"), ("pingpong-client", "SluClient")] {
            for name in ["p50", "p99", "cpu"] {
                judge(
                    "ping-pong \(title) \(name) us", ours: median(mode, name), peer: median("peer", name), limit: 1.6)
            }
        }
    }

    mutating func flat(streams: Int, seconds: Double, repeats: Int = 3) throws {
        var ours: [Double] = []
        var theirs: [Double] = []
        var memory: [Double] = []
        try withServer(pinned: false) { address in
            for _ in 0..<repeats {
                theirs.append(try pairs([peer, "flat", address, "\(streams)", "\(seconds)"])["rate"] ?? .infinity)
                let result = try pairs([me, "flat", address, "\(streams)", "\(seconds)"])
                ours.append(result["rate"] ?? 0)
                memory.append(result["memory"] ?? .infinity)
            }
        }
        judge(
            "\(streams) streams chunks/s", ours: Measures.median(ours), peer: Measures.median(theirs), limit: 0.8,
            atLeast: true)
        // What may be in flight, and as much again for what libgrpc keeps of it while it is written.
        let limit = Double(streams) * 2
        judge("\(streams) streams memory MiB", ours: Measures.median(memory) / 1_048_576, peer: nil, limit: limit)
    }

    mutating func realTime(streams: Int, seconds: Int) throws {
        try withServer(pinned: false) { address in
            let result = try pairs([me, "realtime", address, "\(streams)", "\(seconds)"])
            judge(
                "\(streams) real-time streams answered", ours: result["answers"] ?? 0, peer: nil, limit: 1,
                atLeast: true)
            judge("\(streams) real-time streams p99 ms", ours: result["p99"] ?? .infinity, peer: nil, limit: 100)
            judge(
                "\(streams) real-time streams KiB each", ours: (result["memory"] ?? .infinity) / 1024, peer: nil,
                limit: 64)
            // Dispatch adds a worker of its own now and then, whatever the number of streams.
            judge(
                "\(streams) real-time streams more threads", ours: result["threads"] ?? .infinity, peer: nil, limit: 2)
        }
    }
}
