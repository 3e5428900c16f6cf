import SpeechlySync

/// What it takes to tell whether what was heard was said.
struct SoundVerifier: Sendable {
    let model: AcousticModel
    /// The phones of each token of the engine's dictionary, also of its further ways to be said.
    let phones: [String: [Int]]

    /// The models that were read, by their folders: one for the process, because it is large and never changes.
    private static let models = Locked<[String: AcousticModel]>([:])

    /// - Returns: `nil` for a model of another kind than this reads, whose words are taken as they are heard.
    static func make(folder: String, dictionary: String) -> SoundVerifier? {
        try? SoundVerifier(folder: folder, dictionary: dictionary)
    }

    /// - Parameter dictionary: that of the engine.
    init(folder: String, dictionary: String) throws(RecognizerError) {
        let model = try Self.models.withLock { (models) throws(RecognizerError) in
            if let known = models[folder] { return known }
            let model = try AcousticModel(folder: folder)
            models[folder] = model
            return model
        }
        var phones: [String: [Int]] = [:]
        for line in dictionary.split(separator: "\n") {
            let parts = line.split(separator: " ")
            phones[String(parts[0])] = parts.dropFirst().compactMap { model.phone(String($0)) }
        }
        self.model = model
        self.phones = phones
    }

    /// - Parameters:
    ///   - segments: what was heard in the whole of a sound.
    ///   - cepstra: the sound.
    func evidence(of segments: [PocketSphinxDecoder.Segment], cepstra: [Float]) -> SoundEvidence? {
        SoundEvidence(words: segments.map { phones[$0.token] }, cepstra: cepstra, model: model)
    }
}
