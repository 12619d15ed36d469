extension Command {
    static let check = Command(
        name: "check",
        summary: "x",
        options: [.json],
        perform: { _ in .done }
    )
}
