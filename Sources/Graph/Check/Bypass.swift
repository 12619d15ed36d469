extension Checker {
    /// Reads whether a node is bypassed: it is left out, and its readers get what it would take.
    mutating func readBypass(of index: Int) {
        guard let entry = drafts[index].entry, let flag = drafts[index].object["bypass"],
            flag.origin != .faulty
        else { return }
        guard case .boolean(let isBypassed) = flag.value else {
            fail(
                index,
                .type,
                "\"bypass\" must be true or false, not \(JSON.text(of: flag.value))",
                at: flag.location,
                pointer: "/bypass"
            )
            return
        }
        guard isBypassed else { return }
        guard bypassSlot(drafts[index].schema) != nil else {
            fail(
                index,
                .mismatch,
                "a \(entry.kind) cannot be bypassed",
                at: flag.location,
                pointer: "/bypass",
                hint: "only what has one output, and takes what it makes, can be"
            )
            return
        }
        drafts[index].isBypassed = true
    }

    /// The input slot whose source stands for a bypassed node's one output.
    func bypassSlot(_ schema: NodeSchema) -> Int? {
        guard schema.outputs.count == 1, let output = schema.outputs.first else { return nil }
        return schema.slots.firstIndex { schema.inputs[$0].payload == output.payload }
    }
}
