import Foundation
import Media
import Testing

@testable import Codecs

/// Behaviours 19 to 21 of the facts.
@Suite struct FactoryHeaderTests {
    /// The samples another file of `bytes` would have, read with its whole path through the decoder.
    private func frames(_ bytes: [UInt8]) throws -> Int {
        let path = NSTemporaryDirectory() + "/factory-\(UUID().uuidString).wav"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = try MediaReader(path: path)
        var count = 0
        while let decoded = try reader.next() {
            if case .audio(let block, _) = decoded { count += block.frameCount }
        }
        return count
    }

    private func file(_ header: [UInt8], dataCount: Int) -> [UInt8] {
        header + (0..<dataCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    }

    @Test(arguments: [288_000, 144_000, 63_200, 316_000, 300_000, 0, 1001])
    func `samples go to the end of the file`(dataCount: Int) throws {
        let bytes = file(FactoryHeader.bytes, dataCount: dataCount)
        if dataCount > 0 { #expect(try frames(bytes) == dataCount / 2) }
        let mended = FactoryHeader.mended(bytes.span, fileLength: Int64(bytes.count))
        #expect((mended == nil) == (dataCount == 300_000))
    }

    @Test func `only that pattern`() throws {
        for place in [4, 22, 24, 25, 34, 40] {
            var header = FactoryHeader.bytes
            header[place] ^= 1
            let bytes = file(header, dataCount: 316_000)
            #expect(FactoryHeader.mended(bytes.span, fileLength: Int64(bytes.count)) == nil)
        }
    }
}
