import Foundation
import Media
import TestSupport
import Testing

@testable import Codecs

@Suite struct ICCProfileTests {
    @Test(arguments: [ColorInfo.Primaries.bt709, .displayP3])
    func `a profile is as its library reads it, and is found again`(primaries: ColorInfo.Primaries)
        throws
    {
        let profile = try #require(ICCProfile.bytes(for: primaries))
        #expect(profile.prefix(4).reduce(0) { $0 << 8 | Int($1) } == profile.count)
        #expect(ICCProfile.primaries(of: profile) == primaries)
        guard NewerHEIF.isInstalled else { return }
        let folder = try TemporaryFolder()
        try Data(profile).write(to: URL(filePath: folder.file("a.icc")))
        // LittleCMS turns sRGB's own colours into the profile's: of sRGB they stay.
        let said = try NewerHEIF.run(
            """
            from PIL import ImageCms
            own = ImageCms.getOpenProfile(sys.argv[1])
            i = Image.new('RGB', (3, 1))
            i.putdata([(255, 0, 0), (0, 255, 0), (255, 255, 255)])
            o = ImageCms.profileToProfile(i, ImageCms.createProfile('sRGB'), own)
            print(*[v for p in o.getdata() for v in p])
            """,
            folder.file("a.icc")
        )
        let values = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        // Of Display P3 as published: sRGB's red is (234, 51, 35), its green (117, 251, 76).
        let expected =
            primaries == .bt709
            ? [255, 0, 0, 0, 255, 0, 255, 255, 255] : [234, 51, 35, 117, 251, 76, 255, 255, 255]
        #expect(values.count == 9)
        let worst = zip(values, expected).map { abs($0 - $1) }.max() ?? 255
        #expect(worst <= 3, "\(values)")
    }

    @Test func `other spaces have none, and what is no profile tells nothing`() {
        #expect(ICCProfile.bytes(for: .bt2020) == nil)
        let profile = ICCProfile.bytes(for: .displayP3) ?? []
        for length in profile.indices {
            _ = ICCProfile.primaries(of: Array(profile.prefix(length)))
        }
        var odd = profile
        odd[128] = 0xFF
        _ = ICCProfile.primaries(of: odd)
        #expect(ICCProfile.primaries(of: []) == nil)
    }
}
