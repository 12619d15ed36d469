import Testing

@testable import Physarum

@Suite struct PaletteTests {
    private static let places = (0...256).map { Double($0) / 256 }

    @Test("gets lighter by equal steps, from near black to near white", arguments: Palette.builtIn)
    func evenness(_ palette: Palette) throws {
        let lightness = Self.places.map { palette.lab(at: $0).x }
        let first = try #require(lightness.first)
        let last = try #require(lightness.last)
        #expect((0.08...0.14).contains(first))
        #expect((0.94...1).contains(last))
        let step = (last - first) / 256
        for (low, high) in zip(lightness, lightness.dropFirst()) {
            #expect(abs((high - low) / step - 1) < 1e-6)
        }
    }

    @Test("has only colours that a screen can show", arguments: Palette.builtIn)
    func gamut(_ palette: Palette) {
        for place in Self.places {
            let light = linearRGB(lab: palette.lab(at: place))
            #expect(light.min() > -0.002 && light.max() < 1.002, "\(place)")
        }
    }

    @Test("changes colour nowhere abruptly", arguments: Palette.builtIn)
    func smoothness(_ palette: Palette) {
        let colors = Self.places.map { palette.lab(at: $0) }
        for (low, high) in zip(colors, colors.dropFirst()) {
            let change = high - low
            #expect((change * change).sum().squareRoot() < 0.012)
        }
    }

    @Test func `names are found, and no two palettes are alike`() {
        for palette in Palette.builtIn { #expect(Palette.named(palette.name) == palette) }
        #expect(Palette.named("nix") == nil)
        for (index, palette) in Palette.builtIn.enumerated() {
            for other in Palette.builtIn.dropFirst(index + 1) {
                let distance = Self.places.reduce(0.0) { sum, place in
                    let change = palette.lab(at: place) - other.lab(at: place)
                    return sum + (change * change).sum().squareRoot()
                }
                #expect(distance / 257 > 0.02, "\(palette.name) and \(other.name)")
            }
        }
    }
}
