import Testing

@testable import CountersignHTTP

@Suite("What goes on at a connection")
struct HTTPConnectionStateTests {
    @Test func `is reading, then answering, then neither`() {
        var conduct = HTTPConnectionState()
        #expect(!conduct.isReading && !conduct.isAnswering)
        conduct.begin(isLast: false)
        #expect(conduct.isReading && !conduct.isAnswering)
        expect(conduct.finishReading(), false)
        #expect(!conduct.isReading && conduct.isAnswering)
        expect(conduct.beginAnswer(), false)
        expect(conduct.finishAnswer(), false)
        #expect(!conduct.isReading && !conduct.isAnswering)
        #expect(!conduct.hasAnsweredAll)
    }

    @Test func `ends after the request that says it is the last`() {
        var conduct = HTTPConnectionState()
        conduct.begin(isLast: false)
        expect(conduct.finishReading(), false)
        conduct.begin(isLast: true)
        expect(conduct.finishReading(), false)
        expect(conduct.beginAnswer(), false)
        expect(conduct.finishAnswer(), false)
        expect(conduct.beginAnswer(), true)
        expect(conduct.finishAnswer(), true)
        #expect(conduct.hasAnsweredAll)
    }

    @Test func `ends with a request that was answered before it was read, once its rest has come`() {
        var conduct = HTTPConnectionState()
        conduct.begin(isLast: false)
        expect(conduct.beginAnswer(), true)
        expect(conduct.finishAnswer(), false)
        #expect(conduct.hasAnsweredAll)
        expect(conduct.read(10), 10)
        expect(conduct.finishReading(), true)
    }

    @Test func `goes on when a pipelined request is still coming while an earlier one is answered`() {
        var conduct = HTTPConnectionState()
        conduct.begin(isLast: false)
        expect(conduct.finishReading(), false)
        conduct.begin(isLast: false)
        expect(conduct.beginAnswer(), false)
        expect(conduct.finishAnswer(), false)
        #expect(conduct.isReading && !conduct.isAnswering)
        #expect(!conduct.hasAnsweredAll)
    }

    @Test func `ends with the next answer when it is to end, unless another request has begun`() {
        var conduct = HTTPConnectionState()
        conduct.begin(isLast: false)
        expect(conduct.finishReading(), false)
        conduct.begin(isLast: false)
        expect(conduct.beginAnswer(isEnding: true), false)
        expect(conduct.finishAnswer(), false)
        expect(conduct.finishReading(), false)
        expect(conduct.beginAnswer(isEnding: true), true)
        expect(conduct.finishAnswer(), true)
        #expect(conduct.hasAnsweredAll)
    }

    @Test func `counts the bytes of each body by itself`() {
        var conduct = HTTPConnectionState()
        conduct.begin(isLast: false)
        expect(conduct.read(10), 10)
        expect(conduct.read(5), 15)
        expect(conduct.finishReading(), false)
        conduct.begin(isLast: false)
        expect(conduct.read(1), 1)
    }

    /// Outside of the macro, which takes no call that changes something.
    private func expect<Value: Equatable>(
        _ value: Value,
        _ expected: Value,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: sourceLocation)
    }
}
