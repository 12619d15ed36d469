public import Graph

extension BatchFile {
    /// The JSON Schema of batch files, for editors.
    public static var schema: JSON.Value {
        let value: JSON.Value = ["type": ["string", "number", "boolean"]]
        let values: JSON.Value = ["type": "object", "additionalProperties": value]
        func table(_ file: String, _ column: String, _ what: String) -> JSON.Value {
            let text: JSON.Value = ["type": "string", "minLength": 1]
            return .record([
                "type": "object", "description": .string(what),
                "properties": .record([file: text, column: text]),
                "required": .list([.string(file), .string(column)]),
            ])
        }
        let axis: JSON.Value = [
            "anyOf": [
                ["type": "array", "minItems": 1, "items": value],
                [
                    "type": "string", "pattern": "^glob:.",
                    "description": "The files that match a pattern, sorted.",
                ],
                table("csv", "column", "A column of a table whose first line names the columns."),
                table("jsonl", "key", "A key of the object on each line."),
            ]
        ]
        func text(_ what: String) -> JSON.Value {
            ["type": "string", "minLength": 1, "description": .string(what)]
        }
        func number(_ range: ClosedRange<Double>, _ what: String, isWhole: Bool = false)
            -> JSON.Value
        {
            [
                "type": isWhole ? "integer" : "number", "description": .string(what),
                "minimum": .number(shortText(of: range.lowerBound)),
                "maximum": .number(shortText(of: range.upperBound)),
            ]
        }
        let properties: [(String, JSON.Value)] = [
            ("$schema", ["type": "string"]),
            ("foxfire-batch", ["const": .integer(version)]),
            ("description", ["type": "string"]),
            (
                "graph",
                text(
                    "The graph: a path from the batch file's folder, or an installed one's name; jobs and the matrix "
                        + "may name others."
                )
            ),
            (
                "jobs",
                [
                    "type": "array", "items": values,
                    "description": "Each sets variables of the graph.",
                ]
            ),
            (
                "matrix",
                [
                    "type": "object", "additionalProperties": axis,
                    "description": "Variables whose values are combined, each with each.",
                ]
            ),
            (
                "exclude",
                [
                    "type": "array", "items": values,
                    "description": "Jobs that have all values of one of these are left out.",
                ]
            ),
            (
                "output",
                text("Names each job's output, as in out/{input.stem}-{preset}-{n}.mp4.")
            ),
            (
                "outputVariable",
                text("The variable that \"output\" sets; \"output\", unless given.")
            ),
            ("timeout", number(timeouts, "Seconds after which a job is ended.")),
            (
                "retries",
                number(retries, "How often a job is tried again; 2, unless given.", isWhole: true)
            ),
            (
                "backoff",
                number(
                    backoffs,
                    "Seconds before the first new try, then twice as long each; 10, unless given."
                )
            ),
            ("threads", number(threads, "Threads of a job.", isWhole: true)),
            ("memory", number(memories, "Bytes of memory that a job may need.", isWhole: true)),
            (
                "split",
                [
                    "type": ["string", "number"],
                    "description":
                        "Films are made in parts of this length, as in 60s, each a job of its own.",
                ]
            ),
            (
                "slurm",
                [
                    "type": "object", "additionalProperties": false,
                    "description": "What a Slurm cluster is asked for.",
                    "properties": [
                        "partition": text("Which part of the cluster; its default, unless given."),
                        "time": number(
                            taskTimes,
                            "Seconds that a task, which runs many jobs, may take."
                        ),
                        "tasks": number(
                            tasks,
                            "How many tasks the jobs are spread over; one a job, but not more than 100, unless given.",
                            isWhole: true
                        ),
                    ],
                ]
            ),
        ]
        return .record([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A batch of Foxfire",
            "type": "object",
            "properties": .members(properties),
            "required": ["foxfire-batch"],
            "anyOf": [["required": ["jobs"]], ["required": ["matrix"]]],
            "additionalProperties": false,
        ])
    }

    /// Seconds that a job may take.
    static let timeouts = 1.0...604_800
    /// New tries of a job.
    static let retries = 0.0...100
    /// Seconds before a new try.
    static let backoffs = 0.0...3600
    /// Threads of a job.
    static let threads = 1.0...256
    /// Bytes of a job.
    static let memories = 64e6...1e15
    /// Seconds of a task of a cluster.
    static let taskTimes = 120.0...31_536_000
    /// Tasks of a cluster.
    static let tasks = 1.0...1e6
}
