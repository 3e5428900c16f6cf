import Foundation
import SpeechlySync

/// Where the files of a PocketSphinx model are.
///
/// Load only models from a trusted package: the loaders of the engine's packaged version do not
/// check their input. Whether what was heard was said is checked with a phonetically tied model such as Debian's; with
/// one of another kind, words are taken as they are heard.
public struct PocketSphinxModel: Sendable, Hashable {
    /// The folder of the acoustic model (`mdef`, `means`, `feat.params` …).
    public var acousticModel: String

    /// The pronunciation dictionary.
    public var dictionary: String

    /// The language model for anything that may be said, used without a configuration.
    public var languageModel: String

    /// The package to name when a file is missing.
    public var package: String

    /// Makes a model from the paths of its parts.
    public init(acousticModel: String, dictionary: String, languageModel: String, package: String) {
        self.acousticModel = acousticModel
        self.dictionary = dictionary
        self.languageModel = languageModel
        self.package = package
    }

    /// The US English model of Debian's package `pocketsphinx-en-us`.
    public static let systemEnglish = PocketSphinxModel(
        acousticModel: "/usr/share/pocketsphinx/model/en-us/en-us",
        dictionary: "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict",
        languageModel: "/usr/share/pocketsphinx/model/en-us/en-us.lm.bin",
        package: "pocketsphinx-en-us"
    )

    /// Checks that the files are there, because the engine ends the process over some missing ones.
    func check(openVocabulary: Bool) throws(RecognizerError) {
        let parts = ["mdef", "means", "variances", "transition_matrices", "feat.params", "noisedict", "sendump"]
        var paths = parts.map { acousticModel + "/" + $0 } + [dictionary]
        if openVocabulary { paths.append(languageModel) }
        for path in paths where !path.isWholeInC || access(path, R_OK) != 0 {
            throw .modelMissing(path: path, package: package)
        }
    }
}
