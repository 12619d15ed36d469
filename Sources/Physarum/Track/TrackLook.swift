import Media

/// What of a reading seldom changes: all but its numbers.
///
/// Laid out as: palette; background (3 f64: lightness, chroma, hue); u8 spawn (0 uniform, 1 ring, 2 disc);
/// u8 species and of each u8 whether it has a palette, that palette, f64 share, u8 attractions and as many
/// f64, u8 factors and of each u8 parameter and f64 factor; u8 wiring (0 none; else 1, +2 enabled, +4
/// auto-gain), then f64 gain, u16 routes and of each u8 band, u8 parameter, u8 mode and f64 depth. A
/// palette: u16 bytes of its name, the name as UTF-8, its stops, u8 whether it is mixed with others, which
/// then follow with f64 their part. Stops: u16 their number, and of each 4 f64: position, lightness,
/// chroma, hue.
struct TrackLook: Equatable {
    var palette: Palette
    var background: OKLCh
    var spawn: Spawn
    var species: [Species]
    var audioReactive: AudioReactive?

    init(_ set: ParameterSet) {
        (palette, background, spawn) = (set.palette, set.background, set.spawn)
        (species, audioReactive) = (set.species, set.audioReactive)
    }

    /// The reading with these numbers.
    func set(_ format: ParameterFormat, _ parameters: Parameters) -> ParameterSet {
        ParameterSet(
            format: format,
            parameters: parameters,
            palette: palette,
            background: background,
            species: species,
            spawn: spawn,
            audioReactive: audioReactive
        )
    }

    // MARK: Writing

    func write(to text: inout TrackBytes) {
        Self.write(palette, to: &text)
        Self.write(background, to: &text)
        text.add(Self.index(of: spawn))
        text.add(UInt8(species.count))
        for one in species {
            text.add(one.palette == nil ? 0 : 1 as UInt8)
            if let palette = one.palette { Self.write(palette, to: &text) }
            text.add(one.share)
            text.add(UInt8(one.attraction.count))
            for value in one.attraction { text.add(value) }
            text.add(UInt8(one.factors.count))
            for (parameter, factor) in one.factors.sorted(by: { $0.key.rawValue < $1.key.rawValue })
            {
                text.add(UInt8(parameter.rawValue))
                text.add(factor)
            }
        }
        guard let wiring = audioReactive else { return text.add(0 as UInt8) }
        text.add(1 | (wiring.isEnabled ? 2 : 0) | (wiring.hasAutoGain ? 4 : 0) as UInt8)
        text.add(wiring.gain)
        text.add(UInt16(wiring.routes.count))
        for route in wiring.routes {
            text.add(Self.index(of: route.source))
            text.add(UInt8(route.target.rawValue))
            text.add(Self.index(of: route.mode))
            text.add(route.depth)
        }
    }

    private static func write(_ palette: Palette, to text: inout TrackBytes) {
        let name = Array(palette.name.utf8)
        text.add(UInt16(name.count))
        text.add(name)
        write(palette.stops, to: &text)
        text.add(palette.blend == nil ? 0 : 1 as UInt8)
        if let blend = palette.blend {
            write(blend.stops, to: &text)
            text.add(blend.part)
        }
    }

    private static func write(_ stops: [Palette.Stop], to text: inout TrackBytes) {
        text.add(UInt16(stops.count))
        for stop in stops {
            text.add(stop.position)
            write(stop.color, to: &text)
        }
    }

    private static func write(_ color: OKLCh, to text: inout TrackBytes) {
        text.add(color.lightness)
        text.add(color.chroma)
        text.add(color.hue)
    }

    private static func index<T: CaseIterable & Equatable>(of value: T) -> UInt8 {
        for (index, other) in T.allCases.enumerated() where other == value { return UInt8(index) }
        preconditionFailure("A case is among all cases.")
    }

    // MARK: Reading

    /// Reads a look; any bytes may come.
    ///
    /// - Throws: `TrackFault`.
    init(_ bytes: [UInt8], speciesCount: Int) throws(TrackFault) {
        var reader = TrackFields(bytes)
        palette = try Self.palette(&reader)
        background = try Self.color(&reader)
        spawn = try Self.item(&reader, "spawn")
        let count = Int(try reader.integer() as UInt8)
        guard count == 0 || count == speciesCount else {
            throw TrackFault("a look is of \(count) species, and the track of \(speciesCount)")
        }
        species = []
        for _ in 0..<count { species.append(try Self.species(&reader)) }
        audioReactive = try Self.wiring(&reader)
        if !reader.isAtEnd { throw TrackFault("a look is longer than what it says") }
    }

    private static func species(_ reader: inout TrackFields) throws(TrackFault) -> Species {
        let hasPalette = try reader.integer() as UInt8 != 0
        let palette = hasPalette ? try palette(&reader) : nil
        let share = try reader.number()
        guard share > 0 else { throw TrackFault("the share of a species is \(share)") }
        var attraction: [Double] = []
        for _ in 0..<(try reader.integer() as UInt8) { attraction.append(try reader.number()) }
        var factors: [Parameter: Double] = [:]
        for _ in 0..<(try reader.integer() as UInt8) {
            let parameter: Parameter = try item(&reader, "parameter")
            factors[parameter] = try reader.number()
        }
        return Species(palette: palette, share: share, attraction: attraction, factors: factors)
    }

    private static func wiring(_ reader: inout TrackFields) throws(TrackFault) -> AudioReactive? {
        let flags = try reader.integer() as UInt8
        if flags == 0 { return nil }
        let gain = try reader.number()
        var routes: [AudioReactive.Route] = []
        for _ in 0..<(try reader.integer() as UInt16) {
            let band: AudioReactive.Source = try item(&reader, "band")
            let target: Parameter = try item(&reader, "parameter")
            let mode: AudioReactive.Mode = try item(&reader, "mode")
            let depth = try reader.number()
            routes.append(AudioReactive.Route(band, target, depth: depth, mode: mode))
        }
        return AudioReactive(
            isEnabled: flags & 2 != 0,
            gain: gain,
            hasAutoGain: flags & 4 != 0,
            routes: routes
        )
    }

    private static func palette(_ reader: inout TrackFields) throws(TrackFault) -> Palette {
        let length = Int(try reader.integer() as UInt16)
        let name = String(decoding: try reader.bytes(length), as: UTF8.self)
        let stops = try stops(&reader)
        guard try reader.integer() as UInt8 != 0 else { return Palette(name: name, stops: stops) }
        let others = try Self.stops(&reader)
        let blend = Palette.Blend(stops: others, part: try reader.number())
        return Palette(name: name, stops: stops, blend: blend)
    }

    private static func stops(_ reader: inout TrackFields) throws(TrackFault) -> [Palette.Stop] {
        var stops: [Palette.Stop] = []
        for _ in 0..<(try reader.integer() as UInt16) {
            let position = try reader.number()
            if let last = stops.last, !(last.position < position) {
                throw TrackFault("the positions of a palette do not rise")
            }
            stops.append(Palette.Stop(position, try color(&reader)))
        }
        if stops.isEmpty { throw TrackFault("a palette has no colour") }
        return stops
    }

    private static func color(_ reader: inout TrackFields) throws(TrackFault) -> OKLCh {
        let lightness = try reader.number()
        let chroma = try reader.number()
        return OKLCh(lightness, chroma, try reader.number())
    }

    private static func item<T: CaseIterable>(_ reader: inout TrackFields, _ what: String)
        throws(TrackFault) -> T
    {
        let index = Int(try reader.integer() as UInt8)
        guard index < T.allCases.count else { throw TrackFault("there is no \(what) \(index)") }
        return T.allCases[T.allCases.index(T.allCases.startIndex, offsetBy: index)]
    }
}

/// What is wrong with a modulation track's bytes.
struct TrackFault: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Takes fields from bytes, little-endian.
struct TrackFields {
    private let content: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { content = bytes }

    var isAtEnd: Bool { offset == content.count }

    mutating func bytes(_ count: Int) throws(TrackFault) -> ArraySlice<UInt8> {
        guard count <= content.count - offset else { throw TrackFault("a record is cut short") }
        defer { offset += count }
        return content[offset..<offset + count]
    }

    mutating func integer<T: FixedWidthInteger>() throws(TrackFault) -> T {
        let size = T.bitWidth / 8
        let raw = try bytes(size).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return T(truncatingIfNeeded: raw)
    }

    /// A number that is finite.
    mutating func number() throws(TrackFault) -> Double {
        let value = Double(bitPattern: try integer())
        guard value.isFinite else { throw TrackFault("\(value) stands where a number should") }
        return value
    }

    /// A number that may be infinite.
    mutating func value() throws(TrackFault) -> Double {
        let value = Double(bitPattern: try integer())
        if value.isNaN { throw TrackFault("no number stands where one should") }
        return value
    }

    mutating func time() throws(TrackFault) -> MediaTime {
        let (value, scale): (Int64, Int32) = (try integer(), try integer())
        guard scale > 0, (0...Int64(1) << 53).contains(value) else {
            throw TrackFault("\(value)/\(scale) is no time")
        }
        return MediaTime(value, scale)
    }
}
