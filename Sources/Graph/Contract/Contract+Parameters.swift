public import Media

extension Contract {
    /// Declares a whole number.
    ///
    /// - Parameters:
    ///   - name: the key in graph files.
    ///   - fallback: the value when the key is absent; nil makes the key required.
    ///   - range: what is allowed.
    ///   - unit: of the value.
    ///   - help: what it does, in a sentence.
    /// - Returns: the value, in range.
    public mutating func integer(
        _ name: String,
        default fallback: Int? = nil,
        in range: ClosedRange<Int>,
        _ unit: Unit,
        _ help: String
    ) -> Int {
        value(name, .integer(in: range), fallback, unit, help)
    }

    /// Declares a whole number that may be absent.
    public mutating func optionalInteger(
        _ name: String,
        in range: ClosedRange<Int>,
        _ unit: Unit,
        _ help: String
    ) -> Int? {
        optionalValue(name, .integer(in: range), unit, help)
    }

    /// Declares a number.
    public mutating func number(
        _ name: String,
        default fallback: Double? = nil,
        in range: ClosedRange<Double>,
        _ unit: Unit,
        _ help: String
    ) -> Double {
        value(name, .number(in: range), fallback, unit, help)
    }

    /// Declares a number that may be absent.
    public mutating func optionalNumber(
        _ name: String,
        in range: ClosedRange<Double>,
        _ unit: Unit,
        _ help: String
    ) -> Double? {
        optionalValue(name, .number(in: range), unit, help)
    }

    /// Declares a level that is written and shown in decibels, and returned as a linear ratio.
    public mutating func decibels(
        _ name: String,
        default fallback: Double? = nil,
        in range: ClosedRange<Double>,
        _ help: String
    ) -> Float {
        let level = value(name, .number(in: range), fallback, .decibels, help)
        return Float(exponential(level / 20 * 2.302585092994046))
    }

    /// Declares a switch.
    public mutating func boolean(
        _ name: String,
        default fallback: Bool? = nil,
        _ help: String
    ) -> Bool {
        value(name, .boolean, fallback, .none, help)
    }

    /// Declares a switch that may be absent.
    public mutating func optionalBoolean(_ name: String, _ help: String) -> Bool? {
        optionalValue(name, .boolean, .none, help)
    }

    /// Declares a text.
    public mutating func string(
        _ name: String,
        default fallback: String? = nil,
        _ help: String
    ) -> String {
        value(name, .string, fallback, .none, help)
    }

    /// Declares a text that may be absent.
    public mutating func optionalString(_ name: String, _ help: String) -> String? {
        optionalValue(name, .string, .none, help)
    }

    /// Declares one of a few words: the raw values of an enumeration.
    public mutating func choice<T: CaseIterable & RawRepresentable<String>>(
        _ name: String,
        default fallback: T? = nil,
        _ help: String
    ) -> T {
        value(name, .choice(), fallback, .none, help)
    }

    /// Declares one of a few words that may be absent.
    public mutating func optionalChoice<T: CaseIterable & RawRepresentable<String>>(
        _ name: String,
        _ help: String
    ) -> T? {
        optionalValue(name, .choice(), .none, help)
    }

    /// Declares a time: `1.5`, `"90s"`, `"1:30.5"`, `"250ms"` or `"12000 samples"`; never negative.
    public mutating func time(
        _ name: String,
        default fallback: TimeValue? = nil,
        _ help: String
    ) -> TimeValue {
        value(name, .time, fallback, .seconds, help)
    }

    /// Declares a time that may be absent.
    public mutating func optionalTime(_ name: String, _ help: String) -> TimeValue? {
        optionalValue(name, .time, .seconds, help)
    }

    /// Declares a rate: a number, or a fraction as in `"30000/1001"`.
    public mutating func rate(
        _ name: String,
        default fallback: Rate? = nil,
        in range: ClosedRange<Rate>,
        _ unit: Unit = .perSecond,
        _ help: String
    ) -> Rate {
        value(name, .rate(in: range), fallback, unit, help)
    }

    /// Declares a rate that may be absent.
    public mutating func optionalRate(
        _ name: String,
        in range: ClosedRange<Rate>,
        _ unit: Unit = .perSecond,
        _ help: String
    ) -> Rate? {
        optionalValue(name, .rate(in: range), unit, help)
    }

    /// Declares a size as in `"1920x1080"`; both sides must be in `range`.
    public mutating func size(
        _ name: String,
        default fallback: PixelSize? = nil,
        in range: ClosedRange<Int>,
        _ unit: Unit = .pixels,
        _ help: String
    ) -> PixelSize {
        value(name, .size(in: range), fallback, unit, help)
    }

    /// Declares a size that may be absent.
    public mutating func optionalSize(
        _ name: String,
        in range: ClosedRange<Int>,
        _ unit: Unit = .pixels,
        _ help: String
    ) -> PixelSize? {
        optionalValue(name, .size(in: range), unit, help)
    }

    /// Declares a file to read; relative paths of graph files start from the graph file's folder.
    ///
    /// - Parameters:
    ///   - name: the key in graph files.
    ///   - example: a path as users would write it, for the node's page.
    ///   - help: what is read.
    /// - Returns: the path.
    public mutating func inputFile(
        _ name: String,
        example: String = "builtin:demo",
        _ help: String
    ) -> InputFile {
        inputFile(name, written: value(name, .file(example: example), nil, .none, help))
    }

    /// Declares a file to read that may be absent; paths as with `inputFile`.
    public mutating func optionalInputFile(_ name: String, _ help: String) -> InputFile? {
        optionalValue(name, .file, .none, help).map { inputFile(name, written: $0) }
    }

    private mutating func inputFile(_ name: String, written: String) -> InputFile {
        let json = scope.object?[name]
        var folder = binding.folder
        if case .variable(_, isGiven: true)? = json?.origin { folder = "" }
        let file = InputFile(path: InputFile.resolve(written, in: folder))
        if isBound, !written.isEmpty {
            inputFiles.append(FileUse(file: file, name: name, location: json?.location))
        }
        return file
    }

    /// Declares the file that the node writes; relative paths start from the working directory.
    ///
    /// - Parameters:
    ///   - name: the key in graph files.
    ///   - sequence: whether a pattern like `frames/%06d.png` may name numbered files.
    ///   - example: a path as users would write it, for the node's page.
    ///   - help: what is written.
    /// - Returns: the path or pattern.
    public mutating func outputPath(
        _ name: String,
        sequence: Bool = false,
        example: String = "output",
        _ help: String
    ) -> OutputPath {
        let path = value(name, .output(example: example), nil, .none, help)
        return outputPath(name, written: path, sequence: sequence)
    }

    /// Declares a file that the node writes if it is named; paths as with `outputPath`.
    public mutating func optionalOutputPath(
        _ name: String,
        example: String,
        _ help: String
    ) -> OutputPath? {
        optionalValue(name, .output(example: example), .none, help).map {
            outputPath(name, written: $0, sequence: false)
        }
    }

    /// Declares files that the node writes and that differ in their endings alone.
    ///
    /// A path that has one of the endings already means the same files.
    ///
    /// - Parameters:
    ///   - name: the key in graph files.
    ///   - endings: the files' endings, without their dots.
    ///   - example: a path as users would write it, for the node's page.
    ///   - help: what is written.
    /// - Returns: the paths, in the endings' order.
    public mutating func outputStem(
        _ name: String,
        endings: [String],
        example: String,
        _ help: String
    ) -> [OutputPath] {
        var stem = value(name, .output(example: example), nil, .none, help)
        require(stem != "-", name, "must be a file: this node does not write to stdout")
        for ending in endings where stem.lowercased().hasSuffix("." + ending.lowercased()) {
            stem.removeLast(ending.count + 1)
            break
        }
        require(
            !isBound || !stem.isEmpty && !stem.hasSuffix("/"),
            name,
            "must name files and not a folder"
        )
        return endings.map { outputPath(name, written: "\(stem).\($0)", sequence: false) }
    }

    private mutating func outputPath(
        _ name: String,
        written path: String,
        sequence: Bool
    ) -> OutputPath {
        let isSequence = path.contains("%")
        if isSequence {
            require(sequence, name, "holds a \"%\", but this node writes one file")
            if sequence, OutputPath.name(of: 0, in: path) == nil {
                refuse(name, "must hold exactly one number, as in \"frame-%06d.png\"")
            }
        }
        let output = OutputPath(path: path, isSequence: isSequence && sequence)
        if isBound, !path.isEmpty {
            outputs.append(
                FileUse(file: output, name: name, location: scope.object?[name]?.location)
            )
        }
        return output
    }

    /// Declares a list of objects, each read by `element` with the same functions as the node itself.
    ///
    /// - Parameters:
    ///   - name: the key in graph files.
    ///   - help: what the list is for.
    ///   - element: declares one object's keys and returns its value.
    /// - Returns: nil when the key is absent.
    public mutating func optionalList<T>(
        _ name: String,
        _ help: String,
        element: (inout Contract) -> T
    ) -> [T]? {
        list(name, example: nil, help, element)
    }

    /// Declares a list of objects that must be there and hold at least one; read as by `optionalList`.
    ///
    /// - Parameters:
    ///   - name: the key in graph files.
    ///   - example: a list as users would write it, for the node's page.
    ///   - help: what the list is for.
    ///   - element: declares one object's keys and returns its value.
    /// - Returns: one value for each object.
    public mutating func list<T>(
        _ name: String,
        example: JSON.Value,
        _ help: String,
        element: (inout Contract) -> T
    ) -> [T] {
        let values: [T]? = list(name, example: example, help, element)
        if isBound, let object = scope.object, object[name] == nil {
            problems.append(
                Problem(
                    .missingParameter,
                    "\"\(name)\" is missing; it must be an array of objects",
                    at: object.location,
                    node: binding.node,
                    pointer: scope.pointer,
                    hint: Self.originHint(object)
                )
            )
        }
        require(values?.isEmpty != true, name, "must hold at least one object")
        return values ?? []
    }

    private mutating func list<T>(
        _ name: String,
        example: JSON.Value?,
        _ help: String,
        _ element: (inout Contract) -> T
    ) -> [T]? {
        var outer = scope
        // Described once without a value, for the schema; what is read then is dropped.
        scope = Scope(object: nil, pointer: "")
        let kept = self
        _ = element(&self)
        let shape = scope.parameters
        (problems, warnings, contents) = (kept.problems, kept.warnings, kept.contents)
        (inputFiles, outputs) = (kept.inputFiles, kept.outputs)
        outer.parameters.append(
            ParameterDeclaration(
                name: name,
                shape: .list(shape),
                unit: .none,
                fallback: nil,
                isRequired: example != nil,
                range: nil,
                example: example ?? .array([]),
                help: help
            )
        )
        defer { scope = outer }
        guard let value = outer.object?[name] else { return nil }
        guard value.origin != .faulty else { return nil }
        guard case .array(let elements) = value.value else {
            scope = outer
            refuse(name, "must be an array of objects, not \(value.kindName)", code: .type)
            return nil
        }
        return elements.enumerated().compactMap { index, json in
            if json.origin == .faulty { return nil }
            let pointer = "\(outer.pointer)/\(JSON.escapedPointer(name))/\(index)"
            guard case .object(let members) = json.value else {
                problems.append(
                    Problem(
                        .type,
                        "\"\(name)\" must hold objects, not \(json.kindName)",
                        at: json.location,
                        node: binding.node,
                        pointer: pointer
                    )
                )
                return nil
            }
            scope = Scope(object: json, pointer: pointer)
            for member in members where !shape.contains(where: { $0.name == member.key }) {
                problems.append(unknownKey(member, allowed: shape.map(\.name), pointer: pointer))
            }
            return element(&self)
        }
    }

    /// The problem of a key that nothing declares.
    func unknownKey(_ member: JSON.Member, allowed: [String], pointer: String) -> Problem {
        let hint =
            suggestion(for: member.key, in: allowed)
            ?? (allowed.isEmpty ? nil : "known are \(allowed.joined(separator: ", "))")
        return Problem(
            .unknownKey,
            "unknown parameter \(JSON.quoted(member.key))",
            at: member.location,
            node: binding.node,
            pointer: "\(pointer)/\(JSON.escapedPointer(member.key))",
            hint: hint
        )
    }

    // MARK: Reading one value

    mutating func value<T>(
        _ name: String,
        _ type: ParameterType<T>,
        _ fallback: T?,
        _ unit: Unit,
        _ help: String
    ) -> T {
        declare(name, type, fallback, isRequired: fallback == nil, unit, help)
        if let given = read(name, type, fallback) { return given }
        if fallback == nil, isBound, let object = scope.object, object[name] == nil {
            problems.append(
                Problem(
                    .missingParameter,
                    "\"\(name)\" is missing; it must be \(allowed(type))",
                    at: object.location,
                    node: binding.node,
                    pointer: scope.pointer,
                    hint: Self.originHint(object)
                )
            )
        }
        return fallback ?? type.placeholder
    }

    private mutating func optionalValue<T>(
        _ name: String,
        _ type: ParameterType<T>,
        _ unit: Unit,
        _ help: String
    ) -> T? {
        declare(name, type, nil, isRequired: false, unit, help)
        return read(name, type, nil)
    }

    private mutating func declare<T>(
        _ name: String,
        _ type: ParameterType<T>,
        _ fallback: T?,
        isRequired: Bool,
        _ unit: Unit,
        _ help: String
    ) {
        precondition(
            !scope.parameters.contains { $0.name == name },
            "Parameter \(name) is declared twice."
        )
        precondition(
            !Self.reservedKeys.contains(name),
            "\(name) is no name for a parameter."
        )
        scope.parameters.append(
            ParameterDeclaration(
                name: name,
                shape: type.shape,
                unit: unit,
                fallback: fallback.map(type.write),
                isRequired: isRequired,
                range: type.range,
                example: type.write(fallback ?? type.example ?? type.placeholder),
                help: help
            )
        )
    }

    /// The value that the file gives, when it gives a right one; else the problem is kept.
    private mutating func read<T>(_ name: String, _ type: ParameterType<T>, _ fallback: T?) -> T? {
        guard let json = scope.object?[name], json.origin != .faulty else { return nil }
        let hint = fallback.map { "the default is \(JSON.text(of: type.write($0)))" }
        guard let value = type.read(json.value) else {
            refuse(
                name,
                "must be \(allowed(type)), not \(JSON.text(of: json.value))",
                code: .type,
                hint: hint
            )
            return nil
        }
        guard type.contains(value) else {
            refuse(name, "must be \(allowed(type)), not \(JSON.text(of: json.value))", hint: hint)
            return nil
        }
        return value
    }

    private func allowed<T>(_ type: ParameterType<T>) -> String {
        type.range.map { "\(type.noun) \($0)" } ?? type.noun
    }
}
