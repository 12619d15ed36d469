import Dispatch
import Foundation
import Media
import Physarum
import Presets
import Testing

@testable import Nodes

/// What every factory preset must look like, in silence and with the built-in track.
@Suite struct FactoryLookTests {
    static let presets = FactoryPresets.installed().factory.presets.map(\.preset)

    /// Each preset after 10 s of silence, 480 × 270.
    private static let calm: [Result<LookPicture, any Error>] = {
        let pictures = Locked<[Int: Result<LookPicture, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: presets.count) { index in
            let picture = Result {
                try LookFilm.pictures(of: presets[index], 480, 270, after: [600])[0]
            }
            pictures.withLock { $0[index] = picture }
        }
        let made = pictures.withLock { $0 }
        return presets.indices.compactMap { made[$0] }
    }()

    private func expectFair(_ picture: LookPicture, _ name: String) {
        #expect((0.04...0.45).contains(picture.brightness), "\(name)")
        #expect(picture.part { $0 >= 250 } <= 0.02, "\(name)")
        #expect(picture.part { $0 >= 16 } >= 0.2, "\(name)")
    }

    @Test func `there are 24, which say how they move, and some are pinned`() {
        let factory = FactoryPresets.installed().factory
        #expect(factory.presets.count == 24)
        #expect((4...8).contains(factory.pinned.count))
        for preset in factory.presets {
            #expect(preset.preset.audioReactive?.routes.isEmpty == false, "\(preset.name)")
            #expect(!preset.tags.isEmpty, "\(preset.name)")
        }
        #expect(Self.presets.count { $0.species.count > 1 } >= 5)
    }

    @Test("is neither blank nor white in silence", arguments: presets.indices)
    func calm(_ index: Int) throws {
        expectFair(try Self.calm[index].get(), Self.presets[index].name)
    }

    @Test("moves with the music, and is neither blank nor white", arguments: presets.indices)
    func music(_ index: Int) throws {
        let preset = Self.presets[index]
        // The band plays a beat every half second; 30 frames a second are two steps a frame.
        let beats = [9.0, 9.5]
        let around = Array(-2...6).filter { $0 % 2 == 0 }
        let between = Array(12...24).filter { $0 % 2 == 0 }
        let steps = beats.flatMap { beat in
            (around + between).map { Int(beat * Double(LookFilm.rate)) + $0 }
        }
        let pictures = try LookFilm.pictures(
            of: preset,
            192,
            108,
            hasMusic: true,
            after: steps + [600]
        )
        func change(_ frames: Range<Int>) -> Double {
            var sum = 0.0
            for beat in beats.indices {
                for frame in frames.dropFirst() {
                    let picture = beat * (around.count + between.count) + frame
                    sum += pictures[picture].difference(from: pictures[picture - 1])
                }
            }
            return sum / Double(beats.count * (frames.count - 1))
        }
        let hit = change(0..<around.count)
        let rest = change(around.count..<around.count + between.count)
        #expect(hit >= 1.5 * rest, "\(preset.name): \(hit / rest)")
        for picture in pictures { expectFair(picture, preset.name) }
    }

    @Test func `any two are plainly different`() throws {
        let descriptors = try Self.calm.map { try $0.get().descriptor() }
        for (index, descriptor) in descriptors.enumerated() {
            for other in descriptors.indices.dropFirst(index + 1) {
                let distance = descriptor.distance(to: descriptors[other])
                let names = "\(Self.presets[index].name), \(Self.presets[other].name)"
                #expect(distance >= 0.15, "\(names): \(distance)")
            }
        }
    }

    private static let isFull = ProcessInfo.processInfo.environment["FOXFIRE_LOOKS"] != nil

    /// The presets that a small map can hold: their agents smell at least two of its cells ahead.
    private static let coarse = presets.indices.filter { index in
        isFull || presets[index].parameters[base: .sensorDistance] >= 16
    }

    /// With `FOXFIRE_LOOKS` set, all at 1920 × 1080 against 480 × 270, which takes minutes.
    @Test("looks the same on a map of another size", arguments: coarse)
    func size(_ index: Int) throws {
        let (width, height) = Self.isFull ? (1920, 1080) : (240, 135)
        let other = try LookFilm.pictures(of: Self.presets[index], width, height, after: [600])[0]
        let calm = try Self.calm[index].get()
        let pair = Self.isFull ? (calm, other.reduced(by: 4)) : (calm.reduced(by: 2), other)
        let distance = try pair.0.descriptor().distance(to: pair.1.descriptor())
        #expect(distance < 0.15, "\(Self.presets[index].name): \(distance)")
    }
}
