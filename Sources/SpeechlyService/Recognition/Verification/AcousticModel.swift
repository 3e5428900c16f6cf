import Foundation

/// The part of a PocketSphinx acoustic model that says how well a frame of sound fits a piece of a phone: Gaussians
/// that all phones of one name share ("phonetically tied mixtures"), and the weights of each piece.
///
/// The engine does not give the scores of what it has not heard, which are needed to tell whether something else
/// would have fitted better. The files are read once and shared by all recognisers.
final class AcousticModel: Sendable {
    /// Coefficients of a frame in each stream: the sound, its slope, and the slope of that.
    static let streams = 3
    static let width = 13
    static let states = 3
    /// Gaussians of a phone and stream that count in a frame, as in the engine.
    static let best = 4
    /// The loader's bounds, because the files are data.
    private static let maximumPhones = 120
    private static let varianceFloor: Float = 1e-4
    /// The file's unit of weights: 1,024 steps of a logarithm of base 1.0001.
    private static let weightUnit = Float(1024 * 1.0001.logarithm)

    let phoneNames: [String]
    let silence: Int
    let gaussians: Int
    /// Of each phone, stream and coefficient: what to multiply the square and the value with, for all Gaussians.
    let squares: [Float]
    let values: [Float]
    let constants: [Float]
    /// Of each stream and Gaussian, for all senones.
    private let weights: Data
    private let weightsStart: Int
    let senones: Int
    private let definition: ModelDefinition

    init(folder: String) throws(RecognizerError) {
        let definition = try ModelDefinition(path: folder + "/mdef")
        let means = try GaussianFile(path: folder + "/means")
        let variances = try GaussianFile(path: folder + "/variances")
        guard means.shape == variances.shape, means.phones == definition.phoneNames.count,
            means.phones <= Self.maximumPhones
        else { throw .engineFailed(step: "use the Gaussians in \(folder)") }
        self.definition = definition
        phoneNames = definition.phoneNames
        silence = definition.silence
        gaussians = means.gaussians
        senones = definition.senones
        let count = gaussians
        var squares = [Float](repeating: 0, count: means.values.count)
        var values = squares
        var constants = [Float](repeating: 0, count: means.phones * Self.streams * count)
        for block in 0..<means.phones * Self.streams {
            for gaussian in 0..<count {
                var constant: Float = 0
                for coefficient in 0..<Self.width {
                    let source = (block * count + gaussian) * Self.width + coefficient
                    let target = (block * Self.width + coefficient) * count + gaussian
                    let variance = max(variances.values[source], Self.varianceFloor)
                    let mean = means.values[source]
                    squares[target] = -0.5 / variance
                    values[target] = mean / variance
                    constant -= 0.5 * (mean * mean / variance + (2 * Float.pi * variance).logarithm)
                }
                constants[block * count + gaussian] = constant
            }
        }
        (self.squares, self.values, self.constants) = (squares, values, constants)
        let dump = try ModelFile.data(folder + "/sendump")
        weights = dump
        // What precedes the weights is of varying length, they fill the rest.
        weightsStart = dump.count - Self.streams * count * definition.senones
        guard weightsStart > 0 else { throw .engineFailed(step: "use the weights in \(folder)") }
    }

    func phone(_ name: String) -> Int? { definition.numbers[name] }

    /// The senones of a phone by itself, or between others at a place in its word.
    func senones(of phone: Int, left: Int, right: Int, place: ModelDefinition.Place) -> ArraySlice<Int> {
        definition.senones(of: phone, left: left, right: right, place: place)
    }

    func senones(of phone: Int) -> ArraySlice<Int> { definition.senones(of: phone) }

    /// Which phone's Gaussians a senone weighs.
    func withWeights<Result>(_ body: (UnsafePointer<UInt8>, Float) -> Result) -> Result? {
        weights.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                body($0.advanced(by: weightsStart).assumingMemoryBound(to: UInt8.self), Self.weightUnit)
            }
        }
    }
}

extension FloatingPoint where Self: BinaryFloatingPoint {
    fileprivate var logarithm: Self { Self(Foundation.log(Double(self))) }
}

/// Reads files of a model.
enum ModelFile {
    static func data(_ path: String) throws(RecognizerError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw .engineFailed(step: "read \(path)")
        }
    }

    static func int32(_ data: Data, _ offset: Int) -> Int? {
        guard offset >= 0, offset + 4 <= data.count else { return nil }
        return data.withUnsafeBytes {
            Int(Int32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
        }
    }
}

/// Means or variances: a header of text, a number that tells the order of bytes, the shape, and the values.
private struct GaussianFile {
    let phones: Int
    let gaussians: Int
    let values: [Float]
    var shape: [Int] { [phones, gaussians] }

    init(path: String) throws(RecognizerError) {
        let data = try ModelFile.data(path)
        let failure = RecognizerError.engineFailed(step: "use \(path)")
        guard let header = data.range(of: Data("endhdr\n".utf8)) else { throw failure }
        let fields = stride(from: header.upperBound, to: header.upperBound + 32, by: 4).map {
            ModelFile.int32(data, $0) ?? -1
        }
        let width = AcousticModel.width
        guard fields[0] == 0x1122_3344, fields[2] == AcousticModel.streams, fields[4...6] == [width, width, width]
        else { throw failure }
        phones = fields[1]
        gaussians = fields[3]
        guard (1...1_000).contains(phones), (AcousticModel.best...256).contains(gaussians), gaussians % 8 == 0,
            fields[7] == phones * gaussians * AcousticModel.streams * width,
            data.count >= header.upperBound + 32 + 4 * fields[7]
        else { throw failure }
        let start = header.upperBound + 32
        values = data.withUnsafeBytes { bytes in
            (0..<fields[7]).map {
                Float(
                    bitPattern: UInt32(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * $0, as: UInt32.self)))
            }
        }
    }
}
