/// Spoken dates and times of day.
enum SALStandardTimes {
    static let definitions: [(name: String, value: String)] = [
        ("month", "[\(SALCalendarWords.months.joined(separator: " | "))]"),
        ("weekday", "[\(SALCalendarWords.weekdays.joined(separator: " | "))]"),
        (
            "year",
            "[4: [5: twenty | 2: nineteen] [oh $SPEECHLY.one_to_nine | $SPEECHLY.teen "
                + "| 3: $SPEECHLY.tens {$SPEECHLY.one_to_nine}] | 2: two thousand {{and} $SPEECHLY.below_hundred}]"
        ),
        ("day", "$SPEECHLY.SMALL_ORDINAL_NUMBER"),
        (
            "absolute_date",
            "[5: {0.1: $SPEECHLY.weekday} $SPEECHLY.month {0.2: the} $SPEECHLY.day {0.4: $SPEECHLY.year} "
                + "| 4: {0.1: $SPEECHLY.weekday} {0.6: the} $SPEECHLY.day {0.8: of} $SPEECHLY.month "
                + "{0.4: $SPEECHLY.year} | 0.5: $SPEECHLY.month [1..31] | 0.5: the $SPEECHLY.day]"
        ),
        ("count", "[a | 9: $SPEECHLY.one_to_nine | 3: [ten | eleven | twelve] | 2: $SPEECHLY.below_hundred]"),
        ("span", "$SPEECHLY.count [day | days | week | weeks | month | months | year | years]"),
        (
            "relative_date",
            "[3: today | 4: tomorrow | 2: yesterday | {the} day after tomorrow | {the} day before yesterday "
                + "| 4: $SPEECHLY.weekday | 3: [3: next | this | last | this coming | this past] $SPEECHLY.weekday "
                + "| $SPEECHLY.weekday next week | [2: next | last] [week | month | year] | in $SPEECHLY.span "
                + "| $SPEECHLY.span ago | $SPEECHLY.span from [now | today | tomorrow | $SPEECHLY.weekday]]"
        ),
        ("DATE", "[$SPEECHLY.relative_date | $SPEECHLY.absolute_date]"),
        (
            "hour",
            "[one | two | three | four | five | six | seven | eight | nine | ten | eleven | twelve]"
        ),
        (
            "hour_of_day",
            "[zero | $SPEECHLY.one_to_nine | $SPEECHLY.teen | twenty {[one | two | three]}]"
        ),
        (
            "minute",
            "[oh $SPEECHLY.one_to_nine | $SPEECHLY.teen | [twenty | thirty | forty | fifty] {$SPEECHLY.one_to_nine}]"
        ),
        (
            "part_of_day",
            "[3: am | 3: pm | a m | p m | a.m. | p.m. | in the [morning | afternoon | evening] | at night]"
        ),
        (
            "minutes",
            "[half | 2: {0.3: a} quarter | 4: [five | ten | twenty | twenty five] {0.2: minutes} "
                + "| $SPEECHLY.below_hundred minutes]"
        ),
        (
            "TIME",
            "[4: $SPEECHLY.hour {0.6: $SPEECHLY.minute} {0.6: $SPEECHLY.part_of_day} "
                + "| $SPEECHLY.hour o'clock {$SPEECHLY.part_of_day} "
                + "| 2: $SPEECHLY.minutes [3: past | 2: to | 0.5: after | 0.3: before] "
                + "[9: $SPEECHLY.hour {0.3: $SPEECHLY.part_of_day} | noon | midnight] "
                + "| $SPEECHLY.hour_of_day [$SPEECHLY.minute | 0.2: hundred] | 0.5: noon | 0.5: midnight]"
        ),
    ]
}

/// The names of months and weekdays, in order.
enum SALCalendarWords {
    static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    /// From Monday.
    static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}
