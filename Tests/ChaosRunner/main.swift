import ChaosDriver
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let usage = """
    usage: chaos run SESSIONS SEED [FAULT] | session SEED [TIMES] | soak SECONDS | kills SECONDS
                 | load CLIENTS [RESTARTS] | stall | ring
    """

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(2)
}

func number(_ index: Int, _ fallback: Int) -> Int {
    arguments.count > index ? Int(arguments[index]) ?? fallback : fallback
}

switch arguments.first {
case "run":
    var driver = ChaosDriver(seed: UInt64(number(2, 1)), sessions: number(1, 1000))
    if arguments.count > 3 {
        guard let only = ChaosFault(rawValue: arguments[3]) else {
            let names = ChaosFault.allCases.map(\.rawValue).joined(separator: ", ")
            fail("faults: \(names)")
        }
        driver.only = only
    }
    let start = ContinuousClock.now
    let report = try await driver.run { done in
        FileHandle.standardError.write(Data("\(done) sessions after \(ContinuousClock.now - start)\n".utf8))
    }
    print(report.text)
    if driver.sessions >= 2000, driver.only == nil, !report.missingFaults.isEmpty {
        print("faults that never showed: \(report.missingFaults.joined(separator: ", "))")
        exit(1)
    }
    exit(report.violations.isEmpty ? 0 : 1)
case "session":
    guard arguments.count > 1, let seed = UInt64(arguments[1]) else { fail(usage) }
    let times = number(2, 1)
    let report = try await ChaosDriver(seed: seed, sessions: times).run(Array(repeating: seed, count: times))
    print(report.text)
    exit(report.violations.isEmpty ? 0 : 1)
case "soak": exit(try await ClientSoak.run(seconds: number(1, 3600)) ? 0 : 1)
case "kills": exit(try await ClientKills.run(seconds: number(1, 60)) ? 0 : 1)
case "load": exit(try await ClientLoad.run(clients: number(1, 1000), restarts: number(2, 10)) ? 0 : 1)
case "stall": exit(try await ClientStall.run() ? 0 : 1)
case "ring": exit(ClientRing.run() ? 0 : 1)
default: fail(usage)
}
