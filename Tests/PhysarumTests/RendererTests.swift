import Media
import Testing

@testable import Physarum

@Suite struct RendererTests {
    /// A field whose cells are `strength` times the trail's mean at rest.
    static func field(
        width: Int,
        height: Int,
        parameters: Parameters = plain,
        palette: Palette = .foxfire,
        _ strength: (Int, Int) -> Float
    ) -> TrailField {
        let rest = Float(parameters.restingTrail)
        let cells = (0..<width * height).map { rest * strength($0 % width, $0 / width) }
        return TrailField(
            format: TrailFormat(width: width, height: height),
            map: Writable(copying: cells),
            parameters: ParameterSet(
                format: ParameterFormat(rate: Rate(60)),
                parameters: parameters,
                palette: palette
            )
        )
    }

    /// Neither bloom nor vignette, so that equal cells are equal pixels.
    static let plain = Parameters([.bloomIntensity: 0, .vignette: 0])

    static func bytes(_ frame: VideoFrame) -> [UInt8] {
        frame.bytes.withSpan { bytes in bytes.indices.map { bytes[$0] } }
    }

    static func luminance(_ frame: VideoFrame) -> [Double] {
        let bytes = bytes(frame)
        return (0..<bytes.count / 3).map { pixel -> Double in
            let red = 0.2126 * Double(bytes[3 * pixel])
            let green = 0.7152 * Double(bytes[3 * pixel + 1])
            let blue = 0.0722 * Double(bytes[3 * pixel + 2])
            return red + green + blue
        }
    }

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    /// Trails like those of a network: a few bright lines, and weak ones all over.
    static func lines(_ x: Int, _ y: Int) -> Float {
        (x % 40 == 0 || y % 53 == 0 ? 20 : 0) + (x % 7 == 0 ? 1.5 : 0.1)
    }

    @Test(
        "gives the same bytes whatever runs the parts, of any size",
        arguments: [
            (120, 90, 120, 90), (120, 90, 320, 180), (200, 150, 61, 37), (16, 16, 1, 1),
            (16, 40, 3, 400),
        ] as [(Int, Int, Int, Int)]
    )
    func executors(mapWidth: Int, mapHeight: Int, width: Int, height: Int) {
        let field = Self.field(
            width: mapWidth,
            height: mapHeight,
            parameters: Preset.foxfire.parameters,
            Self.lines
        )
        for layout in [PixelLayout.rgb24, .rgb48] {
            var one = Renderer(width: width, height: height, layout: layout)
            var other = one
            let first = one.render(field, on: SerialExecutor())
            #expect(first.format.layout == layout)
            #expect(first.format.color == .rgb709)
            #expect(Self.bytes(first) == Self.bytes(other.render(field, on: BackwardExecutor())))
            #expect(Self.bytes(first) == Self.bytes(other.render(field, on: ThreadedExecutor())))
        }
    }

    @Test("depends on the field alone, not on what was rendered before")
    func noMemory() {
        let quiet = Self.field(width: 64, height: 36, parameters: Preset.foxfire.parameters) {
            Self.lines($0, $1)
        }
        var loud = Preset.foxfire.parameters
        loud[base: .exposure] = 3
        loud[base: .gamma] = 0.7
        loud[base: .hue] = 40
        let other = Self.field(width: 48, height: 48, parameters: loud, palette: .ember, Self.lines)
        var renderer = Renderer(width: 64, height: 36)
        let first = Self.bytes(renderer.render(quiet, on: SerialExecutor()))
        _ = renderer.render(other, on: SerialExecutor())
        #expect(Self.bytes(renderer.render(quiet, on: SerialExecutor())) == first)
    }

    @Test("a stronger trail is brighter, with every built-in palette", arguments: Palette.builtIn)
    func brightness(_ palette: Palette) {
        var renderer = Renderer(width: 512, height: 16)
        let field = Self.field(width: 512, height: 16, palette: palette) { x, _ in
            Float(x) * Float(x) / 512 / 512 * 40
        }
        let rows = Self.luminance(renderer.render(field, on: SerialExecutor()))
        let columns = (0..<512).map { x in Self.mean((0..<16).map { rows[$0 * 512 + x] }) }
        for x in 8..<512 {
            // Dither moves a mean of 16 pixels by a part of a code value.
            #expect(columns[x] > columns[x - 8] - 0.5)
        }
        #expect(columns[0] < 12)
        #expect(columns[511] > 180)
    }

    @Test("dithers: a mean between two code values is kept, and no band is wider than a value")
    func dither() {
        var deep = Renderer(width: 96, height: 96, layout: .rgb48)
        var flat = Renderer(width: 96, height: 96)
        for strength: Float in [0.05, 0.31, 1.1, 4.2] {
            let field = Self.field(width: 96, height: 96) { _, _ in strength }
            let exact = Self.bytes(deep.render(field, on: SerialExecutor()))
            let bytes = Self.bytes(flat.render(field, on: SerialExecutor()))
            for channel in 0..<3 {
                let code = Double(
                    UInt16(exact[channel * 2]) | UInt16(exact[channel * 2 + 1]) << 8
                )
                let values = stride(from: channel, to: bytes.count, by: 3).map { Double(bytes[$0]) }
                #expect(abs(Self.mean(values) - code / 257) < 0.02)
                #expect((values.max() ?? 0) - (values.min() ?? 0) <= 1)
            }
        }
    }

    @Test("bends towards white instead of clipping, whatever is turned up")
    func noWhiteOut() {
        var parameters = Preset.foxfire.parameters
        for parameter in [Parameter.exposure, .bloomIntensity] {
            parameters[base: parameter] = parameter.info.range.upperBound
        }
        var renderer = Renderer(width: 128, height: 72)
        let field = Self.field(width: 128, height: 72, parameters: parameters) { _, _ in 1e9 }
        for value in Self.bytes(renderer.render(field, on: SerialExecutor())) {
            #expect(value <= 255)
        }
        let shoulder = stride(from: 0.0, through: 50, by: 0.01).map { ToneTable.shoulder($0) }
        #expect(zip(shoulder, shoulder.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(shoulder.allSatisfy { $0 <= 1 })
    }

    @Test(
        "answers a hit: exposure and bloom make the picture brighter, saturation more colourful",
        arguments: [
            (Parameter.exposure, 1.6, 1.1), (.bloomIntensity, 2.2, 1.05), (.gamma, 0.8, 1.1),
        ] as [(Parameter, Double, Double)]
    )
    func hits(parameter: Parameter, factor: Double, atLeast: Double) {
        func mean(_ parameters: Parameters) -> Double {
            var renderer = Renderer(width: 192, height: 108)
            let field = Self.field(width: 192, height: 108, parameters: parameters, Self.lines)
            return Self.mean(Self.luminance(renderer.render(field, on: SerialExecutor())))
        }
        var hit = Preset.foxfire.parameters
        hit.multiply(parameter, by: factor)
        #expect(mean(hit) > atLeast * mean(Preset.foxfire.parameters))
    }

    @Test("is grey without saturation")
    func grey() {
        var parameters = Preset.foxfire.parameters
        parameters[base: .saturation] = 0
        var renderer = Renderer(width: 64, height: 64)
        let field = Self.field(width: 64, height: 64, parameters: parameters, Self.lines)
        let bytes = Self.bytes(renderer.render(field, on: SerialExecutor()))
        for pixel in stride(from: 0, to: bytes.count, by: 3) {
            #expect(bytes[pixel] == bytes[pixel + 1] && bytes[pixel] == bytes[pixel + 2])
        }
    }

    @Test("spreads as much light at any size of the film")
    func bloomSize() {
        func glow(_ scale: Int) -> Double {
            let (width, height) = (96 * scale, 54 * scale)
            var renderer = Renderer(width: width, height: height)
            var parameters = Parameters([.vignette: 0, .bloomIntensity: 1])
            parameters[base: .bloomRadius] = 80
            let field = Self.field(width: width, height: height, parameters: parameters) { x, _ in
                x / scale == 48 ? 30 : 0
            }
            let light = Self.luminance(renderer.render(field, on: SerialExecutor()))
            // Some way from the line.
            return Self.mean((0..<height).map { light[$0 * width + width * 60 / 96] })
        }
        let (small, middle, large) = (glow(2), glow(5), glow(8))
        #expect(large > 3)
        #expect(abs(middle - large) < 0.05 * large)
        #expect(abs(small - large) < 0.5 * large)
    }

    @Test(
        "a flat trail stays flat when it is resampled",
        arguments: [(16, 100), (100, 16), (50, 50)]
    )
    func resampler(source: Int, target: Int) {
        let resampler = Resampler(from: source, to: target)
        for index in 0..<target {
            let weights = resampler.weights[
                index * resampler.tapCount..<(index + 1) * resampler.tapCount
            ]
            #expect(abs(weights.reduce(0, +) - 1) < 1e-5)
            #expect(resampler.firsts[index] >= -resampler.tapCount)
            #expect(resampler.firsts[index] + resampler.tapCount <= source + resampler.tapCount)
        }
    }

    @Test("a table's places follow the numbers, to its end and beyond")
    func logScale() {
        for scale in [ColorTable.scale, ToneTable.scale] {
            #expect(scale.place(0) == 0)
            #expect(scale.place(.infinity) == scale.count - 1)
            #expect(scale.place(.greatestFiniteMagnitude) == scale.count - 1)
            for place in stride(from: 0, to: scale.count - 1, by: 7) {
                #expect(scale.place(Float(scale.value(at: place))) == place)
            }
        }
    }

    /// Trails of several species, as strengths in each cell.
    private func field(_ strengths: [Float], cells: Int, _ species: [Species]) -> TrailField {
        let rest = Float(Self.plain.restingTrail)
        return TrailField(
            format: TrailFormat(width: cells, height: cells, speciesCount: strengths.count),
            map: Writable(
                copying: strengths.flatMap { Array(repeating: rest * $0, count: cells * cells) }
            ),
            parameters: ParameterSet(
                format: ParameterFormat(rate: Rate(60), speciesCount: strengths.count),
                parameters: Self.plain,
                palette: .foxfire,
                species: species
            )
        )
    }

    @Test("mixes the species' colours by their parts of the trail, at the strength of all")
    func species() {
        let species = [
            Species(palette: .ember, attraction: [1, 0]),
            Species(palette: .moonlight, attraction: [0, 1]),
        ]
        func light(_ strengths: [Float]) -> SIMD4<Float> {
            var renderer = Renderer(width: 32, height: 32)
            let field = field(strengths, cells: 32, species)
            _ = renderer.render(field, on: SerialExecutor())
            var light = SIMD4<Float>.zero
            let trails = TrailLight(
                renderer.colors,
                speciesCount: 2,
                scale: Float(1 / field.restingTrail)
            )
            unsafe field.map.withUnsafePointer { map in
                unsafe trails.fill(
                    TrailLight.Row(first: map, stride: 32 * 32),
                    count: 1,
                    to: &light
                )
            }
            return light
        }
        func alone(_ palette: Palette, _ strength: Float) -> SIMD4<Float> {
            var table = ColorTable()
            table.update(palette, Self.plain)
            return table.light[ColorTable.scale.place(strength)]
        }
        func isNear(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Bool {
            let difference = a - b
            return (difference * difference).sum() < 1e-5
        }
        #expect(isNear(light([8, 0]), alone(.ember, 8) * 0.9975 + alone(.moonlight, 8) * 0.0025))
        let mixed = alone(.ember, 8) * 0.25 + alone(.moonlight, 8) * 0.75
        let difference = light([2, 6]) - mixed
        #expect((difference * difference).sum() < 1e-4)
        #expect(isNear(light([0, 0]), (alone(.ember, 0) + alone(.moonlight, 0)) / 2))
    }

    @Test("species of one palette look as one that leaves all the trail")
    func alike() {
        var renderer = Renderer(width: 48, height: 40)
        let one = renderer.render(field([6], cells: 32, []), on: SerialExecutor())
        let three = renderer.render(field([1, 2, 3], cells: 32, []), on: SerialExecutor())
        let again = renderer.render(field([6], cells: 32, []), on: SerialExecutor())
        #expect(Self.bytes(one) == Self.bytes(again))
        let differences = zip(Self.bytes(one), Self.bytes(three)).map { abs(Int($0) - Int($1)) }
        #expect(differences.allSatisfy { $0 <= 1 })
    }

    @Test("a background shows where there is no trail, and less where there is one")
    func background() {
        func render(_ strength: Float, _ background: OKLCh) -> [UInt8] {
            let rest = Float(Self.plain.restingTrail)
            let field = TrailField(
                format: TrailFormat(width: 32, height: 32),
                map: Writable(repeating: rest * strength, count: 32 * 32),
                parameters: ParameterSet(
                    format: ParameterFormat(rate: Rate(60)),
                    parameters: Self.plain,
                    palette: .foxfire,
                    background: background
                )
            )
            var renderer = Renderer(width: 32, height: 32)
            return Self.bytes(renderer.render(field, on: SerialExecutor()))
        }
        let blue = OKLCh(0.4, 0.15, 264)
        let (empty, plain) = (render(0, blue), render(0, .black))
        // The palette's own darkest colour lies over it.
        let light = linearRGB(lab: blue.lab).z + linearRGB(lab: Palette.foxfire.lab(at: 0)).z
        let expected = ToneTable.transfer(ToneTable.shoulder(light)) * 255
        #expect(abs(Double(empty[2]) - expected) < 2)
        #expect(empty[2] > plain[2] + 40)
        let (lit, dark) = (render(8, blue), render(8, .black))
        #expect(lit[2] >= dark[2] && Int(lit[2] - dark[2]) < Int(empty[2] - plain[2]) / 2)
    }

    /// A map that is white in its left half.
    private func halves(width: Int, height: Int) -> TrailField {
        Self.field(width: width, height: height) { x, _ in x < width / 2 ? 24 : 0 }
    }

    @Test("a map of another shape is cut off evenly, or shown whole with a margin")
    func framing() {
        func row(_ framing: Framing) -> [Double] {
            var renderer = Renderer(width: 64, height: 64, framing: framing)
            let frame = renderer.render(halves(width: 256, height: 64), on: SerialExecutor())
            let all = Self.luminance(frame)
            return Array(all[32 * 64..<33 * 64])
        }
        let cover = row(.cover)
        // A quarter of the map is left, its edge still in the middle and as sharp as it was.
        #expect(cover[24] > 150 && cover[40] < 20)
        #expect(cover[30] > 150 && cover[33] < 20)
        var renderer = Renderer(width: 64, height: 64, framing: .contain)
        let contained = Self.luminance(
            renderer.render(halves(width: 256, height: 64), on: SerialExecutor())
        )
        func column(_ x: Int) -> [Double] { (0..<64).map { contained[$0 * 64 + x] } }
        // The map is 16 pixels high.
        #expect(column(10)[32] > 150 && column(50)[32] < 20)
        #expect(column(10)[20] < 20 && column(10)[44] < 20)
        #expect(column(10)[26] > 150 && column(10)[37] > 150)
    }

    @Test("equal shapes are not cut, whatever the framing")
    func sameShape() {
        let field = Self.field(width: 96, height: 54, Self.lines)
        let pictures = Framing.allCases.map { framing -> [UInt8] in
            var renderer = Renderer(width: 64, height: 36, framing: framing)
            return Self.bytes(renderer.render(field, on: SerialExecutor()))
        }
        #expect(pictures[0] == pictures[1])
    }

    @Test("supersampling mixes the light of four points")
    func supersampling() {
        // A map of twice the size, whose cells are the points.
        let field = Self.field(width: 64, height: 64) { x, y in Float((x * 7 + y * 13) % 24) }
        var renderer = Renderer(width: 32, height: 32, layout: .rgb48, isSupersampled: true)
        let frame = renderer.render(field, on: SerialExecutor())
        var table = ColorTable()
        table.update(.foxfire, Self.plain)
        let words = frame.bytes.withSpan { bytes in
            (0..<bytes.count / 2).map { UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8 }
        }
        for pixel in 0..<32 * 32 {
            var light = 0.0
            for point in 0..<4 {
                let x = pixel % 32 * 2 + point % 2
                let y = pixel / 32 * 2 + point / 2
                let strength = Float((x * 7 + y * 13) % 24)
                light += Double(table.light[ColorTable.scale.place(strength)].y) / 4
            }
            let expected = ToneTable.transfer(ToneTable.shoulder(light)) * 65_535
            #expect(abs(Double(words[3 * pixel + 1]) - expected) < 300)
        }
    }
}
