import Foundation
import Media
import TestSupport
import Testing

@testable import Physarum

@Suite struct ModulationTrackTests {
    private typealias Reading = (parameters: ParameterSet, time: MediaTime, duration: MediaTime)

    /// Readings whose every part changes, now and then, with the seed.
    private func readings(_ count: Int, species: Int, seed: UInt64 = 7) -> [Reading] {
        var generator = SeededGenerator(seed: seed)
        let format = ParameterFormat(rate: Rate(240), speciesCount: species)
        let other = Preset(
            name: "Other",
            parameters: Parameters([.hue: -0.0, .moveSpeed: 1.0 / 3]),
            palette: Palette(name: "zwei, é", stops: [Palette.Stop(0.1, OKLCh(0.5, 0.1, 359.9))]),
            background: OKLCh(0.1, 0.2, 0.3),
            species: species == 1
                ? []
                : (0..<species).map { number in
                    Species(
                        palette: number == 1 ? .foxfire : nil,
                        share: 1 + Double(number) / 3,
                        attraction: (0..<species).map { Double($0) - 0.7 },
                        factors: [.moveSpeed: 1.1, .crowding: 0.9]
                    )
                },
            spawn: .disc,
            audioReactive: nil
        )
        var result: [Reading] = []
        for index in 0..<count {
            let preset =
                index < count / 3
                ? Preset.foxfire
                : Preset.foxfire.mixed(with: other, part: Double(index / 5 * 5) / Double(count))
            var parameters = preset.parameters
            for parameter in Parameter.allCases where Bool.random(using: &generator) {
                parameters.multiply(parameter, by: Double.random(in: 0...3, using: &generator))
            }
            let set = ParameterSet(
                format: format,
                parameters: parameters,
                palette: preset.palette,
                background: preset.background,
                species: species == 1 ? [] : Species.adapted(preset.species, to: species),
                spawn: index % 7 == 0 ? .ring : preset.spawn,
                audioReactive: preset.audioReactive
            )
            let time = Rate(30000, 1001).time(of: Int64(index))
            result.append((set, time, Rate(30000, 1001).interval))
        }
        return result
    }

    private func write(_ readings: [Reading], _ folder: TemporaryFolder) throws -> Data {
        let file = try OutputFile(path: folder.file("track"))
        let format = readings.first?.parameters.format ?? ParameterFormat(rate: Rate(240))
        var writer = try ModulationTrackWriter(format, to: file)
        for reading in readings {
            try writer.write(reading.parameters, at: reading.time, for: reading.duration)
        }
        try writer.finish()
        try file.commit()
        return try folder.bytes("track")
    }

    private func fault(_ data: Data, _ folder: TemporaryFolder) throws -> ModulationTrackError? {
        let path = folder.file("damaged")
        try data.write(to: URL(fileURLWithPath: path))
        do throws(ModulationTrackError) {
            let reader = try ModulationTrackReader(path: path)
            while try reader.read() != nil {}
            return nil
        } catch {
            return error
        }
    }

    @Test("every bit comes back", arguments: [1, 2, 4], [0, 1, 500])
    func roundTrip(species: Int, count: Int) throws {
        let folder = try TemporaryFolder()
        let all = readings(count, species: species)
        _ = try write(all, folder)
        let reader = try ModulationTrackReader(path: folder.file("track"))
        #expect(
            reader.count == UInt64(count) && reader.end == Rate(30000, 1001).time(of: Int64(count))
        )
        for (parameters, time, duration) in all {
            let found = try #require(try reader.read())
            #expect(found.time == time && found.duration == duration)
            #expect(found.parameters.format == parameters.format)
            let (own, other) = (found.parameters.parameters, parameters.parameters)
            #expect(own.bases.map(\.bitPattern) == other.bases.map(\.bitPattern))
            #expect(own.factors.map(\.bitPattern) == other.factors.map(\.bitPattern))
            #expect(TrackLook(found.parameters) == TrackLook(parameters))
        }
        #expect(try reader.read() == nil)
        #expect(try reader.read() == nil)
    }

    @Test("what changes is written, and no more")
    func size() throws {
        let folder = try TemporaryFolder()
        let one = readings(1, species: 1)[0]
        func still(_ count: Int64) throws -> Int {
            try write(
                (0..<count).map { (one.parameters, Rate(240).time(of: $0), one.duration) },
                folder
            )
            .count
        }
        #expect(try still(101) - still(1) == 100 * (1 + 2 * 12 + 2 * 4))
    }

    @Test("any byte that is changed is noticed, and any cut")
    func damage() throws {
        let folder = try TemporaryFolder()
        let data = try write(readings(20, species: 2), folder)
        #expect(try fault(data, folder) == nil)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var damaged = data
            let place = Int.random(in: 0..<data.count, using: &generator)
            damaged[place] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(try fault(damaged, folder) != nil, "byte \(place)")
        }
        for length in [0, 7, 8, 23, 24, 40, 52, 100, data.count - 29, data.count - 1] {
            #expect(try fault(data.prefix(length), folder) != nil, "\(length) bytes")
        }
        #expect(try fault(data + [0], folder) != nil)
    }

    @Test("a file that is none is told")
    func noFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ModulationTrackError.self) {
            _ = try ModulationTrackReader(path: folder.file("none"))
        }
        #expect(
            try fault(Data(repeating: 1, count: 100), folder)?.reason.contains(
                "no modulation track"
            ) == true
        )
        var newer = try write([], folder)
        newer[8] = 2
        #expect(try fault(newer, folder)?.reason.contains("version 2") == true)
    }
}
