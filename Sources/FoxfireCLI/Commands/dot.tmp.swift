extension Command {
    static let dot = Command(name: "dot", summary: "x", options: [.json], perform: { _ in .done })
}
