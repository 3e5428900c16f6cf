/// How easily one phone is heard for another, or is missed, or is heard where nobody said it; 0 for what is the same.
enum PhoneDistance {
    /// In this many parts of one whole mistake.
    static let unit = 10
    /// A phone that was said and not heard, or heard and not said.
    static let gap: UInt16 = 7

    private enum Kind: Int {
        case vowel, stop, fricative, affricate, nasal, approximant
    }

    private static func kind(_ phone: ARPAbet) -> Kind {
        switch phone {
        case .aa, .ae, .ah, .ao, .aw, .ay, .eh, .er, .ey, .ih, .iy, .ow, .oy, .uh, .uw: .vowel
        case .b, .d, .g, .k, .p, .t: .stop
        case .dh, .f, .hh, .s, .sh, .th, .v, .z, .zh: .fricative
        case .ch, .jh: .affricate
        case .m, .n, .ng: .nasal
        case .l, .r, .w, .y: .approximant
        }
    }

    /// Pairs that differ in their voice only, and vowels that run into each other.
    private static let close: [Set<ARPAbet>] = [
        [.b, .p], [.d, .t], [.g, .k], [.f, .v], [.s, .z], [.sh, .zh], [.th, .dh], [.ch, .jh], [.n, .m], [.n, .ng],
        [.ih, .iy], [.ih, .eh], [.ih, .ah], [.eh, .ae], [.ae, .ah], [.ah, .aa], [.aa, .ao], [.ao, .ow], [.uh, .uw],
        [.ah, .uh], [.ah, .er], [.eh, .ey], [.ay, .aa], [.aw, .aa], [.ow, .uh],
    ]

    /// The cost of each phone for each other one, by their numbers: `table[said * count + heard]`.
    static let table: [UInt16] = {
        let phones = ARPAbet.allCases
        return phones.flatMap { said in
            phones.map { heard -> UInt16 in
                if said == heard { return 0 }
                if close.contains([said, heard]) { return 4 }
                return kind(said) == kind(heard) ? 7 : 10
            }
        }
    }()

    static let count = ARPAbet.allCases.count
}
