import Foundation

/// A synthetic voice of Debian's packages flite and espeak-ng.
enum Voice: String, CaseIterable {
    case slt, rms, awb, kal16
    case american = "en-us"
    case british = "en-gb"
    // Those are never measured with.
    case kal
    case female = "en-us+f3"
    case male = "en-us+m4"
    case scottish = "en-gb-scotland"

    /// Those that are measured with.
    static let allCases: [Voice] = [.slt, .rms, .awb, .kal16, .american, .british]
    /// Those that the verification of what was heard is trained with.
    static let training = allCases + [.kal, .female, .male, .scottish]

    fileprivate func command(_ text: String, to path: String) -> [String] {
        switch self {
        case .slt, .rms, .awb, .kal16, .kal: ["flite", "-voice", rawValue, "-t", text, "-o", path]
        case .american, .british, .female, .male, .scottish: ["espeak-ng", "-v", rawValue, "-w", path, text]
        }
    }
}

/// Speaks texts, and keeps what was spoken in a folder for the next run.
struct Speaker {
    let folder: URL

    init(folder: String) throws {
        self.folder = URL(fileURLWithPath: folder)
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
    }

    /// What a voice makes of a text: 16 kHz, with 0.3 s of silence before it and 0.5 s after it.
    func samples(of text: String, voice: Voice) throws -> [Int16] {
        let name =
            voice.rawValue + "-" + text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
        let raw = folder.appendingPathComponent(name + ".raw")
        if !FileManager.default.fileExists(atPath: raw.path) {
            let wave = folder.appendingPathComponent(name + ".wav")
            let part = folder.appendingPathComponent(name + ".part")
            try run(voice.command(text, to: wave.path))
            try run([
                "sox", wave.path, "-r", "16000", "-c", "1", "-b", "16", "-e", "signed", "-t", "raw", part.path, "pad",
                "0.3", "0.5",
            ])
            try FileManager.default.removeItem(at: wave)
            try FileManager.default.moveItem(at: part, to: raw)
        }
        let data = try Data(contentsOf: raw)
        return data.withUnsafeBytes { $0.bindMemory(to: Int16.self).map { Int16(littleEndian: $0) } }
    }

    private func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(command[0]) failed; install flite, espeak-ng and sox")
        }
    }
}

/// Adds white noise, always the same, at a ratio of the speech's mean power to the noise's, in decibels.
func noisy(_ samples: [Int16], decibels: Double) -> [Int16] {
    let voiced = samples.filter { abs(Int($0)) > 100 }
    let power = voiced.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, voiced.count))
    let deviation = (power / pow(10, decibels / 10)).squareRoot()
    var generator = Generator(seed: 7)
    return samples.map { sample in
        // Twelve even numbers make one that is normal enough.
        let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double(generator.next() >> 11) * 0x1p-53 }
        return Int16(max(-32_768, min(32_767, Double(sample) + normal * deviation)))
    }
}

/// SplitMix64.
struct Generator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
