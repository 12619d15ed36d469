/// Why a simulation cannot be made.
public enum SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A side of the map is out of range.
    case mapSize(width: Int, height: Int)
    /// The number of agents is out of range.
    case agentCount(Int)
    /// The system has not as much memory.
    case outOfMemory(byteCount: Int)

    /// What is out of range, with the range.
    public var description: String {
        switch self {
        case .mapSize(let width, let height):
            "a map of \(width)x\(height) cells: each side must be in "
                + "\(Simulation.sideRange.lowerBound)…\(Simulation.sideRange.upperBound)"
        case .agentCount(let count):
            "\(count) agents: there must be \(Simulation.agentRange.lowerBound)…"
                + "\(Simulation.agentRange.upperBound)"
        case .outOfMemory(let byteCount):
            "the simulation needs \(byteCount) bytes more than the system has: "
                + "use a smaller map or fewer agents"
        }
    }
}
