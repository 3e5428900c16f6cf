// Made by Tests/Benchmarks/train-verification.py; not to be edited.

/// What the verification has learned from synthetic speech: ten voices, clean and with white noise at 20 dB, as the
/// recogniser gets it, saying commands and other sentences to 3 configurations that nothing is measured with. 1074
/// utterances; the threshold lets 98 % of the commands pass.
enum VerificationWeights {
    /// How a phone usually fits in a command, and how much that varies.
    typealias Norm = (middle: Float, spread: Float)

    static let constant: Float = 6.73
    static let likeness: Float = 1.32
    static let worstWord: Float = 0.6645
    static let worstQuarter: Float = 1.172
    static let agreement: Float = 4.726
    static let missedSpeech: Float = -2.995
    /// Of phones that the training hardly had.
    static let other: Norm = (0.05, 1.96)
    /// By the numbers of the phones in the model.
    static let norms: [Int: Norm] = [
        2: (0.17, 1.75),
        3: (-0.79, 3.16),
        4: (-0.22, 2.69),
        5: (0.05, 1.5),
        6: (-0.48, 0.91),
        7: (-0.01, 2.16),
        8: (0.38, 2.5),
        9: (-0.25, 1.24),
        10: (-0.78, 2.16),
        11: (-1.38, 2.06),
        12: (-0.03, 3.04),
        13: (-0.93, 3.0),
        14: (-0.51, 2.04),
        15: (0.21, 1.48),
        16: (-0.23, 1.88),
        17: (-1.3, 2.25),
        18: (0.64, 1.83),
        19: (0.55, 1.13),
        20: (-0.81, 1.71),
        21: (0.03, 2.13),
        22: (1.04, 2.0),
        23: (1.16, 1.86),
        24: (0.15, 1.49),
        25: (-0.33, 1.51),
        26: (-0.27, 1.49),
        28: (-0.46, 1.53),
        29: (1.46, 2.37),
        30: (0.2, 1.44),
        31: (0.33, 1.0),
        33: (-0.54, 1.53),
        34: (0.1, 1.04),
        35: (-0.37, 2.21),
        36: (-0.35, 1.8),
        37: (-0.29, 1.92),
        38: (0.81, 1.64),
        39: (0.54, 0.9),
        40: (-0.42, 2.12),
    ]
}
