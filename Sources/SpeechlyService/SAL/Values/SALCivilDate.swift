import Foundation

/// A day of the Gregorian calendar.
struct SALCivilDate: Comparable, Hashable {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day at a moment, where the speaker is.
    init(_ moment: SALMoment) {
        // Years that the calendar has names for, whatever a peer sends.
        let seconds = min(max(moment.date.timeIntervalSince1970, -6e10), 2.5e11)
        let local = seconds + Double(moment.timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
        self.init(dayNumber: Int((local / 86_400).rounded(.down)))
    }

    /// A day by its distance from 1970-01-01. Counts from March, so that a leap day ends a year.
    init(dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var dayNumber: Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// From 0 for Monday.
    var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    var isValid: Bool {
        (1...12).contains(month) && day >= 1 && day <= Self.length(ofMonth: month, year: year)
    }

    func adding(days: Int) -> SALCivilDate { SALCivilDate(dayNumber: dayNumber + days) }

    /// The same day of another month, or that month's last.
    func adding(months: Int) -> SALCivilDate {
        let count = year * 12 + month - 1 + months
        let year = count >= 0 ? count / 12 : (count - 11) / 12
        let month = count - year * 12 + 1
        return SALCivilDate(year: year, month: month, day: min(day, Self.length(ofMonth: month, year: year)))
    }

    static func < (left: SALCivilDate, right: SALCivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// YYYY-MM-DD; nil for years of which that says nothing.
    var text: String? {
        guard (0...9999).contains(year) else { return nil }
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: width - String(number).count) + String(number)
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
