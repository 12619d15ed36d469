import Glibc

/// A moment in Universal Time, to the microsecond; written as `2026-07-01T12:34:56.123456Z`.
public struct UTCTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Since the start of 1970, leap seconds not counted.
    public let microseconds: Int64

    /// Names a moment of the years 1 to 9999.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// What the system's clock shows.
    public static var now: UTCTime {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UTCTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Reads `2026-07-01T12:34:56Z`, with or without a fraction; nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        let pattern = Array("0000-00-00T00:00:00".utf8)
        for (byte, form) in zip(bytes, pattern) {
            let fits = form == UInt8(ascii: "0") ? byte.isDigit : byte == form
            if !fits { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            range.reduce(0) { $0 * 10 + Int64(bytes[$1] - UInt8(ascii: "0")) }
        }
        var fraction: Int64 = 0
        let rest = bytes[19..<bytes.count - 1]
        if let point = rest.first {
            let digits = rest.dropFirst()
            guard point == UInt8(ascii: "."), (1...9).contains(digits.count),
                digits.allSatisfy(\.isDigit)
            else { return nil }
            for place in 0..<6 {
                let index = digits.startIndex + place
                let digit = index < digits.endIndex ? Int64(digits[index] - UInt8(ascii: "0")) : 0
                fraction = fraction * 10 + digit
            }
        }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year >= 1, (1...12).contains(month), hour < 24, minute < 60, second < 60 else {
            return nil
        }
        let days = Self.days(year, month, day)
        guard day >= 1, Self.date(days) == (year, month, day) else { return nil }
        microseconds = (days * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000 + fraction
    }

    /// `2026-07-01T12:34:56.123456Z`.
    public var description: String {
        let (seconds, fraction) = microseconds.dividedDown(by: 1_000_000)
        let (days, time) = seconds.dividedDown(by: 86_400)
        let (year, month, day) = Self.date(days)
        func padded(_ number: Int64, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))T\(padded(time / 3600))"
            + ":\(padded(time / 60 % 60)):\(padded(time % 60)).\(padded(fraction, 6))Z"
    }

    /// By time.
    public static func < (first: UTCTime, second: UTCTime) -> Bool {
        first.microseconds < second.microseconds
    }

    // Years that start in March have their leap day last, so that months follow from days by one
    // formula; 400 of them have always 146,097 days.

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = marchYear.dividedDown(by: 400)
        let marchMonth = (month + 9) % 12
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).dividedDown(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// The quotient rounded down, and the rest, which is not negative.
    fileprivate func dividedDown(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
