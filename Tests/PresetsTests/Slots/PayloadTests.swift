import Graph
import Physarum
import TestSupport
import Testing

@testable import Presets

@Suite struct PayloadTests {
    private func read(_ text: String) -> PresetSlots.PayloadReading {
        PresetSlots.read(Array(text.utf8), file: "s.json")
    }

    @Test(arguments: 0..<50)
    func `slots become a payload and the same slots again`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var slots = PresetSlots()
        for step in 0..<Int.random(in: 0..<60, using: &random) {
            let id = slot(Int.random(in: 0..<24, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: slots.clear(id)
            case 1: try? slots.pin(id)
            case 2: slots.unpin(id)
            case 3:
                slots.seed(factory(Int.random(in: 1..<9, using: &random), count: 12, pinned: [3]))
            default:
                slots.overwrite(
                    id,
                    with: preset("P\(step)", speed: .random(in: 0...8, using: &random))
                )
            }
        }
        if Bool.random(using: &random) { _ = try slots.migrate([preset("M")]) }
        let payload = slots.payload
        let found = read(JSON.pretty(payload))
        #expect(found.problems.isEmpty)
        #expect(found.slots == slots)
        #expect(found.slots?.payload == payload)
    }

    @Test func `what a payload says beyond that is kept`() throws {
        let text = #"""
            {"foxfire": 1, "seedVersion": 2, "hasMigrated": true, "pinnedSlotIDs": ["slot-07"],
             "slots": [{"index": 7, "userOwned": true,
                        "preset": {"id": "slot-07", "name": "A", "params": {"decay": 0.10}, "x": 1},
                        "seen": [1.50]}],
             "theme": "dark"}
            """#
        let slots = try #require(read(text).slots)
        let json = try #require(JSONReader.read(Array(text.utf8)).value)
        #expect(slots.payload == json.unplaced.value)
    }

    private static let good = #"{"name": "A", "params": {}}"#

    @Test(
        arguments: [
            ("{\"index\": 24, \"preset\": \(good)}", "from 0 to 23, not 24", []),
            ("{\"index\": -1, \"preset\": \(good)}", "from 0 to 23, not -1", []),
            ("{\"preset\": \(good)}", "\"index\" is missing", []),
            ("{\"index\": 2, \"preset\": \(good)}", "slot 2 is there already", []),
            ("{\"index\": 5, \"preset\": {\"name\": \"A\"}}", "\"params\" is missing", [5]),
            (
                "{\"index\": 5, \"preset\": {\"id\": \"slot-06\", \"name\": \"A\", \"params\": {}}}",
                "must be \"slot-05\"", [5]
            ),
            ("7", "must be an object", []),
        ] as [(String, String, [Int])]
    )
    func `a wrong slot is told and left out, and the others are read`(
        entry: String,
        words: String,
        unreadable: [Int]
    ) throws {
        let text = """
            {"foxfire": 1, "slots": [{"index": 2, "userOwned": true, "preset": \(Self.good)}, \(entry)]}
            """
        let reading = read(text)
        let slots = try #require(reading.slots)
        #expect(slots.summary == "2:A")
        #expect(reading.problems.count == 1)
        #expect(reading.problems.first?.text.contains(words) == true, "\(reading.problems)")
        #expect(SlotID.all.filter { slots[$0].isUnreadable }.map(\.index) == unreadable)
    }

    @Test(
        arguments: [
            ("", false), ("{", false), ("[]", false), ("{}", false), ("{\"foxfire\": 1}", false),
            ("{\"foxfire\": 2, \"slots\": []}", true),
            ("{\"foxfire\": \"x\", \"slots\": []}", false),
            ("{\"foxfire\": 1, \"slots\": {}}", false),
        ]
    )
    func `what is no payload, or a newer one, gives no slots`(text: String, isNewer: Bool) {
        let reading = read(text)
        #expect(reading.slots == nil)
        #expect(!reading.problems.isEmpty)
        #expect(reading.isNewer == isNewer)
    }

    @Test func `a slot that cannot be read is not seeded and not taken for empty`() throws {
        var slots = try #require(
            read("{\"foxfire\": 1, \"slots\": [{\"index\": 0, \"preset\": 3}]}").slots
        )
        slots.seed(factory(1, count: 2))
        #expect(slots.summary == "1:F1")
        #expect(slots.firstEmpty == slot(2))
        slots.overwrite(slot(0), with: preset("A"))
        #expect(!slots[slot(0)].isUnreadable)
    }
}
