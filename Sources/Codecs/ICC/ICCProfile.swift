public import Media

/// The ICC profile of an RGB space with sRGB's transfer: what stills carry so that viewers show their colours.
///
/// Source: ICC.1:2022 (version 4), section 8.3 (three-component matrix-based profiles), section 10.18
/// (parametric curves); sRGB's curve from IEC 61966-2-1.
public enum ICCProfile {
    /// The profile of sRGB or Display P3, a little over 500 bytes.
    ///
    /// - Parameter primaries: `bt709` or `displayP3`; others have none.
    /// - Returns: the profile; nil for other primaries.
    public static func bytes(for primaries: ColorInfo.Primaries) -> [UInt8]? {
        guard let name = name(of: primaries) else { return nil }
        let colorants = colorants(primaries)
        let curve = curve
        let tags: [(name: String, bytes: [UInt8])] = [
            ("desc", text(name)),
            ("cprt", text("CC0")),
            ("wtpt", xyz(whiteD50)),
            ("chad", Array("sf32".utf8) + [0, 0, 0, 0] + adaptation.flatMap { $0.flatMap(fixed) }),
            ("rXYZ", xyz(colorants.map { $0[0] })),
            ("gXYZ", xyz(colorants.map { $0[1] })),
            ("bXYZ", xyz(colorants.map { $0[2] })),
            ("rTRC", curve),
            ("gTRC", curve),
            ("bTRC", curve),
        ]
        var table: [UInt8] = .words(tags.count)
        var data: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        var places: [[UInt8]: Int] = [:]
        for tag in tags {
            // Equal contents, as of the three curves, are stored once.
            let place = places[tag.bytes] ?? start + data.count
            if places[tag.bytes] == nil {
                places[tag.bytes] = place
                data += tag.bytes
                data.putZeros((4 - data.count % 4) % 4)
            }
            table += Array(tag.name.utf8) + .words(place, tag.bytes.count)
        }
        return header(byteCount: start + data.count) + table + data
    }

    /// Which of our primaries a profile's colorants are.
    ///
    /// - Parameter profile: the whole profile.
    /// - Returns: nil where it is no RGB matrix profile, or of other primaries.
    public static func primaries(of profile: [UInt8]) -> ColorInfo.Primaries? {
        func word(_ place: Int) -> Int? {
            guard place >= 0, place + 4 <= profile.count else { return nil }
            return profile[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        guard profile.count >= 132, Box.name(profile[16..<20]) == "RGB ", let count = word(128)
        else { return nil }
        var found: [String: [Double]] = [:]
        for entry in 0..<min(count, 100) {
            let place = 132 + 12 * entry
            guard place + 12 <= profile.count, let offset = word(place + 4) else { return nil }
            let name = Box.name(profile[place..<place + 4])
            guard ["rXYZ", "gXYZ", "bXYZ"].contains(name) else { continue }
            let numbers = [8, 12, 16].compactMap { word(offset + $0) }
            guard numbers.count == 3 else { return nil }
            found[name] = numbers.map {
                Double(Int32(truncatingIfNeeded: $0)) / 65_536
            }
        }
        guard let red = found["rXYZ"], let green = found["gXYZ"], let blue = found["bXYZ"] else {
            return nil
        }
        let known: [ColorInfo.Primaries] = [.bt709, .displayP3, .bt2020]
        return known.first { candidate in
            let expected = colorants(candidate)
            return (0..<3).allSatisfy { row in
                // Profiles were made by many hands, whose white points differ in the third digit.
                zip(expected[row], [red[row], green[row], blue[row]])
                    .allSatisfy { abs($0 - $1) < 0.004 }
            }
        }
    }

    private static func name(of primaries: ColorInfo.Primaries) -> String? {
        switch primaries {
        case .bt709: "sRGB"
        case .displayP3: "Display P3"
        default: nil
        }
    }

    private static func header(byteCount: Int) -> [UInt8] {
        var bytes: [UInt8] = .words(byteCount) + [0, 0, 0, 0] + .words(0x0430_0000)
        bytes += Array("mntrRGB XYZ ".utf8)
        // 1 January 2026, always: profiles of one space are equal.
        for number in [2026, 1, 1, 0, 0, 0] { bytes.put16(number) }
        bytes += Array("acsp".utf8)
        bytes.putZeros(68 - bytes.count)
        bytes += whiteD50.flatMap(fixed)
        bytes.putZeros(128 - bytes.count)
        return bytes
    }

    private static func text(_ value: String) -> [UInt8] {
        let units = Array(value.utf16)
        return Array("mluc".utf8) + [0, 0, 0, 0] + .words(1, 12) + Array("enUS".utf8)
            + .words(2 * units.count, 28) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap(fixed)
    }

    /// sRGB's: (a x + b)^g from d on, c x below.
    private static var curve: [UInt8] {
        let numbers = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        return Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0] + numbers.flatMap(fixed)
    }

    /// A number in 1/65,536.
    private static func fixed(_ value: Double) -> [UInt8] {
        .words(Int((value * 65_536).rounded()))
    }
}

/// The colorants: where red, green and blue lie in XYZ, seen under D50.
extension ICCProfile {
    private static let whiteD50 = [0.9642, 1.0, 0.8249]

    /// From D65 to D50 (Bradford's matrix, as ICC.1 annex E has it).
    private static let adaptation = [
        [1.047_882, 0.022_919, -0.050_201],
        [0.029_587, 0.990_484, -0.017_079],
        [-0.009_232, 0.015_076, 0.751_678],
    ]

    /// X, Y and Z of red, green and blue each, by rows.
    private static func colorants(_ primaries: ColorInfo.Primaries) -> [[Double]] {
        let places: [(x: Double, y: Double)]
        switch primaries {
        case .displayP3: places = [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]
        case .bt2020: places = [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)]
        default: places = [(0.64, 0.33), (0.3, 0.6), (0.15, 0.06)]
        }
        let columns = places.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let white = [0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329]
        let gains = solve(columns, white)
        let rows = (0..<3).map { row in (0..<3).map { columns[$0][row] * gains[$0] } }
        return adaptation.map { weights in
            (0..<3).map { column in
                (0..<3).reduce(0) { $0 + weights[$1] * rows[$1][column] }
            }
        }
    }

    /// How much of each column makes `sum` (Cramer's rule).
    private static func solve(_ columns: [[Double]], _ sum: [Double]) -> [Double] {
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
                + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let whole = determinant(columns[0], columns[1], columns[2])
        return [
            determinant(sum, columns[1], columns[2]) / whole,
            determinant(columns[0], sum, columns[2]) / whole,
            determinant(columns[0], columns[1], sum) / whole,
        ]
    }
}
