import Media
import Physarum
import Testing

/// What every built-in preset must look like, calm and hit by sound.
@Suite struct PresetLookTests {
    private static let width = 192
    private static let height = 108

    /// Luminances of the frames after `steps`, of which the last 10 are modulated by `hit`.
    private static func frames(
        _ preset: Preset,
        after steps: [Int],
        hit: [Parameter: Double] = [:]
    ) throws -> [[Double]] {
        let executor = ThreadedExecutor()
        var simulation = try Simulation(
            width: width,
            height: height,
            agentCount: Simulation.agentCount(
                width: width,
                height: height,
                parameters: preset.parameters
            ),
            seed: 1,
            on: executor
        )
        var renderer = Renderer(width: width, height: height)
        var frames: [[Double]] = []
        let last = steps.max() ?? 0
        for step in 1...last {
            var parameters = preset.parameters
            if step > last - 10 {
                for (parameter, factor) in hit { parameters.multiply(parameter, by: factor) }
            }
            simulation.step(parameters, on: executor)
            if !steps.contains(step) { continue }
            let format = ParameterFormat(rate: Rate(60))
            let set = ParameterSet(format: format, preset: preset).with(parameters)
            let field = simulation.field(blend: 1, parameters: set, on: executor)
            frames.append(RendererTests.luminance(renderer.render(field, on: executor)))
        }
        return frames
    }

    private static func part(_ values: [Double], _ test: (Double) -> Bool) -> Double {
        Double(values.count(where: test)) / Double(values.count)
    }

    private static func difference(_ first: [Double], _ second: [Double]) -> Double {
        RendererTests.mean(zip(first, second).map { abs($0 - $1) })
    }

    @Test("is neither blank nor white, and stays in motion", arguments: Preset.builtIn)
    func calm(_ preset: Preset) throws {
        let frames = try Self.frames(preset, after: [90, 91, 210, 211])
        for frame in frames {
            #expect((0.04...0.45).contains(RendererTests.mean(frame) / 255))
            #expect(Self.part(frame) { $0 >= 250 } <= 0.02)
            #expect(Self.part(frame) { $0 >= 16 } >= 0.2)
        }
        #expect(Self.difference(frames[0], frames[1]) > 0.4)
        #expect(Self.difference(frames[2], frames[3]) > 0.4)
        // Two seconds later the network is another one.
        #expect(Self.difference(frames[1], frames[2]) > 10)
    }

    @Test("answers the standard wiring's full hit without white-out", arguments: Preset.builtIn)
    func hit(_ preset: Preset) throws {
        var factors: [Parameter: Double] = [:]
        for route in AudioReactive.standard.routes { factors[route.target] = 1 + route.depth }
        let calm = try Self.frames(preset, after: [100])
        let hit = try Self.frames(preset, after: [100], hit: factors)
        #expect(RendererTests.mean(hit[0]) > 1.3 * RendererTests.mean(calm[0]))
        #expect(RendererTests.mean(hit[0]) / 255 <= 0.45)
        #expect(Self.part(hit[0]) { $0 >= 250 } <= 0.02)
    }
}
