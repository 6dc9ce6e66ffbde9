import Countersign
import CountersignWire
import Crypto
import Foundation
import Testing

@testable import CountersignServer

/// Standard: RFC 9449 §8.
@Suite("The nonces of a server")
struct DPoPNoncesTests {
    let nonces = DPoPNonces(derivedFrom: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
    let now = Date(timeIntervalSince1970: 1_800_000_000.25)

    @Test func `say when they were given`() {
        #expect(nonces.made(nonces.nonce(at: now), at: now) == now)
    }

    @Test(arguments: [(-30.5, false), (-29.5, true), (299, true), (300.5, false)])
    func `are valid for five minutes, and a little before their time`(age: Double, isValid: Bool) {
        #expect((nonces.made(nonces.nonce(at: now), at: now + age) != nil) == isValid)
    }

    @Test func `are the same at all nodes, and not at other servers`() {
        let node = DPoPNonces(derivedFrom: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let other = DPoPNonces(derivedFrom: SymmetricKey(data: [UInt8](repeating: 2, count: 32)))
        #expect(node.made(nonces.nonce(at: now), at: now) != nil)
        #expect(other.made(nonces.nonce(at: now), at: now) == nil)
    }

    @Test(arguments: ["", "a", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "////////////////////////////////"])
    func `are no other texts`(text: String) {
        #expect(nonces.made(DPoPNonce(text), at: now) == nil)
    }

    @Test(arguments: [-1e15, -1, 0, 1e15])
    func `exist at every time`(seconds: Double) {
        let then = Date(timeIntervalSince1970: seconds)
        #expect(nonces.made(nonces.nonce(at: then), at: then) != nil)
    }
}
