import Countersign
import Foundation
import Testing

@Suite("The memory of messages that were used")
struct ReplayMemoryTests {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private func message(_ number: Int) -> SecretDigest { SecretDigest(of: "message \(number)") }

    @Test func `knows a message that was used`() {
        var memory = ReplayMemory(capacity: 10)
        #expect(memory.use(message(1), made: noon, at: noon) == .new)
        #expect(memory.use(message(1), made: noon, at: noon + 1) == .used)
        #expect(memory.use(message(2), made: noon, at: noon + 1) == .new)
    }

    @Test func `is bounded, and refuses what it may have forgotten`() {
        var memory = ReplayMemory(capacity: 10)
        for number in 0..<1000 {
            let now = noon + Double(number)
            #expect(memory.use(message(number), made: now, at: now) == .new)
            #expect(memory.count <= 20)
        }
        for number in 0..<1000 {
            #expect(memory.use(message(number), made: noon + Double(number), at: noon + 1000) != .new)
        }
        #expect(memory.use(message(1000), made: noon, at: noon + 1000) == .tooOld)
        #expect(memory.use(message(1000), made: noon + 999.5, at: noon + 1000) == .new)
    }

    @Test func `works on after the clock was set back`() {
        var memory = ReplayMemory(capacity: 2)
        for number in 0..<10 { _ = memory.use(message(number), made: noon, at: noon) }
        let earlier = noon - 3600
        #expect(memory.use(message(11), made: earlier + 1, at: earlier + 1) != .used)
        #expect(memory.use(message(12), made: earlier + 3, at: earlier + 2) == .new)
        #expect(memory.use(message(12), made: earlier + 3, at: earlier + 2) == .used)
    }
}
