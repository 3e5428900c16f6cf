import CFlite
import Foundation

import SpeechlySync

/// Pronounces words that no dictionary has, by the letter-to-sound rules of libflite.
enum LetterToSound {
    /// Longest run of letters that is pronounced; nobody says a longer one.
    private static let maximumLetters = 48

    private static let digits = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    ]
    private static let symbols: [Character: String] = [
        "&": "and", "+": "plus", "%": "percent", "@": "at", "#": "hash", "=": "equals", "$": "dollar",
    ]

    // The lexicon is static data of the library; only its first initialisation writes to it.
    private static let lexicon = Locked<UnsafeMutablePointer<cst_lexicon>?>(nil)

    /// The pieces of a word that can be spoken one after another: runs of the letters a–z and the
    /// apostrophe, digits and symbols by their names. Letters of other alphabets become Latin ones.
    static func spokenPieces(of word: String) -> [String] {
        var pieces: [String] = []
        var letters = ""
        func flush() {
            if letters.contains(where: { $0 != "'" }) { pieces.append(String(letters.prefix(maximumLetters))) }
            letters = ""
        }
        let text = word.allSatisfy(\.isASCII) ? word : latin(word)
        for character in text.lowercased() {
            if ("a"..."z").contains(character) || character == "'" {
                letters.append(character)
            } else {
                flush()
                if character.isASCII, let digit = character.wholeNumberValue {
                    pieces.append(digits[digit])
                } else if let name = symbols[character] {
                    pieces.append(name)
                }
            }
        }
        flush()
        return pieces
    }

    private static func latin(_ word: String) -> String {
        let straight = word.map { "\u{2018}\u{2019}\u{02BC}".contains($0) ? "'" : $0 }
        let text = String(straight)
        let transformed = text.applyingTransform(.toLatin, reverse: false) ?? text
        return transformed.folding(options: [.diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// The phones of a run of the letters a–z and apostrophes, in the engine's ARPAbet; `nil` if the
    /// rules find none.
    static func phones(for letters: String) -> [String]? {
        let found = lexicon.withLock { lexicon -> [String] in
            if lexicon == nil { lexicon = cmu_lex_init() }
            guard let lexicon else { return [] }
            let list = lex_lookup(lexicon, letters, nil, nil)
            defer { delete_val(list) }
            var phones: [String] = []
            var rest = UnsafePointer(list)
            while let cell = rest {
                if let phone = val_string(val_car(cell)) { phones.append(String(cString: phone)) }
                rest = val_cdr(cell)
            }
            return phones
        }
        let phones = found.compactMap(ARPAbet.init(flite:)).map(\.rawValue)
        return phones.isEmpty ? nil : phones
    }
}

/// The phones of the US English acoustic model.
enum ARPAbet: String, CaseIterable {
    case aa = "AA", ae = "AE", ah = "AH", ao = "AO", aw = "AW", ay = "AY", b = "B", ch = "CH", d = "D", dh = "DH"
    case eh = "EH", er = "ER", ey = "EY", f = "F", g = "G", hh = "HH", ih = "IH", iy = "IY", jh = "JH", k = "K"
    case l = "L", m = "M", n = "N", ng = "NG", ow = "OW", oy = "OY", p = "P", r = "R", s = "S", sh = "SH"
    case t = "T", th = "TH", uh = "UH", uw = "UW", v = "V", w = "W", y = "Y", z = "Z", zh = "ZH"

    /// From a phone of libflite: lower case, with a stress digit after vowels, and a schwa of its own.
    init?(flite phone: String) {
        let name = phone.filter { !$0.isNumber }.uppercased()
        self.init(rawValue: name == "AX" ? "AH" : name)
    }
}
