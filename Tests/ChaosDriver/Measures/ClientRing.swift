import Foundation
import Speechly

/// What keeping audio costs.
public enum ClientRing {
    /// Keeps an hour of speech in chunks of 20 ms, with a final segment every 3 s, and prints the share of a core.
    ///
    /// - Returns: whether it is below one percent.
    public static func run() -> Bool {
        let chunk = Data(repeating: 1, count: 640)
        var ring = ReplayRing()
        let seconds = 3600
        let start = clock()
        for number in 0..<seconds * 50 {
            ring.append(Data(chunk))
            ring.trim(to: 1_920_000)
            if number % 150 == 149 { ring.release(upTo: ring.end - 16_000) }
        }
        let used = Double(clock() - start) / Double(CLOCKS_PER_SEC)
        let share = used / Double(seconds) * 100
        print(
            String(
                format: "replay ring: %.3f ms of processor for a second of audio, %.4f %% of a core",
                used / Double(seconds) * 1000, share))
        return share < 1 && ring.count < 100_000
    }
}
