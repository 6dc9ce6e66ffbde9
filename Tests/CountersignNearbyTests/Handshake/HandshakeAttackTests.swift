import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

@Suite("A handshake under attack")
struct HandshakeAttackTests {
    private let random = SeededRandom(seed: 7).source

    @Test func `fails with any bit of its frames flipped`() throws {
        for frame in 1...3 {
            let length = [103, 99, 64][frame - 1]
            // Each byte, one of its bits: which one, goes round.
            for place in 0..<length {
                let flip: (Int, [UInt8]) -> [UInt8] = { number, bytes in
                    guard number == frame else { return bytes }
                    var bytes = bytes
                    bytes[place] ^= 1 << UInt8(place % 8)
                    return bytes
                }
                #expect(!succeeds(flip), "frame \(frame), byte \(place)")
            }
        }
    }

    @Test func `fails with every bit of the sealed keys flipped`() throws {
        for bit in 0..<64 * 8 {
            #expect(
                !succeeds { number, bytes in
                    guard number == 3 else { return bytes }
                    var bytes = bytes
                    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                    return bytes
                })
        }
    }

    @Test(arguments: LowOrderPoint.all)
    func `refuses keys with which every secret has the same result`(point: [UInt8]) throws {
        let pair = LinkKeyPair(drawingFrom: random)
        let key = try #require(LinkPublicKey(point))
        #expect(throws: HandshakeError.lowOrderKey) { try pair.agreement(with: key) }
        // In place of each end's ephemeral key. Static ones are sealed: whoever has such a one is refused by the same
        // line.
        #expect(!succeeds { number, bytes in number == 1 ? Array(bytes[..<7]) + point + bytes[39...] : bytes })
        #expect(!succeeds { number, bytes in number == 2 ? [1] + point + bytes[33...] : bytes })
    }

    @Test func `refuses a static key of low order, and its own`() throws {
        let prologue: [UInt8] = [1]
        let own = LinkKeyPair(drawingFrom: random)
        let first = try NoiseInitiator(prologue: prologue, ephemeral: LinkKeyPair(drawingFrom: random), payload: [])
        let second = try NoiseResponder(prologue: prologue, message: first.message)
            .answer(ephemeral: LinkKeyPair(drawingFrom: random), own: own, payload: [])
        let greeted = try first.read(second.message)
        #expect(throws: HandshakeError.ownKey) { try greeted.finish(with: own) }
        let other = LinkKeyPair(drawingFrom: random)
        #expect(throws: Never.self) { try greeted.finish(with: other) }
    }

    @Test(arguments: ["net.example_player", "net.example.Player", "net.example.player ", "net.example"])
    func `fails between two apps`(app: String) throws {
        let other = try #require(NearbyAppID(app))
        #expect(!succeeds(approver: other) { $1 })
    }

    @Test func `tells a requester of another version so, in clear`() throws {
        let two = LinkVersion(2)
        let both = try #require(LinkVersions([.first, two]))
        // A newer requester that begins with its highest.
        let new = try RequesterHandshake(app: Fixture.app(), version: two, of: both, pairings: [], drawingFrom: random)
        let old = ApproverHandshake(app: try Fixture.app(), versions: .ours)
        guard case .refused(let refusal) = try old.read(new.frame) else {
            Issue.record("a version that is not for both was taken")
            return
        }
        #expect(Hex.text(refusal.frame) == "00050101")
        guard case .refused(.version, let versions) = try new.read(refusal.frame) else {
            Issue.record("the refusal was not understood")
            return
        }
        #expect(both.highest(sharedWith: versions) == .first)
        // It begins again with the one for both.
        let again = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: both, pairings: [], drawingFrom: random)
        guard case .greeted = try old.read(again.frame) else {
            Issue.record("the version for both was refused")
            return
        }
    }

    @Test func `refuses the lower of two versions that both know, on either side`() throws {
        let two = LinkVersion(2)
        let both = try #require(LinkVersions([.first, two]))
        let lowered = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: both, pairings: [], drawingFrom: random)
        guard case .refused(let refusal) = try ApproverHandshake(app: Fixture.app(), versions: both).read(lowered.frame)
        else {
            Issue.record("a lower version was taken")
            return
        }
        #expect(refusal.reason == .version)
    }

    @Test func `fails when the offer is shortened or changed on its way`() throws {
        let both = try #require(LinkVersions([.first, LinkVersion(2)]))
        let requester = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: both, pairings: [], drawingFrom: random)
        let shortened = Array("CSNB".utf8) + [1, 1, 1] + requester.frame.dropFirst(8)
        let approver = ApproverHandshake(app: try Fixture.app(), versions: .ours)
        let greeted = try #require(approver.read(shortened).greeted)
        let answer = try greeted.answer(as: nil, drawingFrom: random)
        #expect(throws: HandshakeError.notAuthentic) { try requester.read(answer.frame) }
    }

    @Test func `refuses a hello that says nothing, too much, or the same twice`() throws {
        let approver = ApproverHandshake(app: try Fixture.app(), versions: .ours)
        let rest = [UInt8](repeating: 9, count: 96)
        for hello: [UInt8] in [
            [1, 0], [1, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 1, 1], [1, 2, 2, 1], [2, 1, 1], [1],
        ] {
            #expect(throws: HandshakeError.malformed) { try approver.read(Array("CSNB".utf8) + hello + rest) }
        }
        #expect(throws: HandshakeError.malformed) { try approver.read(Array("CSNX".utf8) + [1, 1, 1] + rest) }
        for count in [0, 95, 97, 1_000] {
            let frame = Array("CSNB".utf8) + [1, 1, 1] + [UInt8](repeating: 9, count: count)
            #expect(throws: HandshakeError.malformed) { try approver.read(frame) }
        }
    }

    @Test func `gains nothing from a connection that was recorded`() throws {
        let requester = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: [], drawingFrom: random)
        let approver = ApproverHandshake(app: try Fixture.app(), versions: .ours)
        let opened = try #require(approver.read(requester.frame).greeted)
        let recorded = try opened.answer(as: nil, drawingFrom: random)
        let greeted = try #require(requester.read(recorded.frame).greeted)
        let (third, _) = try greeted.finish()
        #expect(throws: Never.self) { try recorded.read(third) }

        // The whole recording, to the same approver: it answers with other keys.
        let replayed = try #require(approver.read(requester.frame).greeted)
        let answer = try replayed.answer(as: nil, drawingFrom: random)
        #expect(answer.frame != recorded.frame)
        #expect(throws: HandshakeError.notAuthentic) { try answer.read(third) }
        // And to another requester.
        let other = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: [], drawingFrom: random)
        #expect(throws: HandshakeError.notAuthentic) { try other.read(recorded.frame) }
    }

    @Test func `fails when frames come back to their sender`() throws {
        let requester = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: [], drawingFrom: random)
        #expect(throws: HandshakeError.self) { try requester.read(requester.frame) }
        #expect(throws: HandshakeError.self) { try requester.read([1] + requester.frame.suffix(98)) }
        var (ours, theirs) = try LinkPair.handshake(drawingFrom: random)
        let sealed = try ours.session.seal([0x0E])
        #expect(throws: HandshakeError.notAuthentic) { try ours.session.open(sealed) }
        #expect(try theirs.session.open(sealed) == [0x0E])
        #expect(throws: HandshakeError.notAuthentic, "a message counts once") { try theirs.session.open(sealed) }
    }

    @Test func `shows strangers no key and no hint twice`() throws {
        let pairings = try Fixture.pairings(drawingFrom: random)
        var seen: Set<[UInt8]> = []
        for _ in 0..<20 {
            let requester = try RequesterHandshake(
                app: Fixture.app(), version: .first, of: .ours, pairings: [pairings.requester], drawingFrom: random)
            let payload = Array(requester.frame.suffix(64))
            for hint in stride(from: 0, to: 64, by: 8) {
                #expect(seen.insert(Array(payload[hint..<hint + 8])).inserted)
            }
            let opened = try #require(
                ApproverHandshake(app: Fixture.app(), versions: .ours).read(
                    requester.frame
                ).greeted)
            let answer = try opened.answer(as: nil, drawingFrom: random)
            let greeted = try #require(requester.read(answer.frame).greeted)
            let (third, ours) = try greeted.finish()
            #expect(seen.insert(ours.session.peer.bytes).inserted)
            #expect(seen.insert(try answer.read(third).session.peer.bytes).inserted)
        }
    }

    /// Whether both ends agree, when each frame is what `change` makes of it.
    private func succeeds(approver app: NearbyAppID? = nil, _ change: (Int, [UInt8]) -> [UInt8]) -> Bool {
        do {
            let requester = try RequesterHandshake(
                app: Fixture.app(), version: .first, of: .ours, pairings: [], drawingFrom: random)
            let approver = ApproverHandshake(app: try app ?? Fixture.app(), versions: .ours)
            guard case .greeted(let opened) = try approver.read(change(1, requester.frame)) else { return false }
            let answered = try opened.answer(as: nil, drawingFrom: random)
            guard case .greeted(let greeted) = try requester.read(change(2, answered.frame)) else { return false }
            let (third, link) = try greeted.finish()
            return try answered.read(change(3, third)).hash == link.hash
        } catch {
            return false
        }
    }
}

/// The points of small order of Curve25519 and its twist, in every spelling: the highest bit of a key does not count.
///
/// Source: cr.yp.to/ecdh, "Validation"; RFC 7748 §5. The list there has five numbers more, for software that takes the
/// highest bit for part of the number; by RFC 7748 they are ordinary keys.
enum LowOrderPoint {
    private static let plain = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ].map { Hex.bytes($0) }

    static let all = plain + plain.map { $0.dropLast() + [($0.last ?? 0) | 0x80] }
}
