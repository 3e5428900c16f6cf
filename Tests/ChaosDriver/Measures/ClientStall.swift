import Foundation
import Speechly
import SpeechlyTesting

/// A server that never reads.
public enum ClientStall {
    /// Speaks ten minutes to it, as fast as can be, and prints what memory it costs.
    ///
    /// - Returns: whether that is bounded, and the host is told.
    public static func run() async throws -> Bool {
        let server = try MockSpeechlyServer(defaultStream: StreamScript().on(.start(), .stopReading))
        let cache = ChaosCache()
        let identity = CachingIdentityClient(
            baseClient: IdentityClient(channel: try Channel(address: server.address)), cache: cache)
        let measured = try MeasuredClient(server.address, identity: identity, cache: cache) { $0.contextLimit = nil }
        measured.client.startContext()
        guard await Measure.wait(.seconds(20), { measured.isListening }) else { return false }
        let before = Measure.residentMegabytes
        let chunk = [UInt8](repeating: 0x33, count: 3200)
        for number in 0..<6000 {
            measured.recorder.push(chunk)
            if number % 100 == 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        _ = await Measure.wait(.seconds(5)) { measured.failures.contains { $0.code == .audioLost } }
        let grown = Measure.residentMegabytes - before
        let isTold = measured.failures.contains { $0.code == .audioLost }
        print(
            String(
                format: "a server that never reads: 19 MB of audio, memory grew by %.1f MB; the host was %@", grown,
                isTold ? "told" : "not told"))
        return grown < 12 && isTold
    }
}
