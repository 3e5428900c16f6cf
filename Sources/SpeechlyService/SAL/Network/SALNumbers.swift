/// Integers as English speakers say them.
enum SALNumbers {
    /// Largest magnitude that can be spoken.
    static let maximum = 999_999_999
    /// Most numbers in one range.
    static let maximumRange = 100_000

    private static let small = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    private static let tens = [
        "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ]

    /// The words of an integer of magnitude up to `maximum`: 342 is "three hundred forty two".
    static func spoken(_ number: Int) -> [String] {
        if number < 0 { return ["minus"] + spoken(-number) }
        if number < 20 { return [small[number]] }
        if number < 100 {
            return [tens[number / 10]] + (number % 10 == 0 ? [] : [small[number % 10]])
        }
        for (unit, name) in [(1_000_000, "million"), (1000, "thousand"), (100, "hundred")] where number >= unit {
            return spoken(number / unit) + [name] + (number % unit == 0 ? [] : spoken(number % unit))
        }
        return []
    }
}
