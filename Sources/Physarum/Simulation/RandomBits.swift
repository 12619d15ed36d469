/// Random numbers by counter: each is a function of seed, agent and step, so that the order in which
/// agents are worked on does not matter.
package enum RandomBits {
    /// A 64-bit permutation whose outputs look random (the finaliser of SplitMix64).
    ///
    /// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A number for `counter` in the stream that `seed` and `stream` name.
    package static func mixed(seed: UInt64, stream: UInt64, counter: UInt64) -> UInt64 {
        mixed(mixed(mixed(seed) ^ stream) ^ counter)
    }
}
