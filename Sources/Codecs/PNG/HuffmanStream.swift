import CDeflate
import Media

/// Compresses bytes that repeat little, by the lengths of their codes alone: a zlib stream without matches.
///
/// What filters leave of a film's pictures is nearly noise: looking for repeats takes most of a compressor's
/// time and finds none. Blocks of 256 KiB have codes of their own, of 12 bits at most, so that four bytes fit
/// into a word at once.
///
/// Source: RFC 1950 and RFC 1951, section 3.2.7.
enum HuffmanStream {
    private static let block = 256 << 10
    private static let longest = 12

    /// Appends a whole stream of `input` to `bytes`.
    static func append(_ input: Span<UInt8>, to bytes: inout [UInt8]) {
        let blocks = max(1, (input.count + block - 1) / block)
        // A byte takes at most 12 bits, a block's codes 200 bytes.
        let bound = input.count + input.count / 2 + blocks * 256 + 64
        unsafe input.withUnsafeBufferPointer { source in
            var output = Writable<UInt8>(uninitialized: bound)
            let size = unsafe output.withUnsafeMutablePointer { target in
                var writer = unsafe BitWriter(target)
                writer.put(0x0178, 16)
                for number in 0..<blocks {
                    let start = number * block
                    let end = min(start + block, source.count)
                    unsafe write(
                        UnsafeBufferPointer(rebasing: source[start..<end]),
                        isLast: number == blocks - 1,
                        &writer
                    )
                }
                writer.align()
                let check = unsafe libdeflate_adler32(1, source.baseAddress, source.count)
                for shift in [24, 16, 8, 0] as [UInt32] {
                    writer.put(UInt64(check >> shift & 0xFF), 8)
                }
                return writer.finish()
            }
            unsafe output.withUnsafeMutablePointer { target in
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: target, count: size))
            }
        }
    }

    /// How many bytes the codes of some bytes take, about: their entropy, but no code is shorter than a bit.
    static func estimate(_ input: UnsafeBufferPointer<UInt8>) -> Double {
        let counts = unsafe histogram(input)
        let total = Double(input.count)
        var bits = 0.0
        for count in counts where count > 0 {
            let length = PortableMath.decibels(ofRatio: total / Double(count)) / 6.020599913279624
            bits += Double(count) * max(1, length)
        }
        return bits / 8
    }

    private static func write(
        _ input: UnsafeBufferPointer<UInt8>,
        isLast: Bool,
        _ writer: inout BitWriter
    ) {
        var counts = unsafe histogram(input)
        // The end of a block is a symbol too.
        counts.append(1)
        let lengths = CodeLengths.limited(counts, to: longest)
        let codes = CodeLengths.codes(lengths)
        writer.put(isLast ? 1 : 0, 1)
        writer.put(2, 2)
        writer.put(0, 5)
        writer.put(0, 5)
        // Lengths are told with four bits each: 16 lengths, and no runs of them.
        writer.put(15, 4)
        for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
            writer.put(symbol < 16 ? 4 : 0, 3)
        }
        // One distance of no bits: there are none.
        for length in lengths + [0] { writer.put(UInt64(reversed(UInt32(length), 4)), 4) }
        unsafe emit(input, codes, &writer)
        writer.put(UInt64(codes[256] & 0xFFFF), Int(codes[256] >> 16))
    }

    private static func emit(
        _ input: UnsafeBufferPointer<UInt8>,
        _ codes: [UInt32],
        _ writer: inout BitWriter
    ) {
        unsafe codes.withUnsafeBufferPointer { table in
            var place = 0
            let whole = input.count & ~3
            while place < whole {
                let one = unsafe table[Int(input[place])]
                let two = unsafe table[Int(input[place &+ 1])]
                let three = unsafe table[Int(input[place &+ 2])]
                let four = unsafe table[Int(input[place &+ 3])]
                let (a, b) = (UInt64(one >> 16), UInt64(two >> 16))
                let c = UInt64(three >> 16)
                let word =
                    UInt64(one & 0xFFFF) | UInt64(two & 0xFFFF) &<< a
                    | UInt64(three & 0xFFFF) &<< (a &+ b)
                    | UInt64(four & 0xFFFF) &<< (a &+ b &+ c)
                writer.put(word, Int(a &+ b &+ c &+ UInt64(four >> 16)))
                place &+= 4
            }
            while place < input.count {
                let code = unsafe table[Int(input[place])]
                writer.put(UInt64(code & 0xFFFF), Int(code >> 16))
                place &+= 1
            }
        }
    }

    private static func histogram(_ input: UnsafeBufferPointer<UInt8>) -> [UInt32] {
        // Four counts of each byte, so that equal neighbours need not wait for each other.
        var parts = [UInt32](repeating: 0, count: 4 * 256)
        unsafe parts.withUnsafeMutableBufferPointer { counts in
            var place = 0
            let whole = input.count & ~3
            while place < whole {
                unsafe counts[Int(input[place])] &+= 1
                unsafe counts[256 &+ Int(input[place &+ 1])] &+= 1
                unsafe counts[512 &+ Int(input[place &+ 2])] &+= 1
                unsafe counts[768 &+ Int(input[place &+ 3])] &+= 1
                place &+= 4
            }
            while place < input.count {
                unsafe counts[Int(input[place])] &+= 1
                place &+= 1
            }
        }
        return (0..<256).map { parts[$0] + parts[256 + $0] + parts[512 + $0] + parts[768 + $0] }
    }

    /// The lowest bits in reverse: codes are stored from their highest bit on.
    fileprivate static func reversed(_ code: UInt32, _ length: Int) -> UInt32 {
        var (rest, result) = (code, UInt32(0))
        for _ in 0..<length {
            result = result << 1 | rest & 1
            rest >>= 1
        }
        return result
    }
}

/// Lengths of prefix codes, and the codes that follow from them.
private enum CodeLengths {
    /// Good lengths of at most `limit` bits that use up all codes; 0 for symbols that do not occur.
    ///
    /// Huffman's lengths; where some are longer than the limit, codes are taken from the longest that are not, one
    /// for two, until all fit. O(symbols × log symbols).
    static func limited(_ counts: [UInt32], to limit: Int) -> [Int] {
        var lengths = [Int](repeating: 0, count: counts.count)
        let used = counts.indices.filter { counts[$0] > 0 }.sorted {
            (counts[$0], $0) < (counts[$1], $1)
        }
        if used.count == 1 {
            // A code of no bits is none: two symbols share the first bit.
            lengths[used[0]] = 1
            lengths[used[0] == 0 ? 1 : 0] = 1
            return lengths
        }
        // How many codes there are of each length.
        var numbers = [Int](repeating: 0, count: limit + 1)
        for depth in depths(used.map { UInt64(counts[$0]) }) { numbers[min(depth, limit)] += 1 }
        var room = (1...limit).reduce(1 << limit) { $0 - numbers[$1] << (limit - $1) }
        while room < 0 {
            // A code of the longest kind goes below one that is shorter.
            guard let shorter = (1..<limit).last(where: { numbers[$0] > 0 }) else { break }
            numbers[limit] -= 1
            numbers[shorter] -= 1
            numbers[shorter + 1] += 2
            room += 1
        }
        // The rarest get the longest.
        var next = 0
        for length in stride(from: limit, through: 1, by: -1) {
            for _ in 0..<numbers[length] {
                lengths[used[next]] = length
                next += 1
            }
        }
        return lengths
    }

    /// How deep each of some weights, the least first, lies in Huffman's tree.
    private static func depths(_ weights: [UInt64]) -> [Int] {
        let count = weights.count
        var sums: [UInt64] = []
        var parents = [Int](repeating: 0, count: 2 * count - 1)
        var (leaf, inner) = (0, 0)
        for node in 0..<count - 1 {
            var sum: UInt64 = 0
            for _ in 0..<2 {
                if inner == sums.count || leaf < count && weights[leaf] <= sums[inner] {
                    sum += weights[leaf]
                    parents[leaf] = count + node
                    leaf += 1
                } else {
                    sum += sums[inner]
                    parents[count + inner] = count + node
                    inner += 1
                }
            }
            sums.append(sum)
        }
        var depths = [Int](repeating: 0, count: 2 * count - 1)
        for node in stride(from: 2 * count - 3, through: 0, by: -1) {
            depths[node] = depths[parents[node]] + 1
        }
        return Array(depths[..<count])
    }

    /// Canonical codes in stored order in the low 16 bits, and their lengths above.
    static func codes(_ lengths: [Int]) -> [UInt32] {
        var next = [UInt32](repeating: 0, count: 17)
        var counts = [UInt32](repeating: 0, count: 17)
        for length in lengths where length > 0 { counts[length] += 1 }
        for length in 1...16 { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
        return lengths.map { length in
            if length == 0 { return 0 }
            defer { next[length] += 1 }
            return HuffmanStream.reversed(next[length], length) | UInt32(length) << 16
        }
    }
}

/// Writes bits, the lowest first.
@safe private struct BitWriter {
    private let start: UnsafeMutablePointer<UInt8>
    private var place: UnsafeMutablePointer<UInt8>
    private var word: UInt64 = 0
    private var count = 0

    init(_ target: UnsafeMutablePointer<UInt8>) {
        unsafe start = target
        unsafe place = target
    }

    /// Writes the lowest `length` bits of `bits`, at most 48; the rest of `bits` must be 0.
    @inline(__always) mutating func put(_ bits: UInt64, _ length: Int) {
        word |= bits &<< UInt64(count)
        count &+= length
        unsafe UnsafeMutableRawPointer(place).storeBytes(of: word.littleEndian, as: UInt64.self)
        unsafe place += count &>> 3
        word &>>= UInt64(count & ~7)
        count &= 7
    }

    /// Goes on at the next whole byte.
    mutating func align() { if count > 0 { put(0, 8 - count) } }

    /// How many bytes were written, the last one whole.
    mutating func finish() -> Int {
        align()
        return unsafe place - start
    }
}
