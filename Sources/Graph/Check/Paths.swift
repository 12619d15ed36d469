import Glibc
import Media

extension Checker {
    /// Refuses outputs that would overwrite each other, an input, or the graph file.
    mutating func checkPaths() {
        var inputs: [FileIdentity: String] = [:]
        var standardInput: String?
        for index in drafts.indices {
            for use in drafts[index].bound?.contract.inputFiles ?? [] {
                if use.file.isStandardInput {
                    if let other = standardInput {
                        fail(
                            index,
                            .input,
                            "reads standard input, as node \"\(other)\" does already",
                            at: use.location ?? drafts[index].place,
                            pointer: "/\(use.name)",
                            hint: "one node can read it; connect others to that one"
                        )
                    }
                    standardInput = drafts[index].name
                } else if let identity = FileIdentity(use.file.path) {
                    inputs[identity] = drafts[index].name
                }
            }
        }
        let graphFile = FileIdentity(file)
        var written: [FileIdentity: String] = [:]
        var sequences: [(identity: FileIdentity, node: String)] = []
        var standardOutput: String?
        for index in drafts.indices {
            let name = drafts[index].name
            for use in drafts[index].bound?.contract.outputs ?? [] {
                if use.file.isStandardOutput {
                    if let other = standardOutput {
                        refuse(
                            use,
                            of: index,
                            "writes to standard output, as node \"\(other)\" does already"
                        )
                    }
                    standardOutput = name
                    continue
                }
                if options.needsFolders { checkFolder(of: use, index) }
                guard let identity = FileIdentity(use.file.path) else { continue }
                func isClash(_ other: FileIdentity) -> Bool {
                    use.file.isSequence ? other.isNumbered(by: identity) : other == identity
                }
                let path = JSON.quoted(use.file.path)
                let writer =
                    written[identity]
                    ?? sequences.first { identity.isNumbered(by: $0.identity) }?.node
                    ?? (use.file.isSequence ? written.first { isClash($0.key) }?.value : nil)
                if let writer {
                    refuse(
                        use,
                        of: index,
                        "the output \(path) is also written by node \"\(writer)\""
                    )
                }
                written[identity] = name
                if use.file.isSequence { sequences.append((identity, name)) }
                let reader =
                    use.file.isSequence
                    ? inputs.first { isClash($0.key) }?.value : inputs[identity]
                if let reader {
                    refuse(
                        use,
                        of: index,
                        "the output \(path) is also the input of node \"\(reader)\""
                    )
                }
                if let graphFile, isClash(graphFile) {
                    refuse(use, of: index, "the output \(path) is the graph file")
                }
            }
        }
    }

    private mutating func refuse(
        _ use: Contract.FileUse<OutputPath>,
        of index: Int,
        _ text: String
    ) {
        fail(
            index,
            .output,
            text,
            at: use.location ?? drafts[index].place,
            pointer: "/" + JSON.escapedPointer(use.name),
            hint: "give it another path"
        )
    }

    /// An output's folder must be there before a long run, not only at its end.
    private mutating func checkFolder(of use: Contract.FileUse<OutputPath>, _ index: Int) {
        guard let slash = use.file.path.lastIndex(of: "/"), slash != use.file.path.startIndex else {
            return
        }
        let folder = String(use.file.path[..<slash])
        var status = stat()
        var code: Int32 = 0
        if unsafe stat(folder, &status) != 0 {
            code = errno
        } else if status.st_mode & S_IFMT != S_IFDIR {
            code = ENOTDIR
        }
        guard code != 0 else { return }
        fail(
            index,
            .file,
            "the output cannot be written: \(FileError(path: folder, call: "stat", code: code))",
            at: use.location ?? drafts[index].place,
            pointer: "/" + JSON.escapedPointer(use.name),
            hint: code == ENOENT ? "make the folder first" : nil
        )
    }

    /// Warns of nodes that make something nobody reads.
    mutating func warnAboutIdleNodes() {
        // Where a connection is wrong, its writer only looks idle.
        guard problems.isEmpty else { return }
        for index in drafts.indices {
            let draft = drafts[index]
            guard let contract = draft.bound?.contract, !contract.schema.outputs.isEmpty,
                contract.outputs.isEmpty, outgoing[index].isEmpty
            else { continue }
            warnings.append(
                Problem(
                    .unused,
                    "has no effect: nothing reads what it makes",
                    at: draft.place,
                    node: draft.name,
                    pointer: draft.pointer,
                    hint: "name it in another node's \"from\", or take it out"
                )
            )
        }
    }
}
