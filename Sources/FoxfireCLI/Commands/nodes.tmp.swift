extension Command {
    static let nodes = Command(
        name: "nodes",
        summary: "x",
        options: [.json],
        perform: { _ in .done }
    )
}
