import Graph
import Testing

private func read(_ text: String) -> JSONReader.Reading { JSONReader.read(Array(text.utf8)) }

@Suite struct JSONReaderTests {
    @Test(
        "right values are read",
        arguments: [
            ("null", "null"), (" true ", "true"), ("false", "false"), ("-0.5e+10", "-0.5e+10"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            (#""a\"\\\/\b\f\n\r\t\u00e9\ud83e\udd8a""#, #""a\"\\/\u0008\u000c\n\r\té🦊""#),
            ("[]", "[]"), ("[1, 2,]", "[1, 2]"), ("{}", "{}"),
            (#"{"a": 1, "b": [{}],}"#, #"{"a": 1, "b": [{}]}"#),
            ("// a\n1 // b", "1"), ("\u{FEFF}[1]", "[1]"), (#""\u0000""#, #""\u0000""#),
            ("\"tab\tinside\"", #""tab\tinside""#), ("[1//2\n,3]", "[1, 3]"), ("1\r\n", "1"),
        ]
    )
    func right(text: String, expected: String) throws {
        let reading = read(text)
        #expect(reading.problems == [])
        #expect(reading.isWhole)
        #expect(JSON.compact(try #require(reading.value).value) == expected)
    }

    @Test func `places count lines, and scalars in a line, from 1`() throws {
        let reading = read("{\n  \"é🦊\": [1,\n\t\"x\"]\n}")
        let object = try #require(reading.value)
        #expect(object.location == SourceLocation(line: 1, column: 1))
        guard case .object(let members) = object.value else { return }
        #expect(members[0].location == SourceLocation(line: 2, column: 3))
        #expect(members[0].value.location == SourceLocation(line: 2, column: 9))
        guard case .array(let elements) = members[0].value.value else { return }
        #expect(elements.map(\.location.description) == ["2:10", "3:2"])
    }

    @Test("faults are told with their places, and reading goes on", arguments: faults)
    func faulty(fault: Fault) {
        let reading = read(fault.text)
        #expect(reading.problems.map(\.description).joined(separator: "\n") == fault.problems)
        #expect(reading.isWhole == (fault.rest != nil))
        if let rest = fault.rest { #expect(reading.value.map { JSON.compact($0.value) } == rest) }
    }

    /// A text, what is wrong with it, and what is read of it; nil where the reader gives up.
    struct Fault: Sendable, CustomTestStringConvertible {
        let text: String
        let rest: String?
        let problems: String
        var testDescription: String { text.debugDescription }

        init(_ text: String, rest: String?, _ problems: String) {
            self.text = text
            self.rest = rest
            self.problems = problems
        }
    }

    private static let faults: [Fault] = [
        Fault(
            "",
            rest: nil,
            """
            1:1: there is nothing in the file
            """
        ),
        Fault(
            " // nothing\n",
            rest: nil,
            """
            2:1: there is nothing in the file
            """
        ),
        Fault(
            "[16x, nul, True, NaN, 01, .5, +1, 0x10, 1., -]",
            rest: "[null, null, null, null, null, null, null, null, null, null]",
            """
            1:2: "16x" is no value (a string stands in double quotes)
            1:7: "nul" is no value (a string stands in double quotes)
            1:12: "True" is no value (write true)
            1:18: "NaN" is no value (a string stands in double quotes)
            1:23: "01" is no value (numbers are written like 0.5, 1e3 or -2)
            1:27: ".5" is no value (numbers are written like 0.5, 1e3 or -2)
            1:31: "+1" is no value (numbers are written like 0.5, 1e3 or -2)
            1:35: "0x10" is no value (numbers are written like 0.5, 1e3 or -2)
            1:41: "1." is no value (numbers are written like 0.5, 1e3 or -2)
            1:45: "-" is no value (a string stands in double quotes)
            """
        ),
        Fault(
            "{\"a\": 1, \"a\": 2, \"b\": 3, \"a\": 4}",
            rest: "{\"a\": 1, \"b\": 3}",
            """
            1:10: the key "a" is there already, at 1:2
            1:26: the key "a" is there already, at 1:2
            """
        ),
        Fault(
            "{\"a\": 1\n \"b\": 2 \"c\": [1 2]}",
            rest: "{\"a\": 1, \"b\": 2, \"c\": [1, 2]}",
            """
            1:8: a comma is missing
            2:8: a comma is missing
            2:16: a comma is missing
            """
        ),
        Fault(
            "{\"a\" 1, \"b\"= 2, c: 3, \"d\": , \"e\":}",
            rest: "{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": null, \"e\": null}",
            """
            1:6: a colon is missing after the key "a"
            1:12: a colon is missing after the key "b"
            1:17: the key "c" must stand in double quotes
            1:28: a value is missing here
            1:34: a value is missing here
            """
        ),
        Fault(
            "{, \"a\": 1,, \"b\": 2}",
            rest: "{\"a\": 1, \"b\": 2}",
            """
            1:2: a key is missing before this comma
            1:11: a key is missing before this comma
            """
        ),
        Fault(
            "[1,,2, :3]",
            rest: "[1, 2, 3]",
            """
            1:4: a value is missing before this comma
            1:8: a colon has no place in an array
            """
        ),
        Fault(
            "{\"a\": \"x,\n \"b\": 2}",
            rest: "{\"a\": \"x,\", \"b\": 2}",
            """
            1:7: the string that starts here has no end on its line (a " is missing; a line break is written \\n)
            """
        ),
        Fault(
            "{\"a: 1,\n \"b\": 2}",
            rest: "{\"b\": 2}",
            """
            1:2: the string that starts here has no end on its line (a " is missing; a line break is written \\n)
            """
        ),
        Fault(
            "[\"a\", \'b, c\', \"d\"]",
            rest: "[\"a\", null, \"d\"]",
            """
            1:7: a string stands in double quotes, not in single ones
            """
        ),
        Fault(
            "[\"\\q\", \"\\u12\", \"\\ud800\", \"\\udc00x\", \"\\ud800\\u0041\"]",
            rest: "[\"q\", \"�12\", \"�\", \"�x\", \"�A\"]",
            """
            1:3: a backslash stands before a character that needs none (a backslash itself is written \\\\)
            1:9: \\u needs four hexadecimal digits
            1:17: half of a surrogate pair stands alone (characters beyond U+FFFF are written as they are, or as two \\u)
            1:27: half of a surrogate pair stands alone (characters beyond U+FFFF are written as they are, or as two \\u)
            1:38: half of a surrogate pair stands alone (characters beyond U+FFFF are written as they are, or as two \\u)
            """
        ),
        Fault(
            "[\"a\u{01}b\", \"\0\"]",
            rest: "[\"a\\u0001b\", \"\\u0000\"]",
            """
            1:4: the control character U+0001 stands in a string (write \\u0001)
            1:10: the control character U+0000 stands in a string (write \\u0000)
            """
        ),
        Fault(
            "/* c\n */ [1] /* d */",
            rest: "[1]",
            """
            1:1: comments start with // and end with the line
            2:9: comments start with // and end with the line
            """
        ),
        Fault(
            "{} garbage [",
            rest: "{}",
            """
            1:4: there is more after the end: "garbage" (a file holds one value)
            """
        ),
        Fault(
            "1 2",
            rest: "1",
            """
            1:3: there is more after the end: "2" (a file holds one value)
            """
        ),
        Fault(
            "{\"a\": [1, 2}",
            rest: nil,
            """
            1:12: a "}" stands where the array that starts at 1:7 should be closed
            """
        ),
        Fault(
            "[{\"a\": 1]",
            rest: nil,
            """
            1:9: a "]" stands where the object that starts at 1:2 should be closed
            """
        ),
        Fault(
            "{\"a\": {\n\"b\": 1",
            rest: nil,
            """
            2:7: the text ends, but the object that starts at 1:7 is not closed (a "}" is missing)
            """
        ),
        Fault(
            "[1, 2",
            rest: nil,
            """
            1:6: the text ends, but the array that starts at 1:1 is not closed (a "]" is missing)
            """
        ),
        Fault(
            "[\"abc",
            rest: nil,
            """
            1:2: the string that starts here has no end (a " is missing)
            1:6: the text ends, but the array that starts at 1:1 is not closed (a "]" is missing)
            """
        ),
        Fault(
            "{\"a\":",
            rest: nil,
            """
            1:6: the text ends where a value should be
            """
        ),
        Fault(
            "]",
            rest: "null",
            """
            1:1: a value is missing here
            1:1: there is more after the end: "]" (a file holds one value)
            """
        ),
        Fault(
            "}",
            rest: "null",
            """
            1:1: a value is missing here
            1:1: there is more after the end: "}" (a file holds one value)
            """
        ),
        Fault(
            ":",
            rest: "null",
            """
            1:1: ":" is no value (a string stands in double quotes)
            """
        ),
        Fault(
            "=",
            rest: "null",
            """
            1:1: "=" is no value (a string stands in double quotes)
            """
        ),
        Fault(
            "{:1, {}: 2, \"a\": 3}",
            rest: "{\"a\": 3}",
            """
            1:2: a key in double quotes should be here
            1:6: a key in double quotes should be here
            """
        ),
        Fault(
            "{\" \":  1}",
            rest: "{\"\\u00a0\": null}",
            """
            1:7: "\\u00a01" is no value (a string stands in double quotes)
            """
        ),
    ]
}
