import Graph
import Physarum
import Testing

@testable import Presets

@Suite struct SpeciesTextTests {
    private func read(_ species: String) -> PresetFile.Reading {
        let text = "{\"name\": \"A\", \"params\": {\"species\": \(species)}}"
        return PresetFile.read(Array(text.utf8), file: "p.json")
    }

    @Test func `what a species does not say is plain`() throws {
        let preset = try #require(read("[{}, {\"palette\": \"ember\", \"x\": 1}]").preset).preset
        #expect(
            preset.species == [
                Species(attraction: [1, 0]), Species(palette: .ember, attraction: [0, 1]),
            ]
        )
        #expect(preset.spawn == .uniform)
    }

    @Test(
        arguments: [
            ("[]", "must hold 1 to 4 species, not 0"),
            ("[{}, {}, {}, {}, {}]", "must hold 1 to 4 species, not 5"),
            ("3", "\"species\" must be an array"),
            ("[7]", "a species must be an object"),
            ("[{\"attraction\": [1, 2]}]", "a number for each of the 1 species, not 2"),
            ("[{\"attraction\": [9]}]", "an attraction must be a number from -8 to 8, not 9"),
            ("[{\"attraction\": [\"a\"]}]", "an attraction must be a number"),
            ("[{\"share\": 0}]", "\"share\" must be a number from 0.01 to 100, not 0"),
            ("[{\"factors\": {\"decay\": 1}}]", "\"decay\" is the same for all species"),
            ("[{\"factors\": {\"crowding\": 17}}]", "a number from 0 to 16, not 17"),
            ("[{\"palette\": \"embr\"}]", "embr"),
        ]
    )
    func `a fault is told with its place`(text: String, words: String) throws {
        let reading = read(text)
        #expect(reading.preset == nil)
        let problem = try #require(reading.problems.first)
        #expect(problem.text.contains(words))
        #expect(problem.location != nil)
        #expect(try #require(problem.pointer).hasPrefix("/params/species"))
    }

    @Test func `an edit keeps what it does not change`() throws {
        let text = "[{\"share\": 1.50, \"colour of\": \"moss\"}, {\"factors\": {\"glow\": 2}}]"
        var file = try #require(read(text).preset)
        file.preset.parameters[base: .decay] = 0.2
        #expect(file.text.contains("1.50"))
        file.preset.species[1].factors[.moveSpeed] = 2
        #expect(file.text.contains("\"colour of\": \"moss\""))
        #expect(file.text.contains("\"glow\": 2"))
        let again = PresetFile.read(Array(file.text.utf8), file: "p.json")
        #expect(again.preset == file)
        file.preset.species = []
        #expect(!file.text.contains("species"))
    }

    @Test func `what cannot be written is brought into range`() throws {
        let wild = (0..<6).map { index in
            Species(
                palette: Palette(name: "x", stops: [Palette.Stop(0, OKLCh(0.5, 0.1, 30))]),
                share: 1e9,
                attraction: [99],
                factors: [.moveSpeed: .nan, .decay: 2, .crowding: Double(index) * 10]
            )
        }
        let file = PresetFile(
            Preset(name: "A", parameters: Parameters(), palette: .ember, species: wild)
        )
        #expect(file.preset.species.count == 4)
        #expect(file.preset.species[1].share == 100)
        #expect(file.preset.species[1].attraction == [8, 0, 0, 0])
        #expect(file.preset.species[3].factors == [.moveSpeed: 1, .crowding: 16])
        #expect(PresetFile.read(Array(file.text.utf8), file: "p.json").preset == file)
    }
}
