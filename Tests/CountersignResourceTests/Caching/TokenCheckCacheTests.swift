import Countersign
import CountersignTesting
import Testing

@testable import CountersignResource

import FoundationEssentialsCompat

@Suite("The cache of token checks")
struct TokenCheckCacheTests {
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    let token = SecretDigest(of: "a-token")
    let refused = TokenVerdict.notGood(because: "a test")

    private func good(until expires: Date? = nil) -> TokenVerdict {
        .good(TokenFacts(client: ClientID("tv"), expires: expires))
    }

    @Test(arguments: [(0, true), (59.9, true), (60, false), (-1, false)] as [(Double, Bool)])
    func `tells what a good token is worth for a minute`(after: Double, told: Bool) {
        var cache = TokenCheckCache(TokenCacheLimits())
        cache.put(good(), on: token, asked: noon)
        #expect(cache.verdict(on: token, at: noon + after) == (told ? good() : nil))
    }

    @Test(arguments: [(4.9, true), (5, false)] as [(Double, Bool)])
    func `refuses one that is not good for some seconds`(after: Double, told: Bool) {
        var cache = TokenCheckCache(TokenCacheLimits())
        cache.put(refused, on: token, asked: noon)
        #expect(cache.verdict(on: token, at: noon + after) == (told ? refused : nil))
    }

    @Test func `never tells anything beyond the token's own end`() {
        var cache = TokenCheckCache(TokenCacheLimits())
        cache.put(good(until: noon + 7), on: token, asked: noon)
        #expect(cache.verdict(on: token, at: noon + 6.9) != nil)
        #expect(cache.verdict(on: token, at: noon + 7) == nil)
        cache.put(good(until: noon - 1), on: token, asked: noon)
        #expect(cache.verdict(on: token, at: noon) == nil)
    }

    @Test func `does not live on by being asked`() {
        var cache = TokenCheckCache(TokenCacheLimits())
        cache.put(good(), on: token, asked: noon)
        for second in 0..<60 { #expect(cache.verdict(on: token, at: noon + Double(second)) != nil) }
        #expect(cache.verdict(on: token, at: noon + 60) == nil)
    }

    @Test func `has a bound`() {
        var limits = TokenCacheLimits()
        limits.capacity = 10
        var cache = TokenCheckCache(limits)
        for number in 0..<1000 {
            cache.put(good(), on: SecretDigest(of: "good-\(number)"), asked: noon)
            cache.put(refused, on: SecretDigest(of: "refused-\(number)"), asked: noon)
            #expect(cache.count <= 20)
        }
        #expect(cache.verdict(on: SecretDigest(of: "good-999"), at: noon) != nil)
    }

    @Test func `keeps good tokens while somebody makes up others`() {
        var limits = TokenCacheLimits()
        limits.capacity = 10
        var cache = TokenCheckCache(limits)
        cache.put(good(), on: token, asked: noon)
        for number in 0..<1000 { cache.put(refused, on: SecretDigest(of: "made-up-\(number)"), asked: noon) }
        #expect(cache.verdict(on: token, at: noon + 1) == good())
    }

    @Test func `can be told to keep nothing`() {
        var limits = TokenCacheLimits()
        limits.good = 0
        limits.notGood = 0
        var cache = TokenCheckCache(limits)
        cache.put(good(), on: token, asked: noon)
        #expect(cache.verdict(on: token, at: noon) == nil)
        #expect(cache.count == 0)
    }
}
