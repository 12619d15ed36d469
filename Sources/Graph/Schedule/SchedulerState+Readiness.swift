import Media

extension SchedulerState {
    /// Whether an activation of the node may begin.
    func isReady(_ index: Int) -> Bool {
        if nodes[index].isDone || nodes[index].isDoomed || isCancelled { return false }
        if nodes[index].running > 0 {
            guard nodes[index].isSplittable, nodes[index].running < nodes[index].copies else {
                return false
            }
        }
        return hasWork(index) && !hasFullOutput(index)
    }

    func hasFullOutput(_ index: Int) -> Bool {
        nodes[index].outputs.contains { $0.contains { edges[$0].isFull } }
    }

    /// Whether the node would do something if its outputs had room.
    func hasWork(_ index: Int) -> Bool {
        if nodes[index].isSource || nodes[index].wantsMore || nodes[index].isFinishing {
            return true
        }
        if nodes[index].slots.count == 1 {
            let edge = nodes[index].slots[0]
            if edges[edge].waiting > 0 { return true }
            // Copies are finished one after another, when all input is through.
            return edges[edge].hasEnded && nodes[index].running == 0
        }
        if !missingInputs(index).isEmpty { return canDiscard(index) }
        return true
    }

    /// The slots whose writers must give more before the node's rule is met; empty when it is met or
    /// the inputs have ended.
    func missingInputs(_ index: Int) -> [Int] {
        let node = nodes[index]
        let drivers = node.slots.indices.filter { node.rules[$0] != .hold }
        let views = drivers.map { edges[node.slots[$0]].view }
        if InputRules.haveEnded(views, together: node.isTogether) { return [] }
        var time: MediaTime?
        if node.isTogether {
            switch InputRules.match(views) {
            case .drop: return []
            case .set(let common): time = common
            case .incomplete:
                return drivers.filter {
                    let view = edges[node.slots[$0]].view
                    return view.head == nil && !view.hasEnded
                }
            }
        } else {
            guard let earliest = InputRules.earliest(views) else {
                return drivers.filter {
                    let view = edges[node.slots[$0]].view
                    return view.head == nil && !view.hasEnded
                }
            }
            time = earliest.time
        }
        guard let time else { return [] }
        return node.slots.indices.filter { slot in
            guard node.rules[slot] == .hold else { return false }
            let edge = edges[node.slots[slot]]
            return !InputRules.isKnown(
                edge.view,
                lastWaiting: edge.waiting > 0 ? edge.last : nil,
                after: time
            )
        }
    }

    /// Whether a full `.hold` input has packets that later ones have replaced already.
    private func canDiscard(_ index: Int) -> Bool {
        let node = nodes[index]
        let drivers = node.slots.indices.filter { node.rules[$0] != .hold }
        guard drivers.count < node.slots.count,
            let time = InputRules.lowerBound(drivers.map { edges[node.slots[$0]].view })
        else { return false }
        return node.slots.indices.contains { slot in
            let edge = edges[node.slots[slot]]
            guard node.rules[slot] == .hold, edge.waiting > 1, edge.isFull, let last = edge.last
            else { return false }
            return last <= time
        }
    }
}
