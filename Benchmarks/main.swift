import Graph
import Media
import Glibc

// temporary builder
func makePlan(count: Int, passes: Int) -> GraphPlan {
    var nodes: [GraphPlan.PlannedNode] = []
    var edges: [GraphPlan.PlannedEdge] = []
    func add<N: Node & ~Copyable>(_ name: String, _ type: N.Type, _ params: [JSON.Member], from: Int?) {
        var binding = Contract.Binding(node: name, object: JSON(.object(params)))
        if from != nil { binding.connections["in"] = 1 }
        let bound = bind(type, binding)
        precondition(bound.contract.problems.isEmpty, "\(bound.contract.problems)")
        var formats = Formats(inputs: from.map { [nodes[$0].formats.outputs[0]] } ?? [], outputs: bound.contract.schema.outputs.count, connected: bound.contract.schema.outputs.map { _ in true }, environment: NodeEnvironment())
        for (i, o) in bound.contract.schema.outputs.enumerated() { if let l = o.like { formats.outputs[i] = formats.inputs[l] } }
        try? bound.slot.resolve(&formats)
        if let from { edges.append(.init(fromNode: from, fromOutput: 0, toNode: nodes.count, toSlot: 0, capacity: nil)) }
        nodes.append(.init(name: name, kind: N.kind, execution: N.execution, isInserted: false, type: type, binding: binding, bound: bound, formats: formats))
    }
    add("source", BufferSource.self, [.init(key: "count", location: .init(line: 0, column: 0), value: JSON(.number("\(count)")))], from: nil)
    for i in 0..<passes { add("pass\(i)", BufferPass.self, [], from: nodes.count - 1) }
    add("sink", BufferSink.self, [], from: nodes.count - 1)
    return GraphPlan(description: nil, nodes: nodes, edges: edges, outputs: [], inputFiles: [], warnings: [], provenance: [])
}
let count = Int(CommandLine.arguments[1])!
let threads = Int(CommandLine.arguments[2])!
let report = try Engine(makePlan(count: count, passes: 2), RunOptions(threads: threads)).run()
print(report.elapsed, Double(report.elapsed) / Double(count), "ns/packet wall", report.nodes.map { "\($0.name) \(Double($0.busy) / Double(count))" }, report.workers.map(\.activations))
