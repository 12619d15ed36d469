extension Command {
    static let schema = Command(
        name: "schema",
        summary: "x",
        options: [.json],
        perform: { _ in .done }
    )
}
