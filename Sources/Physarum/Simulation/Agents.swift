import Media

/// All agents: one array for each of their properties.
struct Agents: ~Copyable {
    let count: Int
    private var x: Buffer<Float>
    private var y: Buffer<Float>
    private var headingX: Buffer<Float>
    private var headingY: Buffer<Float>
    private var identity: Buffer<UInt32>
    /// Where an array is sorted into; it then changes places with that array.
    private var spare: Buffer<Float>
    private var spareIdentity: Buffer<UInt32>

    init(count: Int) throws(SimulationError) {
        let x = try Buffer<Float>(zeroed: count)
        let y = try Buffer<Float>(zeroed: count)
        let headingX = try Buffer<Float>(zeroed: count)
        let headingY = try Buffer<Float>(zeroed: count)
        let spare = try Buffer<Float>(zeroed: count)
        let identity = try Buffer<UInt32>(zeroed: count)
        let spareIdentity = try Buffer<UInt32>(zeroed: count)
        self.count = count
        self.x = x
        self.y = y
        self.headingX = headingX
        self.headingY = headingY
        self.spare = spare
        self.identity = identity
        self.spareIdentity = spareIdentity
    }

    var pointers: AgentPointers {
        unsafe AgentPointers(
            x: x.pointer,
            y: y.pointer,
            headingX: headingX.pointer,
            headingY: headingY.pointer,
            identity: identity.pointer
        )
    }

    /// Puts every array into another order by `move` (source, target).
    mutating func reorder(
        _ move: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void,
        identity moveIdentity: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>) -> Void
    ) {
        unsafe move(x.pointer, spare.pointer)
        swap(&x, &spare)
        unsafe move(y.pointer, spare.pointer)
        swap(&y, &spare)
        unsafe move(headingX.pointer, spare.pointer)
        swap(&headingX, &spare)
        unsafe move(headingY.pointer, spare.pointer)
        swap(&headingY, &spare)
        unsafe moveIdentity(identity.pointer, spareIdentity.pointer)
        swap(&identity, &spareIdentity)
    }

    /// Puts the agents where the law says, heading anywhere.
    ///
    /// - Parameters:
    ///   - law: where.
    ///   - first: how many agents there are before these, whose random numbers differ.
    ///   - grid: the map.
    ///   - seed: the simulation's.
    ///   - executor: runs the parts of the work.
    mutating func scatter(
        by law: SpawnLaw,
        after first: Int,
        on grid: Grid,
        seed: UInt64,
        executor: any Executor
    ) {
        let count = count
        nonisolated(unsafe) let agents = pointers
        let block = 65_536
        executor.run(parts: (count + block - 1) / block) { part in
            for agent in part * block..<min((part + 1) * block, count) {
                let number = UInt64(first + agent)
                let bits = RandomBits.mixed(seed: seed, stream: 2, counter: number)
                let (place, heading) = law.start(bits: bits, on: grid)
                unsafe agents.x[agent] = place.x
                unsafe agents.y[agent] = place.y
                unsafe agents.headingX[agent] = heading.x
                unsafe agents.headingY[agent] = heading.y
                unsafe agents.identity[agent] = UInt32(
                    truncatingIfNeeded: RandomBits.mixed(number)
                )
            }
        }
    }

    /// Lets some agents be born anew.
    ///
    /// - Parameters:
    ///   - law: where.
    ///   - probability: of each agent, 0…1.
    ///   - key: names the occasion in the agents' random numbers.
    ///   - grid: the map.
    ///   - executor: runs the parts of the work.
    mutating func renew(
        by law: SpawnLaw,
        probability: Double,
        key: UInt64,
        on grid: Grid,
        executor: any Executor
    ) {
        let count = count
        nonisolated(unsafe) let agents = pointers
        let limit = UInt64(probability * 4_294_967_296)
        let block = 65_536
        executor.run(parts: (count + block - 1) / block) { part in
            for agent in part * block..<min((part + 1) * block, count) {
                let bits = unsafe RandomBits.mixed(key ^ UInt64(agents.identity[agent]))
                if bits >> 32 >= limit { continue }
                let (place, heading) = law.start(bits: RandomBits.mixed(bits), on: grid)
                unsafe agents.x[agent] = place.x
                unsafe agents.y[agent] = place.y
                unsafe agents.headingX[agent] = heading.x
                unsafe agents.headingY[agent] = heading.y
            }
        }
    }
}
