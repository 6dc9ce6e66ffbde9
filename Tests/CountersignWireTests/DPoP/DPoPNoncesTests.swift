import Countersign
import CountersignWire
import Foundation
import Testing

/// Standard: RFC 9449 §8.
@Suite("The nonces of a server")
struct DPoPNoncesTests {
    let nonces: DPoPNonces

    init() throws { nonces = try Self.nonces(sharing: 1) }

    private static func nonces(sharing byte: UInt8) throws -> DPoPNonces {
        try #require(DPoPNonces(sharing: [UInt8](repeating: byte, count: 16)))
    }

    let now = Date(timeIntervalSince1970: 1_800_000_000.25)

    @Test func `say when they were given`() {
        #expect(nonces.made(nonces.nonce(at: now), at: now) == now)
    }

    @Test(arguments: [(-30.5, false), (-29.5, true), (299, true), (300.5, false)])
    func `are valid for five minutes, and a little before their time`(age: Double, isValid: Bool) {
        #expect((nonces.made(nonces.nonce(at: now), at: now + age) != nil) == isValid)
    }

    @Test func `are the same at all nodes, and not at other servers`() throws {
        let (node, other) = (try Self.nonces(sharing: 1), try Self.nonces(sharing: 2))
        #expect(node.made(nonces.nonce(at: now), at: now) != nil)
        #expect(other.made(nonces.nonce(at: now), at: now) == nil)
        #expect(DPoPNonces(drawingFrom: .system).made(nonces.nonce(at: now), at: now) == nil)
        #expect(DPoPNonces(sharing: [UInt8](repeating: 1, count: 15)) == nil)
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
