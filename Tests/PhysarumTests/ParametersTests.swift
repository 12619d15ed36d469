import Media
import Physarum
import Testing

@Suite struct ParametersTests {
    @Test("has a row for each parameter, in order, with its default in its range")
    func table() {
        #expect(ParameterTable.rows.map(\.parameter) == Parameter.allCases)
        #expect(Set(ParameterTable.rows.map(\.name)).count == Parameter.allCases.count)
        for row in ParameterTable.rows {
            #expect(row.range.contains(row.defaultValue), "\(row.name)")
            #expect(row.step > 0 && row.step <= row.range.upperBound - row.range.lowerBound)
            #expect(row.help.hasSuffix("."))
            #expect(Parameter(named: row.name) == row.parameter)
            #expect("\(row.parameter)" == row.name)
        }
        #expect(Parameter(named: "speed") == nil)
    }

    @Test("multiplies base and factor, and clamps once")
    func factors() {
        var parameters = Parameters([.moveSpeed: 4])
        parameters.multiply(.moveSpeed, by: 10)
        #expect(parameters.value(.moveSpeed) == 8)
        // The clamped value is not what the next factor works on.
        parameters.multiply(.moveSpeed, by: 0.1)
        #expect(parameters.value(.moveSpeed) == 4)
        #expect(parameters[base: .moveSpeed] == 4)
        #expect(parameters[factor: .moveSpeed] == 1)
    }

    @Test("adds steps to parameters whose base may be 0")
    func additive() {
        var parameters = Parameters([.chaosStrength: 0])
        #expect(parameters.value(.chaosStrength) == 0)
        parameters.multiply(.chaosStrength, by: 1.7)
        #expect(abs(parameters.value(.chaosStrength) - 0.7 * 0.25) < 1e-12)
        parameters.multiply(.chaosStrength, by: 0)
        #expect(parameters.value(.chaosStrength) == 0)
    }

    @Test("gives a number for any factors")
    func extremes() {
        for factor in [0, -1, Double.infinity, -Double.infinity, 1e300] {
            for parameter in Parameter.allCases {
                var parameters = Parameters([parameter: 0])
                parameters.multiply(parameter, by: factor)
                parameters.multiply(parameter, by: factor)
                #expect(parameter.info.range.contains(parameters.value(parameter)))
            }
        }
    }

    @Test("scales lengths with the height")
    func lengths() {
        let parameters = Parameters([.sensorDistance: 20])
        #expect(parameters.length(.sensorDistance, height: 1080) == 20)
        #expect(parameters.length(.sensorDistance, height: 270) == 5)
        #expect(parameters.length(.sensorDistance, height: 2160) == 40)
    }

    @Test("has a preset that follows hits of the bass by a wiring of its own")
    func presets() throws {
        let preset = try #require(Preset.named("Foxfire"))
        #expect(preset.name == "Foxfire")
        let wiring = try #require(preset.audioReactive)
        #expect(wiring.isEnabled && wiring != .standard)
        #expect(wiring.routes.contains { $0.source == .bass && $0.mode == .transient })
        #expect(Preset.named("foxfire") == nil)
        for parameter in Parameter.allCases {
            #expect(parameter.info.range.contains(preset.parameters[base: parameter]))
        }
        let set = ParameterSet(format: ParameterFormat(rate: Rate(240)), preset: preset)
        #expect(set.parameters == preset.parameters)
        #expect(set.audioReactive == preset.audioReactive)
        var louder = set.parameters
        louder.multiply(.exposure, by: 2)
        #expect(set.with(louder).parameters.value(.exposure) == 2 * set.parameters.value(.exposure))
        #expect(set.with(louder).palette == set.palette)
    }
}
