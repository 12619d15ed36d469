package import Media
package import Physarum

/// A running hash of 64 bits that finds accidents, not attacks.
///
/// Every word is mixed in by an exclusive or, a product with an odd constant and a shift, so that for
/// a given word no two states become one.
package struct Checksum: Sendable, Hashable {
    package private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init() {}

    package mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9FB2_1C65_1E98_DF25
        value ^= value >> 32
    }

    package mutating func add(_ integer: Int) { add(UInt64(bitPattern: Int64(integer))) }

    package mutating func add(_ number: Double) { add(number.bitPattern) }

    package mutating func add(_ time: MediaTime) {
        // Equal times of different scales count as equal.
        let reduced = time.reduced
        add(UInt64(bitPattern: reduced.value))
        add(Int(reduced.scale))
    }

    package mutating func add(_ text: String) { add(bytes: Array(text.utf8)) }

    package mutating func add(bytes: [UInt8]) { add(bytes: bytes.span) }

    package mutating func add(bytes: Span<UInt8>) {
        add(bytes.count)
        unsafe bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset + 8 <= buffer.count {
                unsafe add(
                    buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                )
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < buffer.count {
                unsafe rest = rest << 8 | UInt64(buffer[offset])
                offset += 1
            }
            add(rest)
        }
    }

    package mutating func add(samples: Span<Float>) {
        add(samples.count)
        for index in 0..<samples.count { add(UInt64(samples[index].bitPattern)) }
    }

    /// The hash as 16 hex digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A payload that can be hashed whole: its format and all it carries.
package protocol Checksummed: Payload {
    func add(to checksum: inout Checksum)
}

extension Checksummed {
    /// The hash of this payload alone.
    package var checksum: Checksum {
        var checksum = Checksum()
        add(to: &checksum)
        return checksum
    }
}

extension AudioBlock: Checksummed {
    package func add(to checksum: inout Checksum) {
        checksum.add("\(format)")
        samples.withSpan { checksum.add(samples: $0) }
    }
}

extension VideoFrame: Checksummed {
    package func add(to checksum: inout Checksum) {
        checksum.add("\(format)")
        bytes.withSpan { checksum.add(bytes: $0) }
    }
}

extension EncodedPacket: Checksummed {
    package func add(to checksum: inout Checksum) {
        checksum.add("\(format)")
        checksum.add(bytes: format.configuration)
        checksum.add(presentationTime)
        bytes.withSpan { checksum.add(bytes: $0) }
    }
}

extension ParameterSet: Checksummed {
    package func add(to checksum: inout Checksum) {
        checksum.add("\(format)")
        for parameter in Parameter.allCases {
            checksum.add(parameters[base: parameter])
            checksum.add(parameters[factor: parameter])
        }
    }
}

extension TrailField: Checksummed {
    package func add(to checksum: inout Checksum) {
        checksum.add("\(format)")
        map.withSpan { checksum.add(samples: $0) }
        parameters.add(to: &checksum)
    }
}
