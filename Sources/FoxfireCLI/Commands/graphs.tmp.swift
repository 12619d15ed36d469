extension Command {
    static let graphs = Command(
        name: "graphs",
        summary: "x",
        options: [.json],
        perform: { _ in .done }
    )
}
