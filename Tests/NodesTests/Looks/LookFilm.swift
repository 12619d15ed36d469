import Dispatch
import Media
import Physarum

@testable import Nodes

/// A film of a preset in memory, of which only chosen moments are rendered.
struct LookFilm {
    /// Steps a second, and frames a second at the most.
    static let rate = 60

    /// The bands of the built-in track, at every step.
    private static let demo: [(level: BandValues, transient: BandValues)] = {
        var track = DemoTrack()
        var settings = BandAnalyzer.Settings()
        settings.rate = Rate(Int32(rate))
        var readings: [(BandValues, BandValues)] = []
        guard
            var analyzer = try? BandAnalyzer(
                sampleRate: DemoTrack.format.sampleRate,
                settings: settings
            )
        else { return [] }
        while readings.count < 11 * rate, let block = track.next() {
            analyzer.append(block, 0..<block.frameCount)
            while let reading = analyzer.next() {
                readings.append((reading.level, reading.transient))
            }
        }
        return readings
    }()

    /// Grows `preset` for as many steps as are asked for and renders pictures.
    ///
    /// - Parameters:
    ///   - preset: what is grown.
    ///   - width: of map and picture.
    ///   - height: of map and picture.
    ///   - hasMusic: whether the built-in track modulates it; else it is silent.
    ///   - steps: after how many steps a picture is taken, rising.
    /// - Returns: a picture for each.
    /// - Throws: `SimulationError` when memory is short.
    static func pictures(
        of preset: Preset,
        _ width: Int,
        _ height: Int,
        hasMusic: Bool = false,
        after steps: [Int]
    ) throws -> [LookPicture] {
        let executor = SerialExecutor()
        let format = ParameterFormat(rate: Rate(Int32(rate)), preset: preset)
        var simulation = try Simulation(
            width: width,
            height: height,
            agentCount: Simulation.agentCount(
                width: width,
                height: height,
                parameters: preset.parameters
            ),
            shares: Species.adapted(preset.species, to: format.speciesCount).map(\.share),
            seed: 1,
            spawn: preset.spawn,
            on: executor
        )
        var renderer = Renderer(width: width, height: height)
        let bands = AudioBandsFormat(rate: Rate(Int32(rate)))
        let wiring = preset.audioReactive ?? .standard
        var autoGain = AutoGain()
        var pictures: [LookPicture] = []
        for step in 1...(steps.last ?? 1) {
            var parameters = preset.parameters
            if hasMusic {
                let (level, transient) = demo[step - 1]
                let reading = AudioBands(format: bands, level: level, transient: transient)
                autoGain.follow(level.maximum, seconds: 1 / Double(rate))
                for (target, factor) in wiring.factors(reading, autoGain: autoGain.gain) {
                    parameters.multiply(target, by: factor)
                }
            }
            simulation.step(parameters, species: preset.species, on: executor)
            if !steps.contains(step) { continue }
            let set = ParameterSet(format: format, preset: preset).with(parameters)
            let field = simulation.field(blend: 1, parameters: set, on: executor)
            pictures.append(LookPicture(renderer.render(field, on: executor)))
        }
        return pictures
    }
}
