import Graph
import Media

/// Takes a batch file's value apart; what is wrong is kept with its place.
struct BatchReader {
    var problems: [Problem]

    private static let keys = [
        "foxfire-batch", "graph", "jobs", "matrix", "exclude", "output", "outputVariable",
        "timeout", "retries", "backoff", "threads", "memory", "slurm", "split", "description",
        "$schema",
    ]

    init(problems: [Problem]) { self.problems = problems }

    /// The batch; nil where nothing can be said of it, and not to be used where there are problems.
    mutating func batch(_ value: JSON) -> BatchFile? {
        guard case .object(let members) = value.value else {
            tell(
                .type,
                "a batch file holds an object, not \(value.kindName)",
                value,
                "",
                hint: "as in {\"foxfire-batch\": 1, \"graph\": \"film\", \"jobs\": []}"
            )
            return nil
        }
        guard isVersionRight(value) else { return nil }
        for member in members where !Self.keys.contains(member.key) {
            tell(
                .unknownKey,
                "unknown key \(JSON.quoted(member.key))",
                JSON(.null, at: member.location),
                "/" + JSON.escapedPointer(member.key),
                hint: suggestion(for: member.key, in: Self.keys)
                    ?? "known are \(Self.keys.dropLast(2).joined(separator: ", "))"
            )
        }
        if value["jobs"] == nil, value["matrix"] == nil {
            tell(.missingParameter, "\"jobs\" or \"matrix\" is missing: what to run", value, "")
        }
        return BatchFile(
            graph: string("graph", in: value),
            at: value["graph"]?.location ?? value.location,
            outputVariable: string("outputVariable", in: value) ?? "output",
            limits: limits(value),
            slurm: slurm(value),
            split: split(value),
            jobs: value["jobs"] == nil ? nil : list("jobs", in: value),
            matrix: matrix(value),
            exclude: list("exclude", in: value),
            output: pattern(value)
        )
    }

    private mutating func isVersionRight(_ value: JSON) -> Bool {
        guard let version = value["foxfire-batch"] else {
            tell(
                .version,
                "\"foxfire-batch\": \(BatchFile.version) is missing",
                value,
                "",
                hint: "it says that this is a batch file, and of which version"
            )
            return true
        }
        if version.origin == .faulty || version.number == Double(BatchFile.version) { return true }
        tell(
            .version,
            "this is a batch file of version \(JSON.text(of: version.value)), and this Foxfire reads \(BatchFile.version)",
            version,
            "/foxfire-batch"
        )
        return false
    }

    private mutating func pattern(_ value: JSON) -> OutputPattern? {
        guard let text = string("output", in: value), let written = value["output"] else {
            return nil
        }
        do throws(OutputPattern.Fault) {
            return try OutputPattern(text)
        } catch {
            tell(
                .syntax,
                "\"output\": \(error.text), at its character \(error.offset + 1)",
                written,
                "/output",
                hint: "as in \"out/{input.stem}-{preset}-{n}.mp4\"; a brace itself is written twice"
            )
            return nil
        }
    }

    private mutating func limits(_ value: JSON) -> BatchFile.Limits {
        var limits = BatchFile.Limits()
        limits.timeout = number("timeout", in: value, BatchFile.timeouts, "a number of seconds")
        limits.retries = whole("retries", in: value, BatchFile.retries) ?? limits.retries
        limits.backoff =
            number("backoff", in: value, BatchFile.backoffs, "a number of seconds")
            ?? limits.backoff
        limits.threads = whole("threads", in: value, BatchFile.threads)
        limits.memory = whole("memory", in: value, BatchFile.memories)
        return limits
    }

    private mutating func split(_ value: JSON) -> MediaTime? {
        guard let written = value["split"], written.origin != .faulty else { return nil }
        switch written.value {
        case .string(let text), .number(let text):
            if let length = splitLength(text), length >= MediaTime(1, 1) { return length }
        default: break
        }
        tell(
            .range,
            "\"split\" must be a time of 1 s or more, not \(JSON.text(of: written.value))",
            written,
            "/split",
            hint: "as in \"60s\"; a multiple of the \"segment\" of the graph's encode.video"
        )
        return nil
    }

    private mutating func slurm(_ value: JSON) -> BatchFile.SlurmRequest {
        var request = BatchFile.SlurmRequest()
        guard let written = value["slurm"], written.origin != .faulty else { return request }
        guard case .object(let members) = written.value else {
            tell(.type, "\"slurm\" must be an object, not \(written.kindName)", written, "/slurm")
            return request
        }
        let keys = ["partition", "time", "tasks"]
        for member in members where !keys.contains(member.key) {
            tell(
                .unknownKey,
                "unknown key \(JSON.quoted(member.key))",
                JSON(.null, at: member.location),
                "/slurm/" + JSON.escapedPointer(member.key),
                hint: suggestion(for: member.key, in: keys)
                    ?? "known are \(keys.joined(separator: ", ")); --sbatch passes anything on"
            )
        }
        request.partition = string("partition", in: written, under: "/slurm")
        request.time = number(
            "time",
            in: written,
            BatchFile.taskTimes,
            "a number of seconds",
            under: "/slurm"
        )
        request.tasks = whole("tasks", in: written, BatchFile.tasks, under: "/slurm")
        return request
    }

    private mutating func whole(
        _ key: String,
        in value: JSON,
        _ range: ClosedRange<Double>,
        under pointer: String = ""
    ) -> Int? {
        number(key, in: value, range, "a whole number", isWhole: true, under: pointer)
            .map { Int($0) }
    }

    private mutating func number(
        _ key: String,
        in value: JSON,
        _ range: ClosedRange<Double>,
        _ noun: String,
        isWhole: Bool = false,
        under pointer: String = ""
    ) -> Double? {
        guard let written = value[key], written.origin != .faulty else { return nil }
        if let number = written.number, range.contains(number),
            !isWhole || number == number.rounded()
        {
            return number
        }
        tell(
            .range,
            "\"\(key)\" must be \(noun) from \(shortText(of: range.lowerBound)) to "
                + "\(shortText(of: range.upperBound)), not \(JSON.text(of: written.value))",
            written,
            "\(pointer)/\(key)"
        )
        return nil
    }

    private mutating func string(_ key: String, in value: JSON, under pointer: String = "")
        -> String?
    {
        guard let written = value[key], written.origin != .faulty else { return nil }
        if let text = written.string, !text.isEmpty { return text }
        tell(
            .type,
            "\"\(key)\" must be a string, not \(JSON.text(of: written.value))",
            written,
            "\(pointer)/\(key)"
        )
        return nil
    }

    mutating func tell(
        _ code: Problem.Code,
        _ text: String,
        _ value: JSON,
        _ pointer: String,
        hint: String? = nil
    ) {
        guard value.origin != .faulty, problems.count < JSONReader.problemLimit else { return }
        problems.append(
            Problem(code, text, at: value.location, pointer: pointer, hint: hint)
        )
    }
}

extension JSON {
    /// The number that stands here.
    fileprivate var number: Double? {
        guard case .number(let text) = value, let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }
}
