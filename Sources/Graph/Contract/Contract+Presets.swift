/// How a graph names a preset.
public struct PresetName: Sendable, Hashable {
    /// What the graph says: a name, a slot, or a path.
    public let text: String
    /// The file, where the text is a path: it holds a `/` or ends in `.json`.
    public let file: InputFile?

    /// Tells a path from a name.
    ///
    /// - Parameters:
    ///   - text: as it was written.
    ///   - folder: relative paths start from here; empty: from the working directory.
    public init(_ text: String, in folder: String = "") {
        self.text = text
        let isPath = text.contains("/") || text.hasSuffix(".json")
        file = isPath ? InputFile(path: InputFile.resolve(text, in: folder)) : nil
    }
}

extension Contract {
    /// Declares a preset: a name, a slot, or the path of a file, which is then an input of the graph.
    ///
    /// Relative paths of graph files start from the graph file's folder. The node looks the preset up,
    /// keeps what is wrong with `report`, and what it says with `depend`.
    public mutating func preset(
        _ name: String,
        default fallback: String? = nil,
        _ help: String
    ) -> PresetName {
        let written = value(name, .preset, fallback, .none, help)
        let json = scope.object?[name]
        var folder = binding.folder
        if case .variable(_, isGiven: true)? = json?.origin { folder = "" }
        let result = PresetName(written, in: json == nil ? "" : folder)
        if isBound, let file = result.file {
            inputFiles.append(FileUse(file: file, name: name, location: json?.location))
        }
        return result
    }

    /// Keeps problems with what parameter `name` stands for.
    ///
    /// - Parameters:
    ///   - problems: those that name no file are told at the parameter.
    ///   - warnings: what is right but worth a look; each names its file.
    ///   - name: the parameter.
    public mutating func report(_ problems: [Problem], warnings: [Problem], of name: String) {
        guard isBound else { return }
        for var warning in warnings {
            warning.node = binding.node
            self.warnings.append(warning)
        }
        let value = scope.object?[name]
        let pointer = scope.pointer + "/" + JSON.escapedPointer(name)
        // What is said of a value that is wrong already only follows from that.
        if value?.origin == .faulty || self.problems.contains(where: { $0.pointer == pointer }) {
            return
        }
        for var problem in problems {
            problem.node = binding.node
            if problem.file == nil {
                problem.location = value?.location ?? scope.object?.location
                problem.pointer = pointer
                let hints = [problem.hint, value.flatMap(Self.originHint)].compactMap { $0 }
                problem.hint = hints.isEmpty ? nil : hints.joined(separator: "; ")
            }
            self.problems.append(problem)
        }
    }

    /// Says what parameter `name` stands for, when that is more than its text.
    ///
    /// The graph's hash is then made from the content rather than from the text, and outputs store it.
    ///
    /// - Parameters:
    ///   - name: the parameter.
    ///   - content: what determines the outputs; a text that can be given in the parameter's place.
    public mutating func depend(on name: String, content: JSON.Value) {
        guard isBound else { return }
        contents[scope.pointer + "/" + JSON.escapedPointer(name)] = content
    }
}
