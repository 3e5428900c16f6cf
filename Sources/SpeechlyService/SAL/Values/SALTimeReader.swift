/// Spoken times of day to hh:mm.
enum SALTimeReader {
    private enum Part {
        case am, pm, morning, afternoon, evening, night
    }

    private static let endings: [(words: [String], part: Part)] = [
        (["am"], .am), (["a.m"], .am), (["a", "m"], .am), (["pm"], .pm), (["p.m"], .pm), (["p", "m"], .pm),
        (["in", "the", "morning"], .morning), (["this", "morning"], .morning),
        (["in", "the", "afternoon"], .afternoon), (["this", "afternoon"], .afternoon),
        (["in", "the", "evening"], .evening), (["this", "evening"], .evening), (["at", "night"], .night),
        (["tonight"], .night),
    ]

    static func value(_ words: [String]) -> String? {
        var words = words[...]
        if words.first == "at" { words.removeFirst() }
        var part: Part?
        if let ending = endings.first(where: { words.suffix($0.words.count).elementsEqual($0.words) }) {
            part = ending.part
            words = words.dropLast(ending.words.count)
        } else if let last = words.last, let written = written(last) {
            part = written.part
            words[words.endIndex - 1] = written.time
        }
        guard let minutes = minutes(words, part) else { return nil }
        let day = (minutes % 1440 + 1440) % 1440
        let (hour, minute) = (day / 60, day % 60)
        return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }

    /// "3pm" and "3:30pm".
    private static func written(_ word: String) -> (time: String, part: Part)? {
        for (ending, part) in [("am", Part.am), ("pm", .pm)] where word.hasSuffix(ending) {
            let time = word.dropLast(2)
            if time.utf8.first.map(Ascii.isDigit) == true { return (String(time), part) }
        }
        return nil
    }

    private static func minutes(_ words: ArraySlice<String>, _ part: Part?) -> Int? {
        for (word, sign) in [("past", 1), ("after", 1), ("to", -1), ("before", -1), ("till", -1), ("of", -1)] {
            guard let place = words.firstIndex(of: word) else { continue }
            guard let distance = distance(words[..<place]), let hour = hour(words[(place + 1)...], part) else {
                return nil
            }
            return hour * 60 + sign * distance
        }
        return clock(words, part)
    }

    private static func distance(_ words: ArraySlice<String>) -> Int? {
        var words = words
        if words.last == "minutes" || words.last == "minute" { words.removeLast() }
        if words.first == "a", words.last == "quarter" { words.removeFirst() }
        if words.elementsEqual(["half"]) { return 30 }
        if words.elementsEqual(["quarter"]) { return 15 }
        return number(words, in: 0...59)
    }

    private static func hour(_ words: ArraySlice<String>, _ part: Part?) -> Int? {
        var words = words
        if words.last == "o'clock" { words.removeLast() }
        if words.elementsEqual(["noon"]) || words.elementsEqual(["midday"]) { return 12 }
        if words.elementsEqual(["midnight"]) { return 0 }
        return number(words, in: 0...24).flatMap { moved($0, part) }
    }

    /// "three", "three thirty", "fifteen twenty five", "three oh five", "fifteen hundred", "3:30".
    private static func clock(_ words: ArraySlice<String>, _ part: Part?) -> Int? {
        var words = words
        if words.last == "hours" { words.removeLast() }
        if let hour = hour(words, part) { return hour * 60 }
        if words.count == 1, let pair = words.first?.split(separator: ":"), pair.count == 2, pair[1].count == 2,
            let hour = Int(pair[0]), (0...24).contains(hour), let minute = Int(pair[1]), (0...59).contains(minute)
        {
            return moved(hour, part).map { $0 * 60 + minute }
        }
        for length in [2, 1] where length < words.count {
            guard let hour = number(words.prefix(length), in: 0...24).flatMap({ moved($0, part) }) else { continue }
            if let minute = minute(words.dropFirst(length)) { return hour * 60 + minute }
        }
        return nil
    }

    private static func minute(_ words: ArraySlice<String>) -> Int? {
        if words.elementsEqual(["hundred"]) { return 0 }
        if let first = words.first, words.count == 2, ["oh", "o", "zero"].contains(first) {
            return number(words.dropFirst(), in: 0...9)
        }
        return number(words, in: 10...59)
    }

    private static func number(_ words: ArraySlice<String>, in range: ClosedRange<Int>) -> Int? {
        let words = Array(words)
        guard let chunk = SALSpokenNumber.chunk(words, at: 0), chunk.end == words.count, !chunk.isOrdinal,
            range.contains(chunk.value)
        else { return nil }
        return chunk.value
    }

    /// An hour as said to one of the day; nil if they contradict each other.
    private static func moved(_ hour: Int, _ part: Part?) -> Int? {
        let hour = hour % 24
        switch part {
        case nil: return hour
        case .am, .morning: return hour > 12 ? nil : hour % 12
        case .pm, .afternoon: return hour > 12 ? hour : hour % 12 + 12
        case .evening: return hour > 12 ? hour : hour == 12 ? 0 : hour + 12
        case .night: return hour > 12 || hour < 6 ? hour : hour == 12 ? 0 : hour + 12
        }
    }
}
