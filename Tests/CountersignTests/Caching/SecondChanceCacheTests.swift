import Testing

@testable import Countersign

@Suite("A cache that gives what was used a second chance")
struct SecondChanceCacheTests {
    private var cache = SecondChanceCache<Int, String>(capacity: 3)

    @Test mutating func `displaces what was not used, one value for each new one`() {
        for number in 1...3 { #expect(cache.put("\(number)", for: number)?.value == nil) }
        #expect(cache.use(1) == "1")
        #expect(cache.put("4", for: 4)?.value == "2")
        #expect(cache.peek(1) == "1")
        #expect(cache.put("5", for: 5)?.value == "3")
        #expect(cache.put("6", for: 6)?.value == "1", "its second chance is over")
        #expect(cache.count == 3)
    }

    @Test mutating func `displaces the oldest when all were used`() {
        for number in 1...3 { cache.put("\(number)", for: number) }
        for number in 1...3 { _ = cache.use(number) }
        #expect(cache.put("4", for: 4)?.value == "1")
        #expect(cache.peek(2) == "2")
    }

    @Test mutating func `replaces the value of a key, which counts as a use`() {
        for number in 1...3 { cache.put("\(number)", for: number) }
        #expect(cache.put("one", for: 1)?.value == nil)
        #expect(cache.count == 3)
        #expect(cache.put("4", for: 4)?.value == "2")
        #expect(cache.use(1) == "one")
    }

    @Test mutating func `looks without counting a use`() {
        for number in 1...3 { cache.put("\(number)", for: number) }
        #expect(cache.peek(1) == "1")
        #expect(cache.put("4", for: 4)?.value == "1")
        #expect(cache.peek(1) == nil)
    }

    @Test mutating func `fills the place of what was removed before it displaces anything`() {
        for number in 1...3 { cache.put("\(number)", for: number) }
        cache.remove(2)
        cache.remove(2)
        #expect(cache.count == 2)
        #expect(cache.use(2) == nil)
        #expect(cache.put("4", for: 4)?.value == nil)
        #expect(cache.put("5", for: 5)?.value == "1")
    }

    @Test mutating func `is empty after everything was removed, and takes as many again`() {
        for number in 1...3 { cache.put("\(number)", for: number) }
        cache.removeAll()
        #expect(cache.count == 0)
        for number in 4...6 { #expect(cache.put("\(number)", for: number)?.value == nil) }
        #expect(cache.count == 3)
    }

    @Test mutating func `never holds more than its capacity, and always what was put last`() {
        var state: UInt32 = 1
        for step in 0..<10_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            let key = Int(state >> 24) % 7
            switch (state >> 16) % 4 {
            case 0: cache.remove(key)
            case 1: #expect(cache.use(key).map { $0.hasPrefix("\(key) ") } ?? true)
            default:
                cache.put("\(key) \(step)", for: key)
                #expect(cache.peek(key) == "\(key) \(step)")
            }
            #expect(cache.count <= 3)
        }
    }
}
