import Media
import Testing

@testable import Batch

/// What a part is called, on the command line and in state folders.
@Suite struct FilmPartTests {
    @Test func whatIsWrittenIsReadAgain() throws {
        let length = try #require(splitLength("1:30.25"))
        for part in FilmPart.all(4, length: length, folder: "a folder/with spaces") {
            #expect(FilmPart("\(part)") == part)
        }
        let part = try #require(FilmPart("pictures 3/10 60s parts"))
        #expect(part.title == "part 3 of 10")
        #expect(part.end(3) == MediaTime(180, 1))
    }

    @Test(
        arguments: [
            "", "film", "pictures 3/10 60s", "pictures 11/10 60s f", "pictures 0/10 60s f",
            "state 10/10 60s f", "track 2/10 60s f", "film 1/1 60s f", "sound 1/2 60s f",
            "pictures 1/2 0s f", "pictures 1/2 -5s f", "pictures 1/2 48samples f",
            "pictures 1/99999999999999999999 60s f", "pictures x/2 60s f", "pictures 1/2/3 60s f",
        ]
    )
    func nonsenseIsNoPart(_ text: String) { #expect(FilmPart(text) == nil) }

    @Test func aFilmThatIsJoinedHasTheIDOfTheFilmMadeAtOnce() throws {
        let parts = FilmPart.all(3, length: MediaTime(60, 1), folder: "f")
        let values = ["input": "a.ogg"]
        let ids = parts.map { JobID(graph: "film", values: values, part: $0) }
        #expect(Set(ids).count == parts.count)
        #expect(ids.last == JobID(graph: "film", values: values))
    }
}
