/// Every option there is: the one place that says what it is called, what follows it and what it does.
extension Option {
    static let help = Option("-h", "--help", purpose: "Print this help and end.")

    // MARK: Outputs

    static let replace = Option(
        "-y",
        purpose:
            "Replace outputs that exist. Of a numbered sequence, files beyond its new end are removed."
    )
    static let keep = Option(
        "-n",
        purpose: "Keep outputs that exist: say so, make only what is missing, and end with 0."
    )
    static let output = Option(
        "-o",
        value: .file("FILE"),
        purpose: "Write to FILE instead of standard output."
    )
    static let target = Option("-o", value: .file("FILE"), purpose: "Where to write.")

    // MARK: Running

    static let set = Option(
        "--set",
        value: .setting,
        purpose: "Give a variable of the graph a value; the same as NAME=VALUE."
    )
    static let threads = Option(
        "--threads",
        value: .integer("N", 1...256),
        purpose: "How many workers run the graph; as many as there are cores, unless given. "
            + "Outputs are the same for any number."
    )
    static let capacity = Option(
        "--capacity",
        value: .integer("N", 1...1_000_000),
        purpose:
            "How many packets an edge holds, unless the graph file says otherwise; 64 unless given."
    )
    static let memoryLimit = Option(
        "--memory-limit",
        value: .bytes("BYTES"),
        purpose:
            "How much all edges together may hold, as in 512M or 4G; half of the machine's memory, or "
            + "of the control group's, unless given."
    )
    static let progress = Option(
        "--progress",
        value: .words(["auto", "plain", "json", "none"]),
        purpose:
            "How progress is told on standard error: auto is a live line per output on a terminal and "
            + "plain elsewhere, plain is a line every few seconds, json one object per line, "
            + "none nothing, not even what was written."
    )
    static let report = Option(
        "--report",
        value: .file("FILE"),
        purpose:
            "Write what was done, as JSON: outputs with sizes and SHA-256, times per node, fill of every "
            + "edge. \"-\" is standard output. A name that ends in .html becomes a page to look at."
    )
    static let trace = Option(
        "--trace",
        value: .file("FILE"),
        purpose: "Write what every worker did when, as Chrome trace events; Perfetto opens them."
    )
    static let verifyOutput = Option(
        "--verify-output",
        value: .words(["fast", "full"]),
        purpose:
            "How closely a film is looked at before it gets its name: fast reads all packets and decodes "
            + "the first and the last seconds, full decodes all of it."
    )
    static let dryRun = Option(
        "--dry-run",
        purpose: "Check everything, say what would be written, and write nothing."
    )
    static let strict = Option(
        "--strict",
        purpose: "Fail, and write nothing, when an input is damaged or cut short."
    )

    static let job = Option(
        "--job",
        value: .text("STATE/ID"),
        purpose:
            "Run as the job ID (16 hexadecimal digits) of a batch whose state is in the folder STATE, as "
            + "\"foxfire batch run\" does: nothing is done where the same was done before, and what "
            + "a killed run left is finished or removed."
    )

    static let part = Option(
        "--part",
        value: .text("PART"),
        purpose:
            "Run one part of a film, as a batch with \"split\" does. PART is what is made (track, state, pictures "
            + "or film), which of how many, a part's length, and a folder for what lies in between: "
            + "\"pictures 3/10 60s parts\"."
    )

    // MARK: Batches

    static let jobs = Option(
        "--jobs",
        value: .integer("N", 1...1024),
        purpose:
            "How many jobs run at once; unless given, as many as there are cores for the threads that the "
            + "batch file says a job has, one unless it says more."
    )
    static let shard = Option(
        "--shard",
        value: .text("I/N"),
        purpose:
            "Run every N-th job only, beginning with the I-th. In an array of Slurm or Grid Engine N may be "
            + "left out."
    )
    static let only = Option(
        "--only",
        value: .text("PATTERN"),
        purpose:
            "Run only jobs of which the output, or the value of a variable, is as the pattern says: * is "
            + "any text, ? any character."
    )
    static let engine = Option(
        "--engine",
        value: .words(["local", "slurm"]),
        purpose: "Where jobs run: on this machine, unless given, or as an array of Slurm tasks."
    )
    static let sbatch = Option(
        "--sbatch",
        value: .text("OPTIONS"),
        purpose: "Options for sbatch, as in --sbatch '--account=films --qos=long'."
    )
    static let detach = Option(
        "--detach",
        purpose:
            "Return when Slurm has taken the array, and do not wait for it; \"foxfire batch status\" tells."
    )
    static let keepGoing = Option(
        "--keep-going",
        purpose: "Run the other jobs when one fails; so it is unless --fail-fast is given."
    )
    static let failFast = Option(
        "--fail-fast",
        purpose: "Begin no job after the first one that fails for good."
    )
    static let batchProgress = Option(
        "--progress",
        value: .words(["auto", "plain", "json", "none"]),
        purpose:
            "How progress is told on standard error: auto is a live line on a terminal and plain elsewhere, "
            + "plain is a line every few seconds, json one object per line, none nothing."
    )
    static let verify = Option(
        "--verify",
        purpose: "Read the outputs of jobs that are done, and tell which are not as they were made."
    )
    static let all = Option("--all", purpose: "Forget all jobs.")

    // MARK: Presets

    static let store = Option(
        "--store",
        value: .file("DIR|FILE"),
        purpose:
            "Where the presets are: a folder that may be shared between machines, or a JSON file. Unless "
            + "given, $XDG_DATA_HOME/foxfire/presets where that is a folder, else "
            + "$XDG_DATA_HOME/foxfire/presets.json; graphs look there too."
    )
    static let slot = Option(
        "--slot",
        value: .text("SLOT"),
        purpose: "The slot to save into, whatever it holds: slot-07, or 7."
    )
    static let rename = Option(
        "--name",
        value: .text("NAME"),
        purpose: "What the preset is called in its slot."
    )
    static let yes = Option("--yes", purpose: "Do not ask.")
    static let takeBack = Option(
        "--replace",
        purpose: "Let presets take the slots that they come from, whatever these hold."
    )

    // MARK: Results

    static let errorsAsJSON = Option(
        "--json",
        purpose: "Print errors and warnings as JSON, one object per line."
    )
    static let json = Option("--json", purpose: "Print the result, and errors, as JSON.")
    static let names = Option("--names", purpose: "Print names only, one per line.")
    static let markdown = Option(
        "--markdown",
        value: .folder("FOLDER"),
        purpose:
            "Write one page per node, and an index, into FOLDER; pages of nodes that are gone are removed."
    )
    static let of = Option(
        "--of",
        value: .words(["graph", "batch", "report", "nodes", "probe", "error"]),
        purpose: "What the schema is for; graph files, unless given."
    )
    static let manual = Option("--man", purpose: "Print the manual page, for man -l.")
    static let version = Option("--version", purpose: "Print the version and end.")
}
