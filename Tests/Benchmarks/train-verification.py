#!/usr/bin/env python3
"""Trains the verification of what was heard; needs numpy.

    run-recognition.sh --evidence --commands 70 > evidence.tsv
    ./train-verification.py evidence.tsv > ../../Sources/SpeechlyService/Recognition/Verification/VerificationWeights.swift

The evidence is of the configurations in TrainingDomain.swift, none of which the benchmark measures with. On stderr: what
is kept and let through by a model that has not seen the configuration, or the voice.
"""
import sys

import numpy as np

NAMES = ["likeness", "worstWord", "worstQuarter", "agreement", "missedSpeech"]
KEPT = 0.98  # The share of right commands that must pass, in training.


def read(paths):
    rows = []
    for line in (line for path in paths for line in open(path)):
        domain, kind, voice, condition, _, _, right, command, *_, phones = line.rstrip("\n").split("\t")
        # Neither wrong commands nor what is no command anyway teach anything.
        if not phones or (right != "right" if kind == "command" else command != "command"):
            continue
        phones = np.array([[float(number) for number in phone.split(",")] for phone in phones.split(" ")])
        rows.append((domain, kind, voice, condition, phones))
    return rows


def norms(rows):
    """Of each phone, the median and the spread of how it fits in right commands; and of all, for rare phones."""
    fits = {}
    for _, kind, _, _, phones in rows:
        if kind == "command":
            for phone in phones[phones[:, 0] >= 0]:
                fits.setdefault(int(phone[1]), []).append(phone[3] / phone[2])
    fits[-1] = [fit for phone in fits.values() for fit in phone]
    def norm(values):
        low, middle, high = np.percentile(values, [25, 50, 75])
        return round(middle, 2), round(max(0.5, (high - low) / 1.35), 2)
    return {phone: norm(values) for phone, values in fits.items() if len(values) >= 20}


def features(phones, norms):
    """As SoundEvidence.features in Swift has them."""
    spoken, silence = phones[phones[:, 0] >= 0], phones[phones[:, 0] < 0]
    per = spoken[:, 3] / spoken[:, 2]
    middle, spread = np.array([norms.get(int(phone), norms[-1]) for phone in spoken[:, 1]]).T
    fits = np.clip((per - middle) / spread, -6, 3)
    words = [fits[spoken[:, 0] == word].mean() for word in np.unique(spoken[:, 0])]
    quarter = np.sort(fits)[: max(1, len(fits) // 4)]
    loud = np.sort(spoken[:, 7])[len(spoken) * 4 // 5] - 25
    missed = sum(phone[2] - phone[6] for phone in silence if phone[7] > loud)
    agreement = spoken[:, 5].sum() / spoken[:, 2].sum()
    return [fits.mean(), min(words), quarter.mean(), agreement, missed / 50]


def fit(x, y, strength=3.0):
    """Logistic regression by Newton's method, both classes counting the same."""
    mean, deviation = x.mean(0), x.std(0) + 1e-6
    z = np.c_[(x - mean) / deviation, np.ones(len(x))]
    counts = np.where(y, 0.5 / y.mean(), 0.5 / (1 - y.mean()))
    weights = np.zeros(z.shape[1])
    penalty = np.diag([strength] * (z.shape[1] - 1) + [0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-z @ weights))
        gradient = z.T @ ((p - y) * counts) + penalty @ weights
        hessian = (z * (counts * p * (1 - p))[:, None]).T @ z + penalty
        weights -= np.linalg.solve(hessian, gradient)
    slopes = weights[:-1] / deviation
    return slopes, weights[-1] - slopes @ mean


def model(rows):
    n = norms(rows)
    x = np.array([features(row[4], n) for row in rows])
    y = np.array([row[1] == "command" for row in rows])
    slopes, constant = fit(x, y)
    constant -= np.quantile((x @ slopes + constant)[y], 1 - KEPT)
    return n, slopes, constant


def report(rows, column, what):
    passed = {}
    values = sorted({row[column] for row in rows})
    for value in values if len(values) > 1 else []:
        n, slopes, constant = model([row for row in rows if row[column] != value])
        for row in rows:
            if row[column] == value:
                found = np.array(features(row[4], n)) @ slopes + constant > 0
                for key in ((row[1], row[3]), (row[1], value)):
                    passed.setdefault(key, []).append(found)
    print(f"each {what} by a model that has not seen it, % passed:", file=sys.stderr)
    for key, values in sorted(passed.items()):
        print(f"  {key[0]}, {key[1]}: {100 * np.mean(values):.1f} of {len(values)}", file=sys.stderr)


def number(value):
    return f"{value:.4g}"


rows = read(sys.argv[1:])
report(rows, 0, "configuration")
report(rows, 2, "voice")
n, slopes, constant = model(rows)
out = sys.stdout.write
out(
    """// Made by Tests/Benchmarks/train-verification.py; not to be edited.

/// What the verification has learned from synthetic speech: ten voices, clean and with white noise at 20 dB, as the
/// recogniser gets it, saying commands and other sentences to %d configurations that nothing is measured with. %d
/// utterances; the threshold lets %d %% of the commands pass.
enum VerificationWeights {
    /// How a phone usually fits in a command, and how much that varies.
    typealias Norm = (middle: Float, spread: Float)

"""
    % (len({row[0] for row in rows}), len(rows), round(100 * KEPT))
)
out("    static let constant: Float = %s\n" % number(constant))
for name, slope in zip(NAMES, slopes):
    out("    static let %s: Float = %s\n" % (name, number(slope)))
out("    /// Of phones that the training hardly had.\n    static let other: Norm = (%s, %s)\n" % n.pop(-1))
out("    /// By the numbers of the phones in the model.\n    static let norms: [Int: Norm] = [\n")
for phone, norm in sorted(n.items()):
    out("        %d: (%s, %s),\n" % (phone, *norm))
out("    ]\n}\n")
