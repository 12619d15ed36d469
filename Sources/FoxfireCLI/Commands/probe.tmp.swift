extension Command {
    static let probe = Command(
        name: "probe",
        summary: "x",
        options: [.json],
        perform: { _ in .done }
    )
}
