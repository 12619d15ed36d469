import Media

/// Text files that appear when they are whole.
enum TextFile {
    /// Writes a file, replacing an older one.
    ///
    /// - Throws: `FileError`; the older file is then still whole.
    static func write(_ text: String, to path: String) throws(FileError) {
        let file = try OutputFile(path: path)
        try file.write(Array(text.utf8).span)
        try file.commit()
    }
}

extension Arguments {
    /// Writes a command's one result to where `-o` says, else to standard output.
    ///
    /// - Throws: `Failure` when the file may not be written or replaced.
    func deliver(_ text: String) throws -> ExitCode { try deliver { Array(text.utf8) } }

    /// The same of bytes, which are made only when they will be written.
    func deliver(_ make: () throws -> [UInt8]) throws -> ExitCode {
        guard let path = self.text(.output), path != "-" else {
            try StandardStreams.write(result: make())
            return .done
        }
        guard try mayWrite(path) else { return .done }
        let bytes = try make()
        let file = try OutputFile(path: path)
        try file.write(bytes.span)
        try file.commit()
        return .done
    }

    /// Whether a file is to be written; one that is kept is told.
    ///
    /// - Throws: `Failure` when it may not be written or replaced.
    func mayWrite(_ path: String) throws -> Bool {
        let target = OutputPolicy.Target(path: path)
        let faults = OutputPolicy.faults(of: [target])
        if !faults.isEmpty { throw Failure(.failed, faults) }
        if try OutputPolicy(self).settle([target]).isEmpty { return true }
        let message = Message(.warning, "exists", "\(path) exists and is kept")
        StandardStreams.tell([message], asJSON: has(.json))
        return false
    }
}
