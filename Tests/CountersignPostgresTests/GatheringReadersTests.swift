#if PostgreSQL
import Testing

@testable import CountersignPostgres

@Suite("Readers that answer groups")
struct GatheringReadersTests {
    private let start = ContinuousClock.now

    @Test func `answer soon what arrives meanwhile, as long as little waits`() {
        var readers = GatheringReaders()
        #expect(!readers.answerSoon(behind: 0, at: start))
        readers.begin(at: start)
        #expect(readers.answerSoon(behind: 0, at: start))
        #expect(readers.answerSoon(behind: GatheringReaders.mostWaiting - 1, at: start))
        #expect(!readers.answerSoon(behind: GatheringReaders.mostWaiting, at: start))
        readers.begin(at: start)
        #expect(readers.answerSoon(behind: GatheringReaders.mostWaiting, at: start))
        readers.end()
        #expect(!readers.answerSoon(behind: GatheringReaders.mostWaiting, at: start))
        readers.end()
        #expect(!readers.answerSoon(behind: 0, at: start))
    }

    @Test func `are not waited for when none took a group for a while`() {
        var readers = GatheringReaders()
        readers.begin(at: start)
        let late = start + GatheringReaders.longestGroup
        #expect(!readers.answerSoon(behind: 0, at: late))
        readers.begin(at: late)
        #expect(readers.answerSoon(behind: 0, at: late))
    }
}
#endif
