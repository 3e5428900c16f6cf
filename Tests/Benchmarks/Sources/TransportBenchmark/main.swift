import Foundation
import SpeechlyGRPC

// TransportBenchmark PEER                     everything, against the C++ client at PEER
// TransportBenchmark serve | pingpong-call … | pingpong-client … | flat … | realtime …   its parts

let arguments = Array(CommandLine.arguments.dropFirst())

func address() throws -> GRPCAddress { try GRPCAddress(addr: "grpc://\(arguments[1])") }

func number(_ index: Int) throws -> Int {
    guard index < arguments.count, let number = Double(arguments[index]) else {
        throw Bench.Failure(description: "a number is missing")
    }
    return Int(number)
}

do {
    switch arguments.first {
    case "serve"?: try BenchServer.run()
    case "pingpong-call"?: try PingPong.runCall(address(), rounds: number(2))
    case "pingpong-client"?: try await PingPong.runClient(address(), rounds: number(2))
    case "flat"?: try await Flat.run(address(), streams: number(2), seconds: Double(number(3)))
    case "realtime"?: try await RealTime.run(address(), streams: number(2), seconds: number(3))
    case let peer?:
        var suite = Suite(peer: peer)
        try suite.pingPong(rounds: 20_000)
        try suite.flat(streams: 50, seconds: 3)
        try suite.realTime(streams: 1000, seconds: 10)
        exit(suite.failed ? 1 : 0)
    case nil: throw Bench.Failure(description: "usage: TransportBenchmark PEER")
    }
} catch {
    FileHandle.standardError.write(Data("TransportBenchmark: \(error)\n".utf8))
    exit(1)
}
