import Foundation
import Graph
import Presets
import Testing

@testable import FoxfireCLI

/// `foxfire presets`, as the built command does it.
@Suite struct PresetsTests {
    /// Installs the command in the folder, with a factory of one preset, so that slots are free.
    private static let installation = """
        mkdir -p bin share/foxfire/presets
        ln $foxfire bin/foxfire 2> /dev/null || cp $foxfire bin/foxfire
        foxfire=$PWD/bin/foxfire
        ln -s \(#filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined())/graphs \
            share/foxfire/graphs
        echo '{"version": 1, "presets": [{"name": "Foxfire", "params": {}}]}' \
            > share/foxfire/presets/factory.json
        """

    /// Runs lines of shell in a fresh folder, whose `data` is where the user's presets are.
    private func inShell(_ lines: String, _ body: (Tool.Result, String) throws -> Void) throws {
        try inTemporaryFolder { folder in
            for name in ["A", "B", "C"] {
                let text = """
                    {"name": "\(name)", "tags": ["x"], "z": 1.50, "params": {"decay": 0.10}}
                    """
                try TextFile.write(text, to: "\(folder)/\(name).json")
            }
            let start = "export XDG_DATA_HOME=$PWD/data\n\(Self.installation)\n"
            try body(try Tool.shell(start + lines, in: folder), folder)
        }
    }

    private func expect(_ lines: String, prints output: String, code: Int32 = 0) throws {
        try inShell(lines) { result, _ in
            #expect(result.output == output, "\(result.error)")
            #expect(result.code == code, "\(result.error)")
        }
    }

    /// Takes all 24 slots.
    private static let fillAll =
        "for n in $(seq 0 23); do $foxfire presets save A.json --slot $n; done > /dev/null"

    // MARK: Looking

    @Test func `a new store shows the factory's presets, and looking writes nothing`() throws {
        try inShell("$foxfire presets list; $foxfire presets rotation --names; ls") { result, _ in
            let lines = result.output.split(separator: "\n")
            #expect(lines.first == "slot-00  Foxfire  factory")
            #expect(lines.filter { $0.hasPrefix("slot-") }.count == 24)
            #expect(!lines.contains("data"))
            #expect(result.error == "")
        }
    }

    @Test func `list and rotation are JSON too`() throws {
        let lines = """
            $foxfire presets save A.json --slot 3 > /dev/null; $foxfire presets pin 3 > /dev/null
            $foxfire presets rotation --json
            """
        try inShell(lines) { result, folder in
            let json = try #require(JSONReader.read(Array(result.output.utf8)).value)
            #expect(json["foxfire"]?.value == 1)
            #expect(json["store"]?.string == folder + "/data/foxfire/presets.json")
            guard case .array(let slots)? = json["slots"]?.value else {
                Issue.record("no slots")
                return
            }
            #expect(slots.count == 1)
            #expect(
                slots.first.map { JSON.compact($0.value) }
                    == #"{"slot": "slot-03", "name": "A", "tags": ["x"], "owned": true, "pinned": true}"#
            )
        }
    }

    @Test func `show tells every parameter, or prints the preset's file`() throws {
        try inShell("$foxfire presets show Foxfire") { result, _ in
            for word in ["Foxfire", "moveSpeed", "2.4 cells", "palette foxfire", "bass transient"] {
                #expect(result.output.contains(word), "\(word)")
            }
        }
        try inShell("$foxfire presets show A.json --json") { result, _ in
            let read = PresetFile.read(Array(result.output.utf8), file: "out")
            #expect(read.preset?.name == "A")
            #expect(result.output.contains("\"z\": 1.50"))
        }
    }

    // MARK: Saving

    @Test func `save takes the first empty slot, or the one that is named`() throws {
        let lines = """
            $foxfire presets save A.json
            $foxfire presets save B.json --slot slot-01
            $foxfire presets save C.json
            $foxfire presets save A --slot 9 --name Mine 2> /dev/null
            $foxfire presets save B --slot 9 --name Mine
            $foxfire presets save - < A.json
            $foxfire presets list | grep own
            """
        try expect(
            lines,
            prints: """
                slot-01  A  own
                slot-01  B  own
                slot-02  C  own
                slot-09  Mine  own
                slot-03  A  own
                slot-01  B        own
                slot-02  C        own
                slot-03  A        own
                slot-09  Mine     own

                """
        )
    }

    @Test func `a full store asks about the factory's first slot that is not pinned`() throws {
        // The factory has slot 0; all others are taken.
        let full = Self.fillAll.replacingOccurrences(of: "seq 0", with: "seq 1")
        try inShell("\(full); $foxfire presets save B.json") { result, _ in
            #expect(result.code == 1)
            #expect(result.error.contains("no slot is empty; slot-00 holds the factory's preset"))
            #expect(result.error.contains("--slot SLOT, or --yes"))
        }
        try expect(
            "\(full); $foxfire presets save B.json --yes; $foxfire presets list | grep -c own",
            prints: "slot-00  B  own\n24\n"
        )
        try inShell("\(full); $foxfire presets pin 0; $foxfire presets save B.json --yes") {
            result,
            _ in
            #expect(result.code == 1)
            #expect(result.error.contains("each is your own or pinned"))
        }
    }

    @Test(
        .enabled(if: Tool.path(of: "script") != nil),
        arguments: [("y", "B"), ("n", "Foxfire"), ("", "Foxfire")]
    )
    func `on a terminal the answer counts`(answer: String, name: String) throws {
        let full = Self.fillAll.replacingOccurrences(of: "seq 0", with: "seq 1")
        let lines = """
            \(full)
            export foxfire
            echo \(answer) | script -qec '$foxfire presets save B.json' /dev/null > said
            $foxfire presets list --names | head -1
            """
        try inShell(lines) { result, folder in
            #expect(result.output == name + "\n")
            let said = try String(contentsOfFile: folder + "/said", encoding: .utf8)
            #expect(said.contains("slot-00 holds the factory's preset \"Foxfire\". Replace it?"))
        }
    }

    // MARK: Editing

    @Test func `slots are cleared, pinned and unpinned, by number or by name`() throws {
        let lines = """
            $foxfire presets save A.json > /dev/null; $foxfire presets save B.json > /dev/null
            $foxfire presets pin A slot-02
            $foxfire presets rotation --names
            $foxfire presets unpin 1
            $foxfire presets rotation --names
            $foxfire presets clear B
            $foxfire presets rotation --names
            """
        try expect(
            lines,
            prints: """
                slot-01  A  own, pinned
                slot-02  B  own, pinned
                A
                B
                slot-01  A  own
                B
                slot-02  -  cleared
                Foxfire
                A

                """
        )
    }

    @Test func `of several slots all are changed, or none`() throws {
        let lines = "$foxfire presets pin 0 5; echo $?; $foxfire presets list | grep -c pinned"
        try inShell(lines) { result, _ in
            #expect(result.output == "1\n0\n")
            #expect(result.error.contains("slot-05 is empty"))
        }
    }

    @Test func `a reset is confirmed, and says what would be lost`() throws {
        let lines = """
            $foxfire presets save A.json --slot 0 > /dev/null
            $foxfire presets reset; echo $?
            $foxfire presets list --names
            $foxfire presets reset --yes
            $foxfire presets list --names
            """
        try inShell(lines) { result, _ in
            #expect(result.output == "1\nA\nslot-00  Foxfire  factory\nFoxfire\n")
            #expect(result.error.contains("1 preset of your own would be lost: A (give --yes)"))
        }
    }

    // MARK: Files

    @Test func `what is exported is imported again`() throws {
        let lines = """
            for p in A B C; do $foxfire presets save $p.json; done > /dev/null
            $foxfire presets pin 2 > /dev/null; $foxfire presets clear 1 > /dev/null
            $foxfire presets export -o all.json
            $foxfire presets import all.json --store other
            $foxfire presets rotation --names --store other
            $foxfire presets export B -o one.json; $foxfire presets export B C -o two.json
            $foxfire presets import one.json two.json --store third.json
            """
        try expect(
            lines,
            prints: """
                slot-02  B  own, pinned
                slot-03  C  own
                B
                slot-01  B  own
                slot-02  B  own
                slot-03  C  own

                """
        )
    }

    @Test func `import puts presets back where they come from when it is told to`() throws {
        let lines = """
            $foxfire presets save A.json --slot 0 > /dev/null
            $foxfire presets export -o all.json
            $foxfire presets import all.json --store s.json
            $foxfire presets import all.json --store s.json --replace
            """
        try expect(lines, prints: "slot-01  A  own\nslot-00  A  own\n")
    }

    @Test func `an import that has no room changes nothing`() throws {
        let lines = """
            \(Self.fillAll)
            $foxfire presets clear 4 > /dev/null
            $foxfire presets import B.json C.json; echo $?
            $foxfire presets list | grep -c cleared
            """
        try inShell(lines) { result, _ in
            #expect(result.output == "1\n1\n")
            #expect(result.error.contains("1 of 2 presets find no empty slot"))
        }
    }

    @Test func `presets are migrated once, and what is too much goes to a file`() throws {
        let lines = """
            for n in $(seq 0 21); do $foxfire presets save A.json --slot $n; done > /dev/null
            $foxfire presets migrate A.json B.json C.json; echo $?
            $foxfire presets migrate A.json B.json C.json -o rest.json
            $foxfire presets migrate C.json; echo $?
            $foxfire presets import rest.json --store new
            """
        try inShell(lines) { result, _ in
            #expect(
                result.output
                    == "1\nslot-22  A  own\nslot-23  B  own\n1\nslot-01  C  own\n",
                "\(result.error)"
            )
            #expect(result.error.contains("1 preset finds no empty slot; nothing was migrated"))
            #expect(result.error.contains("done once"))
        }
    }

    @Test func `a sheet shows presets, four in a row, and replaces nothing unasked`() throws {
        // Few agents, for a short test.
        let lines = """
            echo '{"name": "Few", "params": {"density": 0.002}}' > few.json
            $foxfire presets sheet -o sheet.png few.json few.json few.json few.json few.json
            $foxfire presets sheet -o sheet.png few.json; echo $?
            $foxfire presets sheet -o sheet.png few.json -n 2> /dev/null; echo $?
            $foxfire presets sheet -o - few.json > one.png; echo $?
            """
        try inShell(lines) { result, folder in
            #expect(result.output == "1\n0\n0\n")
            #expect(result.error.contains("sheet.png exists (-y replaces"))
            for (name, width, height) in [("sheet", 1320, 384), ("one", 336, 196)] {
                let file = try Data(contentsOf: URL(filePath: "\(folder)/\(name).png"))
                // Signature, the first chunk's length and name, then width and height.
                let sides = file[16..<24].map { Int($0) }
                #expect(file.prefix(8) == Data([137, 80, 78, 71, 13, 10, 26, 10]))
                #expect(sides[2] * 256 + sides[3] == width)
                #expect(sides[6] * 256 + sides[7] == height)
            }
        }
    }

    // MARK: Stores

    @Test func `a folder is the store when there is one, and graphs see the same`() throws {
        let lines = """
            mkdir -p data/foxfire/presets
            $foxfire presets save A.json --slot 7 --name Seven
            ls data/foxfire/presets
            for p in slot-07 7 Seven data/foxfire/presets/slot-07.json; do
                $foxfire check film preset=$p > /dev/null && echo fine
            done
            """
        try inShell(lines) { result, _ in
            #expect(
                result.output
                    == "slot-07  Seven  own\nslot-00.json\nslot-07.json\nfine\nfine\nfine\nfine\n",
                "\(result.error)"
            )
        }
    }

    @Test func `conflicts are told until they are settled`() throws {
        let lines = """
            $foxfire presets save A.json --slot 7 --store s > /dev/null
            cp -r s t
            $foxfire presets save B.json --slot 7 --store s > /dev/null
            $foxfire presets save C.json --slot 7 --store t > /dev/null
            cp t/slot-07.json s/slot-07.sync-conflict-20260701-101010-AAAAAAA.json
            $foxfire presets list --store s --names
            $foxfire presets pin 7 --store s
            $foxfire presets save s/slot-07.conflict-*.json --slot 8 --store s
            rm s/slot-07.conflict-*.json
            $foxfire presets list --store s --names
            """
        try inShell(lines) { result, _ in
            #expect(
                result.output
                    == "Foxfire\nC\nslot-07  C  own, pinned\nslot-08  B  own\nFoxfire\nC\nB\n",
                "\(result.error)"
            )
            let lines = result.error.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.first?.contains("slot-07 was edited on") == true)
            #expect(lines.last?.contains("lost against what is in the slot") == true)
        }
    }

    @Test func `damage is told with its place and exit code 4, and kept`() throws {
        let lines = """
            $foxfire presets save A.json --slot 7 --store s > /dev/null
            echo '{"foxfire": 1, "index": 24}' > s/slot-05.json
            $foxfire presets list --store s --names; echo $?
            $foxfire presets list --store s --json > /dev/null
            $foxfire presets save B.json --slot 5 --store s; echo $?
            cat s/slot-05.damaged-1.json
            """
        try inShell(lines) { result, _ in
            #expect(
                result.output == """
                    Foxfire
                    A
                    4
                    slot-05  B  own
                    0
                    {"foxfire": 1, "index": 24}

                    """
            )
            #expect(result.error.contains("s/slot-05.json:1:25: damage: \"index\" must be"))
            let json = result.error.split(separator: "\n").filter { $0.hasPrefix("{") }
            #expect(json.count >= 2)
            for line in json {
                let faults = try SchemaCheck(Schemas.error).faults(of: String(line))
                #expect(faults == [])
            }
        }
    }

    @Test func `a missing or broken factory is told, and nothing is seeded or reset`() throws {
        let lines = """
            rm share/foxfire/presets/factory.json
            $foxfire presets save A.json; echo $?
            echo '{"version": 1' > share/foxfire/presets/factory.json
            $foxfire presets list --names; echo $?
            $foxfire presets reset --yes; echo $?
            $foxfire presets list --names 2> /dev/null
            echo '{"version": 7, "presets": [{"name": "New", "params": {}}]}' \\
                > share/foxfire/presets/factory.json
            $foxfire presets list --names
            $foxfire presets show New | head -1
            """
        try inShell(lines) { result, _ in
            #expect(
                result.output == "slot-00  A  own\n0\nA\n0\n1\nA\nA\nNew\n",
                "\(result.error)"
            )
            #expect(result.error.contains("share/foxfire/presets/factory.json"))
            #expect(result.error.contains("nothing is seeded"))
            #expect(result.error.contains("a reset would leave nothing"))
        }
    }

    @Test(
        arguments: [
            ("", "an action is missing"), ("lst", "did you mean \"list\"?"),
            ("save", "PRESET is missing"), ("save A.json --slot 24", "slot-00 to slot-23"),
            ("clear", "SLOT is missing"), ("sheet", "an output is missing"),
            ("pin Foxfyre", "did you mean \"Foxfire\"?"),
            ("show Foxfyre", "did you mean \"Foxfire\"?"), ("show slot-24", "there is no slot"),
            ("list extra", "one argument too many"), ("save A.json --name ''", "must not be empty"),
        ]
    )
    func `a command line that is wrong is told`(line: String, words: String) throws {
        try inShell("$foxfire presets \(line)") { result, _ in
            #expect(result.code == 2)
            #expect(result.output == "")
            #expect(result.error.contains(words), "\(result.error)")
        }
    }

    @Test func `a preset that is not there fails as a job does`() throws {
        try inShell("$foxfire presets show nix.json; echo $?; $foxfire presets show 9; echo $?") {
            result,
            _ in
            #expect(result.output == "1\n1\n")
            #expect(result.error.contains("nix.json: there is no such file"))
            #expect(result.error.contains("slot-09 of "))
        }
    }

    @Test func `help is the same by all ways`() throws {
        let lines = """
            $foxfire help presets save > a; $foxfire presets save --help > b; cmp a b
            $foxfire help presets > a; $foxfire presets --help > b; cmp a b
            """
        try expect(lines, prints: "")
    }
}
