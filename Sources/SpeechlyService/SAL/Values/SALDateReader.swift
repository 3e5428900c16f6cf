/// Spoken dates, absolute and relative.
struct SALDateReader {
    enum Direction {
        /// What is left open is this year's, a weekday the next one.
        case none
        case future
        case past
    }

    let today: SALCivilDate
    let direction: Direction

    /// YYYY-MM-DD, or nil if the words are no date.
    func value(_ words: [String]) -> String? {
        var words = words[...]
        if words.first == "on" { words.removeFirst() }
        guard let date = relative(words) ?? absolute(words) else { return nil }
        return date.isValid ? date.text : nil
    }

    // MARK: Relative

    private func relative(_ words: ArraySlice<String>) -> SALCivilDate? {
        let text = words.joined(separator: " ")
        switch text {
        case "today", "tonight", "this morning", "this afternoon", "this evening": return today
        case "tomorrow", "tomorrow morning", "tomorrow evening": return today.adding(days: 1)
        case "yesterday": return today.adding(days: -1)
        case "day after tomorrow", "the day after tomorrow": return today.adding(days: 2)
        case "day before yesterday", "the day before yesterday": return today.adding(days: -2)
        case "this week", "this month", "this year": return today
        case "next week": return today.adding(days: 7)
        case "last week": return today.adding(days: -7)
        case "next month": return today.adding(months: 1)
        case "last month": return today.adding(months: -1)
        case "next year": return today.adding(months: 12)
        case "last year": return today.adding(months: -12)
        default: break
        }
        if let day = weekday(words) { return day }
        if words.first == "in" { return span(words.dropFirst(), from: today, sign: 1) }
        if words.last == "ago" { return span(words.dropLast(), from: today, sign: -1) }
        if let from = words.firstIndex(of: "from") {
            let base = words[(from + 1)...]
            guard let start = base.elementsEqual(["now"]) ? today : relative(base) else { return nil }
            return span(words[..<from], from: start, sign: 1)
        }
        return nil
    }

    private func weekday(_ words: ArraySlice<String>) -> SALCivilDate? {
        var words = words
        var isNext = false
        if words.count == 3, words.suffix(2).elementsEqual(["next", "week"]) {
            isNext = true
            words = words.dropLast(2)
        }
        guard let last = words.last, let index = SALCalendarWords.weekdays.firstIndex(of: last) else { return nil }
        let ahead = (index - today.weekday + 7) % 7
        let behind = (today.weekday - index + 7) % 7
        switch words.dropLast().joined(separator: " ") {
        case "" where isNext: return today.adding(days: 7 - today.weekday + index)
        case "" where direction == .past: return today.adding(days: behind == 0 ? -7 : -behind)
        case "", "coming", "this coming": return today.adding(days: ahead == 0 ? 7 : ahead)
        case "this": return today.adding(days: ahead)
        // In the week that begins next Monday.
        case "next": return today.adding(days: 7 - today.weekday + index)
        case "last", "past", "this past": return today.adding(days: behind == 0 ? -7 : -behind)
        default: return nil
        }
    }

    private func span(_ words: ArraySlice<String>, from start: SALCivilDate, sign: Int) -> SALCivilDate? {
        guard let unit = words.last else { return nil }
        let number = words.dropLast()
        let isOne = number.elementsEqual(["a"]) || number.elementsEqual(["an"])
        guard let count = isOne ? 1 : SALSpokenNumber.whole(number), count <= 100_000 else { return nil }
        switch unit {
        case "day", "days": return start.adding(days: sign * count)
        case "week", "weeks": return start.adding(days: sign * count * 7)
        case "month", "months": return start.adding(months: sign * count)
        case "year", "years": return start.adding(months: sign * count * 12)
        default: return nil
        }
    }

    // MARK: Absolute

    private func absolute(_ words: ArraySlice<String>) -> SALCivilDate? {
        var words = words
        if let first = words.first, SALCalendarWords.weekdays.contains(first) { words.removeFirst() }
        if let date = written(words) { return date }
        if words.first == "the" { words.removeFirst() }
        guard let place = words.firstIndex(where: SALCalendarWords.months.contains),
            let month = SALCalendarWords.months.firstIndex(of: words[place])
        else {
            guard let day = day(words) else { return nil }
            return resolve(day: day)
        }
        var before = words[..<place]
        var after = words[(place + 1)...]
        if before.isEmpty {
            if after.first == "the" { after.removeFirst() }
            // The longer day first: "twenty second twenty twenty".
            for length in [2, 1] where length <= after.count {
                guard let day = day(after.prefix(length)) else { continue }
                let rest = after.dropFirst(length)
                if rest.isEmpty { return resolve(month: month + 1, day: day) }
                if let year = year(rest) { return SALCivilDate(year: year, month: month + 1, day: day) }
            }
            return nil
        }
        if before.last == "of" { before.removeLast() }
        guard let day = day(before) else { return nil }
        if after.isEmpty { return resolve(month: month + 1, day: day) }
        return year(after).map { SALCivilDate(year: $0, month: month + 1, day: day) }
    }

    /// A date in digits: 2021-09-12.
    private func written(_ words: ArraySlice<String>) -> SALCivilDate? {
        let numbers = words.compactMap { $0.utf8.allSatisfy(Ascii.isDigit) ? Int($0) : nil }
        guard words.count == 3, numbers.count == 3, numbers[0] > 31 else { return nil }
        return SALCivilDate(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    private func day(_ words: ArraySlice<String>) -> Int? {
        let words = Array(words)
        if words.count == 1, let digits = words.first, let number = Int(digits.prefix { $0.isNumber }),
            ["", "st", "nd", "rd", "th"].contains(digits.drop { $0.isNumber })
        {
            return number
        }
        guard let chunk = SALSpokenNumber.chunk(words, at: 0), chunk.end == words.count, (1...31).contains(chunk.value)
        else { return nil }
        return chunk.value
    }

    /// "twenty twenty one", "nineteen oh five", "two thousand and one".
    private func year(_ words: ArraySlice<String>) -> Int? {
        let words = Array(words)
        guard let first = SALSpokenNumber.chunk(words, at: 0) else {
            return SALSpokenNumber.whole(words).flatMap { (1000...2999).contains($0) ? $0 : nil }
        }
        if first.end == words.count { return (1000...2999).contains(first.value) ? first.value : nil }
        guard (10...29).contains(first.value) else { return nil }
        var rest = first.end
        var tens = 10
        if ["oh", "o", "zero"].contains(words[rest]) {
            rest += 1
            tens = 1
        }
        guard rest < words.count, let second = SALSpokenNumber.chunk(words, at: rest), second.end == words.count,
            second.value >= tens, second.value < (tens == 1 ? 10 : 100)
        else { return nil }
        return first.value * 100 + second.value
    }

    /// A day without its year.
    private func resolve(month: Int, day: Int) -> SALCivilDate? {
        let candidates: [Int]
        switch direction {
        case .none: candidates = [0]
        // A leap day may be eight years away.
        case .future: candidates = Array(0...8)
        case .past: candidates = (0...8).map { -$0 }
        }
        return candidates.lazy.map { SALCivilDate(year: today.year + $0, month: month, day: day) }.first(where: fits)
    }

    /// A day without its month.
    private func resolve(day: Int) -> SALCivilDate? {
        let candidates: [Int]
        switch direction {
        case .none: candidates = [0]
        case .future: candidates = Array(0...3)
        case .past: candidates = (0...3).map { -$0 }
        }
        let first = SALCivilDate(year: today.year, month: today.month, day: 1)
        return candidates.lazy.map { months -> SALCivilDate in
            var date = first.adding(months: months)
            date.day = day
            return date
        }.first(where: fits)
    }

    private func fits(_ date: SALCivilDate) -> Bool {
        guard date.isValid else { return false }
        switch direction {
        case .none: return true
        case .future: return date >= today
        case .past: return date <= today
        }
    }
}
