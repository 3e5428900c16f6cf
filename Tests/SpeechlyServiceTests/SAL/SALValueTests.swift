import Foundation
import XCTest

@testable import SpeechlyService

/// Spoken words to values, type by type.
final class SALValueTests: XCTestCase {
    /// Sunday.
    private static let sunday = moment("2021-09-12T12:00:00Z")

    private static func moment(_ text: String, _ zone: String = "GMT") -> SALMoment {
        SALMoment(
            date: ISO8601DateFormatter().date(from: text) ?? .distantPast, timeZone: TimeZone(identifier: zone) ?? .gmt)
    }

    private func check(
        _ type: SALDataType, at moment: SALMoment = sunday, _ cases: [(spoken: String, value: String?)],
        line: UInt = #line
    ) {
        for (spoken, value) in cases {
            let words = SALTest.words(spoken).flatMap(SALWords.normalized)
            XCTAssertEqual(
                SALValueReader.value(type, words: words, at: moment), value, "\(type) '\(spoken)'", line: line)
        }
    }

    func testNumbers() {
        check(
            .number,
            [
                ("five six four nine", "5649"), ("seventeen point five", "17.5"), ("three hundred thousand", "300000"),
                ("three quarters", "0.75"), ("zero zero three five", "0035"), ("two", "2"), ("thirty", "30"),
                ("minus zero point zero five", "-0.05"), ("eleven thousand", "11000"), ("minus three", "-3"),
                ("eleven hundred eleven", "1111"), ("five million five hundred", "5000500"), ("seventeen", "17"),
                ("negative twenty-four", "-24"), ("ninety-five", "95"), ("twenty two", "22"), ("a hundred", "100"),
                ("two thousand and twenty one", "2021"), ("one hundred and five", "105"), ("thirty-first", "31"),
                ("half", "0.5"), ("one third", "0.3333"), ("two and a half", "2.5"), ("third", "3"),
                ("one hundred and twenty fifth", "125"), ("zero", "0"), ("minus zero", "0"), ("point five", "0.5"),
                ("one two three", "123"), ("twenty twenty", "2020"),
                ("nine hundred ninety nine billion", "999000000000"),
                ("25", "25"), ("1,500", "1500"), ("3.5", "3.5"), ("two point", nil), ("apples", nil), ("", nil),
                ("five and", nil), ("hundred", nil), ("two apples", nil), ("minus", nil), ("a", nil),
            ])
    }

    func testDates() {
        for type in [SALDataType.date, .dateFuture, .datePast] {
            check(
                type,
                [
                    ("january fifth twenty twenty", "2020-01-05"), ("july third twenty twenty one", "2021-07-03"),
                    ("august ninth two thousand twenty", "2020-08-09"), ("tomorrow", "2021-09-13"),
                    ("april ninth twenty twenty", "2020-04-09"), ("january fifth twenty twenty four", "2024-01-05"),
                    ("second of november two thousand and twenty one", "2021-11-02"), ("today", "2021-09-12"),
                    ("yesterday", "2021-09-11"), ("the day after tomorrow", "2021-09-14"),
                    ("in two weeks", "2021-09-26"),
                    ("three days ago", "2021-09-09"), ("a week from tomorrow", "2021-09-20"),
                    ("next friday", "2021-09-17"), ("last friday", "2021-09-10"), ("this sunday", "2021-09-12"),
                    ("next week", "2021-09-19"), ("next month", "2021-10-12"), ("in a month", "2021-10-12"),
                    ("the thirty first of december nineteen ninety nine", "1999-12-31"),
                    ("february twenty ninth twenty twenty", "2020-02-29"),
                    ("february twenty ninth twenty twenty one", nil),
                    ("june the first nineteen oh five", "1905-06-01"),
                    ("twenty second of may two thousand", "2000-05-22"),
                    ("february thirtieth", nil), ("monday january fourth twenty twenty one", "2021-01-04"),
                    ("2021-09-13", "2021-09-13"), ("5th of may 2022", "2022-05-05"), ("someday", nil), ("", nil),
                    ("january", nil), ("january twenty twenty twenty twenty", nil), ("the", nil), ("in a", nil),
                ])
        }
        check(.date, [("january fifth", "2021-01-05"), ("december first", "2021-12-01"), ("on monday", "2021-09-13")])
        check(
            .dateFuture,
            [
                ("january fifth", "2022-01-05"), ("september twelfth", "2021-09-12"), ("december first", "2021-12-01"),
                ("on monday", "2021-09-13"), ("sunday", "2021-09-19"), ("february twenty ninth", "2024-02-29"),
                ("the fifth", "2021-10-05"), ("the thirty first", "2021-10-31"),
            ])
        check(
            .datePast,
            [
                ("january fifth", "2021-01-05"), ("september twelfth", "2021-09-12"), ("december first", "2020-12-01"),
                ("on monday", "2021-09-06"), ("sunday", "2021-09-05"), ("february twenty ninth", "2020-02-29"),
                ("the fifth", "2021-09-05"), ("the thirty first", "2021-08-31"),
            ])
    }

    func testTheDayIsTheSpeakers() {
        let late = "2021-09-12T22:30:00Z"
        check(.date, at: Self.moment(late, "Europe/Helsinki"), [("today", "2021-09-13"), ("tomorrow", "2021-09-14")])
        check(.date, at: Self.moment(late, "America/New_York"), [("today", "2021-09-12")])
        check(.date, at: Self.moment("2021-01-01T00:30:00Z", "America/New_York"), [("tomorrow", "2021-01-01")])
        check(
            .date, at: Self.moment("2020-02-28T12:00:00Z"), [("tomorrow", "2020-02-29"), ("next year", "2021-02-28")])
        check(
            .date, at: SALMoment(date: Date(timeIntervalSince1970: 1e300), timeZone: .gmt), [("tomorrow", "9892-03-09")]
        )
        check(
            .date, at: SALMoment(date: Date(timeIntervalSince1970: -.infinity), timeZone: .gmt),
            [("today", "0068-09-03")])
    }

    func testTheCalendarIsFoundations() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for number in stride(from: -60_000, through: 60_000, by: 37) {
            let date = SALCivilDate(dayNumber: number)
            XCTAssertEqual(date.dayNumber, number)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(number) * 86_400))
            XCTAssertEqual([date.year, date.month, date.day], [parts.year, parts.month, parts.day])
            XCTAssertEqual((date.weekday + 1) % 7 + 1, parts.weekday)
        }
    }

    func testTimes() {
        check(
            .time,
            [
                ("three thirty pm", "15:30"), ("quarter past two in the morning", "02:15"),
                ("twenty past nine pm", "21:20"), ("quarter past eleven", "11:15"), ("fifteen twenty five", "15:25"),
                ("five minutes after midnight", "00:05"), ("ten to midnight", "23:50"), ("noon", "12:00"),
                ("half past three", "03:30"), ("a quarter to one pm", "12:45"), ("twelve am", "00:00"),
                ("twelve thirty p m", "12:30"), ("three oh five", "03:05"), ("eight o'clock", "08:00"),
                ("at seven in the evening", "19:00"), ("nine at night", "21:00"), ("twelve at night", "00:00"),
                ("two at night", "02:00"), ("fifteen hundred", "15:00"), ("twenty one thirty", "21:30"),
                ("twenty twenty", "20:20"), ("3:30 pm", "15:30"), ("3pm", "15:00"), ("15:25", "15:25"),
                ("three thirty p.m.", "15:30"), ("midnight", "00:00"), ("one in the afternoon", "13:00"),
                ("twenty five", nil), ("soon", nil), ("", nil), ("fifteen am", nil), ("past three", nil),
                ("three sixty", nil), ("pm", nil),
            ])
    }

    func testIdentifiers() {
        check(
            .identifier,
            [
                ("zero zero seven x", "007x"), ("one two seven dot zero dot zero dot one slash x y", "127.0.0.1/xy"),
                ("alpha dash one", "a-1"), ("a b one two dash nine x", "ab12-9x"), ("two seven", "27"),
                ("delta foxtrot five seven dash two", "df57-2"), ("double seven x-ray", "77x"), ("five twelve", "512"),
                ("oh nine hash comma", "09#,"), ("a b 12", "ab12"), ("hello", nil), ("", nil), ("double", nil),
            ])
    }

    func testPhones() {
        check(
            .phone,
            [
                ("plus four four two oh seven seven three oh one two three four", "+44 207 730 1234"),
                ("plus three five eight four zero one two three four five six", "+358 401 234 56"),
                ("plus one five five five one two three four five six seven", "+1 555 123 4567"),
                ("five five five one two three four", "555 1234"), ("double five five one", "5551"),
                ("eight hundred five five five", "800 555"), ("two oh seven 730 1234", "207 730 1234"),
                ("nine", nil), ("call me", nil), ("plus", nil), ("", nil),
            ])
    }

    func testNames() {
        check(
            .personName,
            [
                ("c o n a n o'brien", "Conan O'Brien"), ("amelia m earhart", "Amelia M Earhart"), ("john", "John"),
                ("j r r tolkien", "J R R Tolkien"), ("mcdonald", "McDonald"), ("", nil), ("agent 7", nil),
            ])
        check(
            .email,
            [
                ("john dot smith at company dot com", "john.smith@company.com"),
                ("a n t t i at speechly dot com", "antti@speechly.com"),
                ("info underscore two at my dash shop dot co dot uk", "info_2@my-shop.co.uk"),
                ("ann twenty five at example dot org", "ann25@example.org"), ("john at home", nil), ("at dot com", nil),
                ("john@x.org", "john@x.org"), ("", nil),
            ])
        check(
            .website,
            [
                ("h t t p s colon slash slash docs dot speechly dot com", "https://docs.speechly.com"),
                ("w w w dot speechly dot com", "www.speechly.com"),
                ("example dot org slash help", "example.org/help"), ("my web site", nil), ("dot com", nil), ("", nil),
            ])
        check(
            .streetAddress,
            [
                ("one twenty three michigan avenue", "123 Michigan Av."),
                ("one twenty three imaginary road", "123 Imaginary Rd."),
                ("forty seven east one hundred and tenth street", "47 E 110th St"),
                ("sixty four east twenty second street", "64 E 22nd St"),
                ("five eleventh avenue", "5 11th Av."), ("ten north avenue", "10 North Av."), ("", nil),
            ])
    }

    func testStringsAndTablesKeepTheWords() {
        check(.string, [("july third twenty twenty one", nil)])
        check(.lookup, [("july third", nil)])
    }

    func testNamesOfTypes() {
        for (name, type) in [
            ("string", .string), ("date", .date), ("Date_Past", .datePast), ("phone_number", .phone),
            ("person", .personName), ("email-address", .email), ("url", .website), ("address", .streetAddress),
            ("street address", .streetAddress), ("cardinal", .number), ("lookup", .lookup), ("dinosaur", nil),
        ] as [(String, SALDataType?)] {
            XCTAssertEqual(SALDataType(name: name), type, name)
        }
    }
}
