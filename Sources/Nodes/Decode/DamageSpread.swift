/// Tells how far damage of one picture reaches: to all that follow, up to the next random access point.
///
/// Numbers count packets in the order of decoding.
struct DamageSpread {
    private var keys: [Int64] = []
    private var wrongFrom: Int64?

    /// Takes note of a packet that decoding can begin with.
    mutating func noteKey(_ number: Int64) { keys.append(number) }

    /// Judges a picture; in the order in which pictures come out.
    ///
    /// - Parameters:
    ///   - number: its packet's.
    ///   - isRight: whether nothing is wrong with it by itself.
    /// - Returns: whether nothing before it is wrong either.
    mutating func judge(_ number: Int64, isRight: Bool) -> Bool {
        while let key = keys.first, key <= number {
            keys.removeFirst()
            if let wrong = wrongFrom, wrong < key { wrongFrom = nil }
        }
        if !isRight, wrongFrom == nil { wrongFrom = number }
        return wrongFrom == nil
    }
}
