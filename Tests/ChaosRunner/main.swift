import ChaosDriver
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let usage = "usage: chaos run SESSIONS SEED | soak SECONDS | kills SECONDS | load CLIENTS | stall | ring"

func number(_ index: Int, _ fallback: Int) -> Int {
    arguments.count > index ? Int(arguments[index]) ?? fallback : fallback
}

switch arguments.first {
case "run":
    let driver = ChaosDriver(seed: UInt64(number(2, 1)), sessions: number(1, 1000))
    let start = ContinuousClock.now
    let report = try await driver.run { done in
        FileHandle.standardError.write(Data("\(done) sessions after \(ContinuousClock.now - start)\n".utf8))
    }
    print(report.text)
    if driver.sessions >= 2000, !report.missingFaults.isEmpty {
        print("faults that never showed: \(report.missingFaults.joined(separator: ", "))")
        exit(1)
    }
    exit(report.violations.isEmpty ? 0 : 1)
case "soak": exit(try await ClientSoak.run(seconds: number(1, 3600)) ? 0 : 1)
case "kills": exit(try await ClientKills.run(seconds: number(1, 60)) ? 0 : 1)
case "load": exit(try await ClientLoad.run(clients: number(1, 1000)) ? 0 : 1)
case "stall": exit(try await ClientStall.run() ? 0 : 1)
case "ring": exit(ClientRing.run() ? 0 : 1)
default:
    FileHandle.standardError.write(Data((usage + "\n").utf8))
    exit(2)
}
