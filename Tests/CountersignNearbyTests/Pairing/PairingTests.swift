import Countersign
@testable import CountersignNearby
import CountersignTesting
import Foundation
import Testing

@Suite("A pairing")
struct PairingTests {
    private let random = SeededRandom(seed: 11).source

    @Test func `needs a code again when one side has forgotten it`() throws {
        let pairings = try Fixture.pairings(drawingFrom: random)
        for (isKnownAtTV, isKnownAtPhone) in [(true, false), (false, true), (true, true)] {
            let (ours, theirs) = try shake(
                requester: isKnownAtTV ? [pairings.requester] : [], approver: isKnownAtPhone ? [pairings.approver] : [])
            #expect((ours.pairing != nil) == (isKnownAtTV && isKnownAtPhone))
            #expect((theirs.pairing != nil) == (isKnownAtTV && isKnownAtPhone))
        }
    }

    @Test func `is not for somebody else with its hint`() throws {
        let pairings = try Fixture.pairings(drawingFrom: random)
        let requester = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: [pairings.requester], drawingFrom: random)
        let opened = try #require(ApproverHandshake(app: Fixture.app(), versions: .ours).read(requester.frame).greeted)
        let answered = try opened.answer(
            as: opened.hinted(in: PairingHints(for: [pairings.approver])), drawingFrom: random)
        // The requester has lost its key, or never had it: it shows another one.
        let ephemeral = LinkKeyPair(drawingFrom: random)
        let hello = try #require(Hello(version: .first, offered: .ours))
        let hint = try #require(PairingHints.hint(of: pairings.requester, for: ephemeral.publicKey))
        let thief = try NoiseInitiator(
            prologue: hello.prologue(for: Fixture.app()), ephemeral: ephemeral,
            payload: hint + [UInt8](repeating: 0, count: 56))
        let second = try #require(
            ApproverHandshake(app: Fixture.app(), versions: .ours)
                .read(hello.bytes + thief.message).greeted)
        let found = second.hinted(in: PairingHints(for: [pairings.approver]))
        #expect(found == pairings.approver)
        let reply = try second.answer(as: found, drawingFrom: random)
        let (third, _) = try thief.read(Array(reply.frame.dropFirst())).finish(with: LinkKeyPair(drawingFrom: random))
        #expect(throws: HandshakeError.notThePinnedKey) { try reply.read(third) }
        #expect(!answered.frame.isEmpty)
    }

    @Test func `cannot be used by replaying its first message`() throws {
        let pairings = try Fixture.pairings(drawingFrom: random)
        let requester = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: [pairings.requester], drawingFrom: random)
        let approver = ApproverHandshake(app: try Fixture.app(), versions: .ours)
        let hints = PairingHints(for: [pairings.approver])
        let first = try #require(approver.read(requester.frame).greeted)
        let again = try #require(approver.read(requester.frame).greeted)
        let recorded = try first.answer(as: first.hinted(in: hints), drawingFrom: random)
        let greeted = try #require(requester.read(recorded.frame).greeted)
        let (third, _) = try greeted.finish()
        let second = try again.answer(as: again.hinted(in: hints), drawingFrom: random)
        #expect(throws: HandshakeError.notAuthentic) { try second.read(third) }
    }

    @Test func `ends after 90 days unused, or a year`() throws {
        let pairing = try Fixture.pairings(drawingFrom: random).requester
        var book = PairingBook()
        book.keep(pairing, at: Fixture.noon)
        let app = try Fixture.app()
        let day: Double = 86_400
        #expect(book.current(for: app, as: .requester, at: Fixture.noon + 90 * day - 1).count == 1)
        #expect(book.current(for: app, as: .requester, at: Fixture.noon + 90 * day).isEmpty)
        for month in 1...12 { book.use(pairing.id, at: Fixture.noon + Double(month) * 30 * day) }
        #expect(book.current(for: app, as: .requester, at: Fixture.noon + 365 * day - 1).count == 1)
        #expect(book.current(for: app, as: .requester, at: Fixture.noon + 365 * day).isEmpty)
    }

    @Test(arguments: [(Pairing.Role.requester, 8), (.approver, 64)])
    func `gives way to newer ones, the least recently used first`(role: Pairing.Role, most: Int) throws {
        var book = PairingBook()
        var made: [Pairing] = []
        for number in 0...most {
            let pairing = try Fixture.pairing(
                role, own: LinkKeyPair(drawingFrom: random), peer: LinkKeyPair(drawingFrom: random).publicKey,
                lastUsed: Fixture.noon + Double(number))
            made.append(pairing)
            if number == most, let first = made.first { book.use(first.id, at: Fixture.noon + 1_000) }
            book.keep(pairing, at: Fixture.noon + 1_000)
        }
        let kept = book.current(for: try Fixture.app(), as: role, at: Fixture.noon + 1_000)
        #expect(kept.count == most && kept.first?.id == made.first?.id)
        #expect(!kept.contains { $0.id == made[1].id })
    }

    @Test func `can be listed and forgotten, by itself and with its account`() throws {
        let store = MemoryPairingStore()
        let pairing = try Fixture.pairings(drawingFrom: random).approver
        store.change { $0.keep(pairing, at: Fixture.noon) }
        let app = try Fixture.app()
        #expect(try store.list(for: app, as: .approver, at: Fixture.noon) == [pairing])
        #expect(try store.list(for: app, as: .requester, at: Fixture.noon).isEmpty)
        #expect(try store.list(for: Fixture.app("another.app"), as: .approver, at: Fixture.noon).isEmpty)
        let first = try store.forget(pairing.id)
        let second = try store.forget(pairing.id)
        #expect(first && !second)
    }

    @Test func `keeps its key out of logs`() throws {
        let pairing = try Fixture.pairings(drawingFrom: random).approver
        var text = "\(pairing) \(String(reflecting: pairing))"
        dump(pairing, to: &text)
        let secret = pairing.own.revealedSecret
        #expect(!text.contains(Hex.text(secret)) && !text.contains("\(secret)"))
    }

    private func shake(requester: [Pairing], approver: [Pairing]) throws -> (EstablishedLink, EstablishedLink) {
        let first = try RequesterHandshake(
            app: Fixture.app(), version: .first, of: .ours, pairings: requester, drawingFrom: random)
        guard case .greeted(let opened) = try ApproverHandshake(app: Fixture.app(), versions: .ours).read(first.frame)
        else { throw LinkPair.Unexpected(what: "a refusal") }
        let answered = try opened.answer(as: opened.hinted(in: PairingHints(for: approver)), drawingFrom: random)
        guard case .greeted(let greeted) = try first.read(answered.frame) else {
            throw LinkPair.Unexpected(what: "a refusal")
        }
        let (third, link) = try greeted.finish()
        return (link, try answered.read(third))
    }
}
