import Graph
import Physarum
import Testing

@testable import Presets

@Suite struct PaletteTextTests {
    private func palette(_ json: String) -> Palette? {
        let text = "{\"name\": \"A\", \"params\": {\"palette\": \(json)}}"
        return PresetFile.read(Array(text.utf8), file: "p").preset?.preset.palette
    }

    @Test(arguments: Palette.builtIn)
    func `a named palette is that palette`(built: Palette) {
        #expect(palette("\"\(built.name)\"") == built)
    }

    @Test func `colours without positions stand at equal distances`() {
        let stops = palette("[\"#000000\", \"#808080\", \"#FFFFFF\", \"#ff0000\", \"#0000ff\"]")?
            .stops
        #expect(stops?.map(\.position) == [0, 0.25, 0.5, 0.75, 1])
        #expect(palette("[\"#ffffff\"]")?.stops.map(\.position) == [0])
    }

    // Values of the reference implementation of OKLab for the primaries of sRGB.
    @Test(
        arguments: [
            ("#ffffff", 1, 0, nil), ("#000000", 0, 0, nil), ("#ff0000", 0.628, 0.2577, 29.23),
            ("#00ff00", 0.8664, 0.2948, 142.5), ("#0000ff", 0.452, 0.3132, -95.95),
            ("#808080", 0.5999, 0, nil),
        ] as [(String, Double, Double, Double?)]
    )
    func `a colour of the screen is seen as it is`(
        hex: String,
        lightness: Double,
        chroma: Double,
        hue: Double?
    ) throws {
        let color = try #require(palette("[\"\(hex)\"]")?.stops.first?.color)
        #expect(abs(color.lightness - lightness) < 5e-4)
        #expect(abs(color.chroma - chroma) < 5e-4)
        if let hue { #expect(abs(color.hue - hue) < 0.05) }
    }

    @Test func `an own palette is written with all digits and read back`() throws {
        let own = Palette(
            name: "own",
            stops: [
                Palette.Stop(0, OKLCh(0.1, 0.02, 230)),
                Palette.Stop(1.0 / 3, OKLCh(2.0 / 3, 0.1, 1.0 / 7)),
            ]
        )
        let file = PresetFile(Preset(name: "A", parameters: Parameters(), palette: own))
        #expect(PresetFile.read(Array(file.text.utf8), file: "p").preset?.preset.palette == own)
    }

    @Test(
        arguments: [
            "[{\"position\": 0, \"color\": \"#000000\"}, {\"position\": 0, \"color\": \"#111111\"}]",
            "[{\"position\": 0.5, \"color\": \"#000000\"}, {\"color\": \"#111111\"}]",
            "[{\"position\": 0.5, \"color\": \"#000000\"}, \"#111111\"]",
            "[{\"position\": 1.5, \"color\": \"#000000\"}]", "[{\"lightness\": 0.5}]", "[\"#00\"]",
            "[\"#+12345\"]", "[3]", "{}",
        ]
    )
    func `a wrong palette is refused`(json: String) {
        #expect(palette(json) == nil)
    }
}
