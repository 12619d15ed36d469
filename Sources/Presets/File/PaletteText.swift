import Glibc
import Graph
import Physarum

/// How presets write palettes: by name, or as a list of colours.
///
/// A colour of the list is `"#rrggbb"`, `{"position": 0.3, "color": "#rrggbb"}`, or, with all digits,
/// `{"position": 0.3, "lightness": 0.7, "chroma": 0.16, "hue": 155}` (OKLCh). Positions rise from 0,
/// no trail, to 1, the strongest; without any, colours stand at equal distances.
enum PaletteText {
    /// What a palette that is no built-in one is called.
    static let ownName = "own"
    static let colorLimit = 256

    static func read(_ json: JSON, _ pointer: String, _ faults: inout Faults) -> Palette? {
        switch json.value {
        case .string(let name):
            if let palette = Palette.named(name) { return palette }
            let names = Palette.builtIn.map(\.name)
            faults.refuse(
                .range,
                "\"palette\" must be one of \(names.quotedList), or a list of colours, "
                    + "not \(JSON.quoted(name))",
                at: json,
                pointer,
                hint: suggestion(for: name, in: names)
            )
            return nil
        case .array(let elements):
            return own(elements, json, pointer, &faults)
        default:
            faults.refuse(
                "\"palette\" must be a palette's name or a list of colours, not \(json.kindName)",
                at: json,
                pointer
            )
            return nil
        }
    }

    private static func own(
        _ elements: [JSON],
        _ json: JSON,
        _ pointer: String,
        _ faults: inout Faults
    ) -> Palette? {
        guard (1...colorLimit).contains(elements.count) else {
            faults.refuse(
                .range,
                "\"palette\" must have from 1 to \(colorLimit) colours, not \(elements.count)",
                at: json,
                pointer
            )
            return nil
        }
        let isPlaced = elements.contains { $0["position"] != nil }
        var stops: [Palette.Stop] = []
        for (index, element) in elements.enumerated() {
            let place = "\(pointer)/\(index)"
            let color = color(element, place, &faults)
            let even = elements.count == 1 ? 0 : Double(index) / Double(elements.count - 1)
            guard let position = isPlaced ? position(element, place, &faults) : even else {
                continue
            }
            if let last = stops.last, position <= last.position {
                faults.refuse(
                    .range,
                    "\"position\" must be above the one before, \(shortText(of: last.position)), "
                        + "not \(shortText(of: position))",
                    at: element["position"] ?? element,
                    place + "/position"
                )
                continue
            }
            stops.append(Palette.Stop(position, color ?? OKLCh(0, 0, 0)))
        }
        return stops.isEmpty ? nil : Palette(name: ownName, stops: stops)
    }

    private static func position(_ json: JSON, _ pointer: String, _ faults: inout Faults) -> Double?
    {
        guard case .object = json.value, let fields = Fields(json, pointer, "a colour", &faults)
        else {
            faults.refuse(
                .missingParameter,
                "a colour has no \"position\", but others have one",
                at: json,
                pointer,
                hint: "give all colours a position, or none"
            )
            return nil
        }
        fields.require("position", "a number from 0 to 1, since other colours have one", &faults)
        return fields.number("position", in: 0...1, &faults)
    }

    static func color(_ json: JSON, _ pointer: String, _ faults: inout Faults) -> OKLCh? {
        guard case .object = json.value, let fields = Fields(json, pointer, "a colour", &faults)
        else { return hex(json, pointer, &faults) }
        if let color = fields.value("color") {
            return hex(color, fields.pointer("color"), &faults)
        }
        let missing = ["lightness", "chroma", "hue"].filter { json[$0] == nil }
        if !missing.isEmpty {
            faults.refuse(
                .missingParameter,
                "a colour lacks \(missing.quotedList), or \"color\" as in \"#7fc8a0\"",
                at: json,
                pointer
            )
        }
        let lightness = fields.number("lightness", in: 0...1, &faults)
        let chroma = fields.number("chroma", in: 0...0.5, &faults)
        let hue = fields.number("hue", in: -360...360, &faults)
        guard let lightness, let chroma, let hue else { return nil }
        return OKLCh(lightness, chroma, hue)
    }

    private static func hex(_ json: JSON, _ pointer: String, _ faults: inout Faults) -> OKLCh? {
        let digits = json.string.map { Array($0.utf8) } ?? []
        if digits.count == 7, digits[0] == UInt8(ascii: "#"),
            digits.dropFirst().allSatisfy(isHexadecimal),
            let number = UInt32(String(decoding: digits.dropFirst(), as: UTF8.self), radix: 16)
        {
            return color(sRGB: number)
        }
        faults.refuse(
            "a colour must be as in \"#7fc8a0\", or an object with position and colour, "
                + "not \(JSON.text(of: json.value))",
            at: json,
            pointer
        )
        return nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// The palette under the name that it gets when it is read back.
    static func writable(_ palette: Palette) -> Palette {
        if Palette.named(palette.name) == palette || palette.name == ownName { return palette }
        return Palette(name: ownName, stops: palette.stops)
    }

    static func write(_ palette: Palette) -> JSON.Value {
        if Palette.named(palette.name) == palette { return .string(palette.name) }
        return .list(
            palette.stops.map { stop in
                [
                    "position": .real(stop.position), "lightness": .real(stop.color.lightness),
                    "chroma": .real(stop.color.chroma), "hue": .real(stop.color.hue),
                ]
            }
        )
    }

    /// A colour with all digits.
    static func write(color: OKLCh) -> JSON.Value {
        [
            "lightness": .real(color.lightness), "chroma": .real(color.chroma),
            "hue": .real(color.hue),
        ]
    }

    /// The colour with what can be read back.
    static func writable(_ color: OKLCh) -> OKLCh {
        func clamped(_ value: Double, _ range: ClosedRange<Double>) -> Double {
            value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
        }
        return OKLCh(
            clamped(color.lightness, 0...1),
            clamped(color.chroma, 0...0.5),
            clamped(color.hue, -360...360)
        )
    }

    /// A colour of the screen, 0xRRGGBB, by how it looks.
    ///
    /// Sources: IEC 61966-2-1 for the curve of sRGB; Björn Ottosson, "A perceptual color space for
    /// image processing", 2020, for OKLab.
    static func color(sRGB number: UInt32) -> OKLCh {
        func linear(_ shift: UInt32) -> Double {
            let value = Double(number >> shift & 0xFF) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let (red, green, blue) = (linear(16), linear(8), linear(0))
        let long = cbrt(0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue)
        let middle = cbrt(0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue)
        let short = cbrt(0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue)
        let a = 1.977_998_495_1 * long - 2.428_592_205_0 * middle + 0.450_593_709_9 * short
        let b = 0.025_904_037_1 * long + 0.782_771_766_2 * middle - 0.808_675_766_0 * short
        return OKLCh(
            0.210_454_255_3 * long + 0.793_617_785_0 * middle - 0.004_072_046_8 * short,
            hypot(a, b),
            atan2(b, a) * 180 / .pi
        )
    }
}
