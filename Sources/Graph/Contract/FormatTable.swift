public import Media

/// Numbers the formats of a graph's streams, so that a changed format is one comparison of integers.
@usableFromInline package final class FormatTable: Sendable {
    private struct State {
        var numbers: [AnyHashable: Int32] = [:]
        var formats: [any StreamFormat] = []
    }

    private let state = Locked(State())

    package init() {}

    @usableFromInline package func number(of format: any StreamFormat) -> Int32 {
        state.withLock { state in
            let key = AnyHashable(format)
            if let number = state.numbers[key] { return number }
            let number = Int32(state.formats.count)
            state.numbers[key] = number
            state.formats.append(format)
            return number
        }
    }

    package func format(_ number: Int32) -> any StreamFormat {
        state.withLock { $0.formats[Int(number)] }
    }
}

/// The format last emitted on an output, kept with its type and its number.
@usableFromInline final class FormatBox<Format: StreamFormat> {
    @usableFromInline let format: Format
    @usableFromInline init(_ format: Format) { self.format = format }
}
