import Media
import Testing

@testable import Physarum

@Suite struct SpeciesTests {
    @Test("more of them are copies that follow each other's trails and share the agents")
    func copies() {
        #expect(
            Species.adapted([], to: 2)
                == Array(repeating: Species(share: 0.5, attraction: [1, 1]), count: 2)
        )
        let two = [
            Species(palette: .ember, share: 3, attraction: [1, -2], factors: [.crowding: 2]),
            Species(share: 1, attraction: [0.5, 4]),
        ]
        #expect(Species.adapted(two, to: 2) == two)
        let three = Species.adapted(two, to: 3)
        #expect(three.map(\.share) == [1.5, 1, 1.5])
        #expect(three[0].attraction == [1, -2, 1])
        #expect(three[1].attraction == [0.5, 4, 0.5])
        #expect(three[2] == three[0])
        #expect(
            Species.adapted(two, to: 1) == [
                Species(palette: .ember, share: 3, attraction: [1], factors: [.crowding: 2])
            ]
        )
    }

    @Test("agents are given out by share, and none is lost")
    func shares() {
        #expect(Simulation.agentCounts(10, shares: [1]) == [10])
        #expect(Simulation.agentCounts(10, shares: [1, 1, 1]).reduce(0, +) == 10)
        #expect(Simulation.agentCounts(100, shares: [1, 3]) == [25, 75])
        #expect(Simulation.agentCounts(2, shares: [1, 1, 1, 1]).reduce(0, +) == 2)
        #expect(Simulation.agentCounts(7, shares: [1e300, 1e-300]) == [7, 0])
    }

    /// The trails of species after some steps, whose agents are as many as on a map of 96x96.
    private func trails(_ species: [Species], steps: Int = 120) throws -> [[Float]] {
        let parameters = Parameters([.sensorDistance: 60, .moveSpeed: 8, .renewal: 0])
        var simulation = try Simulation(
            width: 96,
            height: 96,
            agentCount: 4000,
            shares: species.map(\.share),
            seed: 5,
            on: SerialExecutor()
        )
        for _ in 0..<steps {
            simulation.step(parameters, species: species, on: SerialExecutor())
        }
        let format = ParameterFormat(rate: Rate(60), speciesCount: species.count)
        let set = ParameterSet(format: format, parameters: parameters, palette: .ember)
        let field = simulation.field(blend: 1, parameters: set, on: SerialExecutor())
        let cells = field.map.withSpan { map in map.indices.map { map[$0] } }
        return (0..<species.count).map { Array(cells[$0 * 96 * 96..<($0 + 1) * 96 * 96]) }
    }

    /// Correlation of two trails over the map.
    private func correlation(_ a: [Float], _ b: [Float]) -> Double {
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        let (x, y) = (a.map(Double.init), b.map(Double.init))
        let (mx, my) = (mean(x), mean(y))
        let covariance = mean(zip(x, y).map { ($0 - mx) * ($1 - my) })
        let spread = mean(x.map { ($0 - mx) * ($0 - mx) }) * mean(y.map { ($0 - my) * ($0 - my) })
        return covariance / spread.squareRoot()
    }

    @Test("who flees the others lives elsewhere, who follows them lives with them")
    func attraction() throws {
        let apart = try trails([
            Species(attraction: [1, -1]), Species(attraction: [-1, 1]),
        ])
        #expect(correlation(apart[0], apart[1]) < -0.1)
        let together = try trails([
            Species(attraction: [1, 1]), Species(attraction: [1, 1]),
        ])
        #expect(correlation(together[0], together[1]) > 0.5)
    }

    @Test("a ring is a ring, a disc a disc, and a picture is seen")
    func spawns() throws {
        func places(_ spawn: Spawn, _ picture: SpawnPicture? = nil) -> [SIMD2<Float>] {
            let law = SpawnLaw(spawn, picture: picture)
            let grid = Grid(width: 200, height: 100)
            return (0..<5000).map { number in
                law.start(bits: RandomBits.mixed(number), on: grid).place + 0.5 - SIMD2(100, 50)
            }
        }
        func radii(_ places: [SIMD2<Float>]) -> [Float] {
            places.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
        }
        #expect(radii(places(.ring)).allSatisfy { 35.99...39.01 ~= $0 })
        let disc = radii(places(.disc))
        #expect(disc.allSatisfy { $0 <= 25.01 })
        // Evenly over the area: a quarter lies within half the radius.
        #expect(abs(Double(disc.count { $0 < 12.5 }) / 5000 - 0.25) < 0.02)
        // Bright left half and one pixel as bright again; 4x2 pixels make 200x100 cells.
        let picture = try #require(
            SpawnPicture(width: 4, light: [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 1])
        )
        let born = places(.uniform, picture)
        let corner = born.count { $0.x >= 50 && $0.y >= 0 }
        #expect(abs(Double(corner) / 5000 - 1.0 / 3) < 0.03)
        #expect(born.allSatisfy { $0.x < 0 || $0.x >= 50 && $0.y >= 0 })
        let tall = try #require(SpawnPicture(width: 1, light: [1, 1]))
        #expect(places(.uniform, tall).allSatisfy { -25...25 ~= $0.x })
    }

    @Test("a dark picture, or one without whole rows, is none")
    func noPicture() {
        #expect(SpawnPicture(width: 2, light: [0, 0, -1, .nan]) == nil)
        #expect(SpawnPicture(width: 2, light: [1, 1, 1]) == nil)
        #expect(SpawnPicture(width: 0, light: []) == nil)
        #expect(SpawnPicture(width: 1, light: [.infinity]) != nil)
    }
}
