import Testing

@testable import CountersignHTTP

@Suite("The bytes of requests at a connection")
struct RequestBytesTests {
    private var bytes = RequestBytes()

    @Test mutating func `are those of a head that does not end, twice`() {
        for _ in 0..<31 { bytes.receive(1_000) }
        #expect(bytes.memory(open: 0) == 62_000)
    }

    @Test mutating func `are never more than those that are kept`() {
        for _ in 0..<1_000 { bytes.receive(16_384) }
        #expect(bytes.memory(open: 1) == MemoryCost.copies * MemoryCost.longestRequest)
    }

    @Test mutating func `are few after small requests, however many there were`() {
        for _ in 0..<10_000 {
            bytes.receive(600)
            bytes.finishRequest()
            bytes.finishAnswer(of: 1)
        }
        #expect(bytes.memory(open: 0) < MemoryCost.grain)
    }

    @Test mutating func `are few where there is always one more request on its way`() {
        bytes.receive(600)
        bytes.finishRequest()
        for _ in 0..<10_000 {
            bytes.receive(600)
            bytes.finishRequest()
            bytes.finishAnswer(of: 2)
        }
        #expect(bytes.memory(open: 1) < MemoryCost.grain)
    }

    @Test mutating func `are those of a whole request until it is answered`() {
        for _ in 0..<4 { bytes.receive(10_000) }
        bytes.finishRequest()
        #expect(bytes.memory(open: 1) == 80_000)
        bytes.finishAnswer(of: 1)
        // The last read may hold the beginning of another request.
        #expect(bytes.memory(open: 0) == 20_000)
    }

    @Test mutating func `are more for each request that waits behind another`() {
        bytes.receive(16_000)
        for _ in 0..<600 { bytes.finishRequest() }
        #expect(bytes.memory(open: 600) == 32_000 + 599 * MemoryCost.queuedRequest)
    }
}
