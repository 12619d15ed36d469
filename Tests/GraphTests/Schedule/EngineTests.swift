import Foundation
import Media
import Testing

@testable import Graph

@Suite struct EngineTests {
    private func unique(_ name: String) -> String { "\(name)-\(UUID().uuidString)" }

    @Test(arguments: [1, 3, 64])
    func `no edge holds more than its capacity and one activation's output`(
        capacity: Int
    ) throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("500")])
        graph.add("burst", PassNode.self, ["copies": .number("5")], from: [("in", "count", nil)])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "burst", nil)])
        var run = try SteppedRun(graph, capacity: capacity)
        run.run { state in
            #expect(state.edges[0].packets <= capacity)
            // One take emits five packets, and then the room is used up.
            #expect(state.edges[1].packets <= capacity + 4)
        }
        #expect(run.isFinished)
        #expect(Record.values(sink) == (0..<500).flatMap { [$0, $0, $0, $0, $0] } + [-1])
    }

    @Test func `an edge is bounded by bytes, but always holds a packet`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("50"), "size": .number("1000")])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "count", nil)])
        let core = EngineCore(
            graph.plan,
            RunOptions(threads: 1, capacity: 64, edgeBytes: 2500),
            executor: SerialExecutor()
        )
        try core.start()
        _ = core.shared.withLock { $0.state.begin(at: 0) }
        while core.step(worker: 0, { _ in }) != nil {
            #expect(core.shared.withLock { $0.state.edges[0].bytes } <= 3000)
        }
        #expect(Record.values(sink).count == 51)
    }

    @Test func `a slow and a fast reader get the same`() throws {
        let (slow, fast) = (unique("slow"), unique("fast"))
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("300")])
        graph.add(
            "slow",
            RecordSink.self,
            ["name": .string(slow), "packetsPerRun": .number("1")],
            from: [("in", "count", 1)]
        )
        graph.add("fast", RecordSink.self, ["name": .string(fast)], from: [("in", "count", nil)])
        var run = try SteppedRun(graph)
        run.run { state in #expect(state.edges[0].packets <= 2) }
        #expect(Record.values(slow) == Record.values(fast))
        #expect(Record.values(slow).count == 301)
    }

    @Test func `a diamond whose sides differ in pace is freed by relief`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("1000")])
        graph.add("all", PassNode.self, from: [("in", "count", 2)])
        graph.add("few", PassNode.self, ["every": .number("100")], from: [("in", "count", 2)])
        graph.add("join", JoinNode.self, from: [("in", "all", 2), ("in", "few", 2)])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "join", 2)])
        var run = try SteppedRun(graph)
        run.run()
        #expect(run.isFinished && run.failure == nil)
        let expected = (0..<1000).flatMap { $0 % 100 == 0 ? [$0, $0] : [$0] } + [-1]
        #expect(Record.values(sink) == expected)
        let reliefs = run.core.edgeStatistics().reduce(0) { $0 + $1.reliefs }
        #expect(reliefs > 0 && reliefs < 20)
    }

    @Test func `promises of time make relief needless`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("1000")])
        graph.add("all", PassNode.self, from: [("in", "count", 2)])
        graph.add(
            "few",
            PassNode.self,
            ["every": .number("100"), "advances": .boolean(true)],
            from: [("in", "count", 2)]
        )
        graph.add("join", JoinNode.self, from: [("in", "all", 8), ("in", "few", 2)])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "join", 2)])
        var run = try SteppedRun(graph)
        run.run()
        #expect(run.isFinished)
        #expect(run.core.edgeStatistics().allSatisfy { $0.reliefs == 0 })
        #expect(Record.values(sink).count == 1011)
    }

    @Test func `a knot is freed while another part of the graph runs on`() throws {
        let (sink, other) = (unique("sink"), unique("other"))
        var graph = TestGraph()
        graph.add("endless", CountSource.self, ["count": .number("-1")])
        graph.add(
            "other",
            RecordSink.self,
            ["name": .string(other), "enoughAfter": .number("200000")],
            from: [("in", "endless", nil)]
        )
        graph.add("count", CountSource.self, ["count": .number("200")])
        graph.add("all", PassNode.self, from: [("in", "count", 1)])
        graph.add("none", PassNode.self, ["every": .number("1000")], from: [("in", "count", 1)])
        graph.add("join", JoinNode.self, from: [("in", "all", 1), ("in", "none", 1)])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "join", 1)])
        var run = try SteppedRun(graph)
        var otherWasRunning = false
        run.run { state in
            if state.nodes[6].isDone, !state.nodes[1].isDone { otherWasRunning = true }
        }
        #expect(run.isFinished)
        #expect(otherWasRunning)
        #expect(Record.values(sink).count == 202)
    }

    @Test func `a starved input under a memory limit is a deadlock that names who waits for what`()
        throws
    {
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("-1"), "size": .number("1000")])
        graph.add("all", PassNode.self, from: [("in", "count", 2)])
        graph.add(
            "silent",
            PassNode.self,
            ["every": .number("200000000")],
            from: [("in", "count", 2)]
        )
        graph.add("join", JoinNode.self, from: [("in", "all", 2), ("in", "silent", 2)])
        graph.add("sink", RecordSink.self, ["name": .string("none")], from: [("in", "join", 2)])
        var run = try SteppedRun(graph, memoryLimit: 100_000)
        run.run()
        guard case .deadlock(let text) = run.failure else {
            Issue.record("no deadlock, but \(String(describing: run.failure))")
            return
        }
        #expect(text.contains("\"join\" waits for input on silent.out -> join.in"))
        #expect(text.contains("waits for room on"))
        #expect(text.contains("--memory-limit"))
    }

    @Test func `an endless source ends when its reader has enough`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("endless", CountSource.self, ["count": .number("-1")])
        graph.add("pass", PassNode.self, from: [("in", "endless", nil)])
        graph.add(
            "sink",
            RecordSink.self,
            ["name": .string(sink), "enoughAfter": .number("7")],
            from: [("in", "pass", nil)]
        )
        var run = try SteppedRun(graph)
        run.run(steps: 1000)
        #expect(run.isFinished)
        #expect(Record.values(sink) == [0, 1, 2, 3, 4, 5, 6, -1])
    }

    @Test func `a zip with an endless partner ends with the other`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("endless", CountSource.self, ["count": .number("-1")])
        graph.add("short", CountSource.self, ["count": .number("5"), "first": .number("3")])
        graph.add("zip", ZipNode.self, from: [("a", "endless", nil), ("b", "short", nil)])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "zip", nil)])
        var run = try SteppedRun(graph)
        run.run(steps: 1000)
        #expect(run.isFinished)
        #expect(Record.values(sink) == [3000, 4001, 5002, 6003, 7004, -1])
        #expect(run.core.nodeStatistics()[2].unmatched == 3)
    }

    @Test func `a held value is the latest at or before the other input's time`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("fast", CountSource.self, ["count": .number("10")])
        graph.add("slowSource", CountSource.self, ["count": .number("10"), "first": .number("2")])
        graph.add("slow", PassNode.self, ["every": .number("3")], from: [("in", "slowSource", 1)])
        graph.add("hold", HoldNode.self, from: [("a", "fast", 1), ("b", "slow", 1)])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "hold", 1)])
        var run = try SteppedRun(graph)
        run.run()
        #expect(run.isFinished)
        #expect(Record.values(sink) == [-1, -1, 0, 0, 0, 3, 3, 3, 6, 6, -1])
    }

    @Test func `a node that emits nothing ends its readers`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("100")])
        graph.add("none", PassNode.self, ["copies": .number("0")], from: [("in", "count", 1)])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "none", 1)])
        var run = try SteppedRun(graph)
        run.run()
        #expect(run.isFinished && Record.values(sink) == [-1])
    }

    @Test func `a format change finishes a filter and starts it again`() throws {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("6"), "changeAt": .number("4")])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "count", nil)])
        var run = try SteppedRun(graph)
        run.run()
        #expect(Record.values(sink) == [0, 1, 2, 3, -1, 4, 5, -1])
        #expect(Record.startedWith(sink) == ["count", "other"])
    }

    @Test func `a format other than resolved starts the node anew before its first packet`() throws
    {
        let sink = unique("sink")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("2"), "changeAt": .number("0")])
        graph.add("sink", RecordSink.self, ["name": .string(sink)], from: [("in", "count", nil)])
        var run = try SteppedRun(graph)
        run.run()
        #expect(Record.values(sink) == [0, 1, -1])
        #expect(Record.startedWith(sink) == ["count", "other"])
    }

    @Test func `a fixed input refuses a format change with both formats and the time`() throws {
        let path = NSTemporaryDirectory() + unique("fixed")
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("6"), "changeAt": .number("4")])
        graph.add("file", FileSink.self, ["path": .string(path)], from: [("in", "count", nil)])
        var run = try SteppedRun(graph)
        run.run()
        let text = "\(try #require(run.failure))"
        #expect(text.contains("\"file\" at 0:04.000, packet 4"))
        #expect(text.contains("from count to other"))
    }

    @Test func `an error in the middle leaves nothing under the final names`() throws {
        let folder = NSTemporaryDirectory() + unique("engine")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "old".write(toFile: folder + "/b", atomically: true, encoding: .utf8)
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("1000")])
        graph.add("bad", PassNode.self, ["failAt": .number("700")], from: [("in", "count", nil)])
        graph.add(
            "a",
            FileSink.self,
            ["path": .string(folder + "/a")],
            from: [("in", "count", nil)]
        )
        graph.add("b", FileSink.self, ["path": .string(folder + "/b")], from: [("in", "bad", nil)])
        let engine = Engine(graph.plan, RunOptions(threads: 2))
        let failure = #expect(throws: RunFailure.self) { try engine.run() }
        let text = failure.map { "\($0)" } ?? ""
        #expect(text == "node \"bad\" at 11:40.000: the test wants this failure")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["b"])
        #expect(try String(contentsOfFile: folder + "/b", encoding: .utf8) == "old")
    }

    @Test(arguments: [1, 2, 8], [1, 64]) func `results do not depend on threads or capacity`(
        threads: Int,
        capacity: Int
    ) throws {
        let folder = NSTemporaryDirectory() + unique("engine")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var graph = TestGraph()
        graph.add("count", CountSource.self, ["count": .number("3000")])
        graph.add("square", SquareNode.self, from: [("in", "count", nil)])
        graph.add("split", SplitNode.self, from: [("in", "square", nil)])
        graph.add("some", PassNode.self, ["every": .number("7")], from: [("in", "square", nil)])
        graph.add("join", JoinNode.self, from: [("in", "split", nil), ("in", "some", nil)])
        graph.add(
            "file",
            FileSink.self,
            ["path": .string(folder + "/out")],
            from: [("in", "join", nil)]
        )
        let report = try Engine(
            graph.plan,
            RunOptions(threads: threads, capacity: capacity)
        ).run()
        var expected = ""
        for value in 0..<3000 {
            let square = value * value
            expected += "\(square * 499_500)\n"
            if square % 7 == 0 { expected += "\(square)\n" }
        }
        #expect(try String(contentsOfFile: folder + "/out", encoding: .utf8) == expected)
        #expect(report.outputs.map(\.path) == [folder + "/out"])
        #expect(report.outputs[0].bytes == Int64(expected.utf8.count))
        #expect(report.workers.count == threads + 1)
    }

    @Test func `cancel ends an endless graph and removes its output`() throws {
        let folder = NSTemporaryDirectory() + unique("engine")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var graph = TestGraph()
        graph.add("endless", CountSource.self, ["count": .number("-1")])
        graph.add(
            "file",
            FileSink.self,
            ["path": .string(folder + "/out")],
            from: [("in", "endless", 1)]
        )
        let engine = Engine(graph.plan, RunOptions(threads: 2))
        Thread.detachNewThread {
            usleep(20_000)
            engine.cancel()
        }
        let failure = #expect(throws: RunFailure.self) { try engine.run() }
        if case .cancelled = failure {} else { Issue.record("\(String(describing: failure))") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
}
