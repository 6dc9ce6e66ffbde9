import Testing

@testable import CountersignSQLite

@Suite("The writer's pacing")
struct WriterPacingTests {
    private let start = ContinuousClock.now

    @Test func `lets a busy writer rest after its longest turn, and then again`() {
        var pacing = WriterPacing()
        var rests: [Int] = []
        for millisecond in 0..<1000 {
            if pacing.mustRest(at: start + .milliseconds(millisecond)) { rests.append(millisecond) }
            pacing.committed(at: start + .milliseconds(millisecond))
        }
        #expect(rests == [250, 501, 752])
    }

    @Test func `lets a writer that pauses by itself go on`() {
        var pacing = WriterPacing()
        for turn in 0..<100 {
            let rests = pacing.mustRest(at: start + .milliseconds(10 * turn))
            #expect(!rests)
            pacing.committed(at: start + .milliseconds(10 * turn + 2))
        }
    }

    @Test func `rests longer than a waiting process waits between two attempts`() {
        #expect(WriterPacing.rest > WriterPacing.retryDelay * 2)
        #expect(WriterPacing.retryDelay * WriterPacing.attempts == .seconds(5))
    }
}
