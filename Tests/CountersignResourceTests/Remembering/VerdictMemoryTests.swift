import Countersign
import CountersignTesting
import Testing

@testable import CountersignResource

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("A memory of verdicts")
struct VerdictMemoryTests {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    let token = SecretDigest(of: "a-token")
    let refused = TokenVerdict.notGood(because: "a test")

    private func good(until expires: Date? = nil) -> TokenVerdict {
        .good(TokenFacts(client: ClientID("tv"), expires: expires))
    }

    @Test(arguments: [(0, true), (59.9, true), (60, false), (-1, false)] as [(TimeInterval, Bool)])
    func `tells what a good token is worth for a minute`(after: TimeInterval, told: Bool) {
        var memory = VerdictMemory(MemoryLimits())
        memory.remember(good(), of: token, asked: noon)
        #expect(memory.recall(token, at: noon + after) == (told ? good() : nil))
    }

    @Test(arguments: [(4.9, true), (5, false)] as [(TimeInterval, Bool)])
    func `refuses one that is not good for some seconds`(after: TimeInterval, told: Bool) {
        var memory = VerdictMemory(MemoryLimits())
        memory.remember(refused, of: token, asked: noon)
        #expect(memory.recall(token, at: noon + after) == (told ? refused : nil))
    }

    @Test func `never tells anything beyond the token's own end`() {
        var memory = VerdictMemory(MemoryLimits())
        memory.remember(good(until: noon + 7), of: token, asked: noon)
        #expect(memory.recall(token, at: noon + 6.9) != nil)
        #expect(memory.recall(token, at: noon + 7) == nil)
        memory.remember(good(until: noon - 1), of: token, asked: noon)
        #expect(memory.recall(token, at: noon) == nil)
    }

    @Test func `does not live on by being asked`() {
        var memory = VerdictMemory(MemoryLimits())
        memory.remember(good(), of: token, asked: noon)
        for second in 0..<60 { #expect(memory.recall(token, at: noon + TimeInterval(second)) != nil) }
        #expect(memory.recall(token, at: noon + 60) == nil)
    }

    @Test func `has a bound`() {
        var limits = MemoryLimits()
        limits.capacity = 10
        var memory = VerdictMemory(limits)
        for number in 0..<1000 {
            memory.remember(good(), of: SecretDigest(of: "good-\(number)"), asked: noon)
            memory.remember(refused, of: SecretDigest(of: "refused-\(number)"), asked: noon)
            #expect(memory.count <= 20)
        }
        #expect(memory.recall(SecretDigest(of: "good-999"), at: noon) != nil)
    }

    @Test func `keeps good tokens while somebody makes up others`() {
        var limits = MemoryLimits()
        limits.capacity = 10
        var memory = VerdictMemory(limits)
        memory.remember(good(), of: token, asked: noon)
        for number in 0..<1000 { memory.remember(refused, of: SecretDigest(of: "made-up-\(number)"), asked: noon) }
        #expect(memory.recall(token, at: noon + 1) == good())
    }

    @Test func `can be told to keep nothing`() {
        var limits = MemoryLimits()
        limits.good = 0
        limits.notGood = 0
        var memory = VerdictMemory(limits)
        memory.remember(good(), of: token, asked: noon)
        #expect(memory.recall(token, at: noon) == nil)
        #expect(memory.count == 0)
    }
}
