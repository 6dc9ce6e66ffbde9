import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

@Suite("A link before trust")
struct CodeAttackTests {
    @Test func `leads to a grant when all is well`() throws {
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeWhatIsShown()
        #expect(pair.decisionsAskedFor.map(\.trust) == [.code])
        pair.decide(.approve(.bytes([1, 2, 3]), pairs: false))
        #expect(
            pair.requesterOutcome == .granted(.bytes([1, 2, 3]), from: try Fixture.name("Anna's phone"), by: .code))
        #expect(pair.approverOutcome == .approved(.code, paired: false))
        #expect(pair.misses == (0, 0))
    }

    @Test func `gives nothing to an approver that withholds what it committed to, and takes the code away`() throws {
        var pair = try LinkPair()
        pair.showCode()
        pair.toRequester = []
        pair.tellRequester(.typed(.first, LinkDigest(of: [1])))
        #expect(pair.shownCode == nil)
        pair.tellRequester(.alive)
        pair.pass(.seconds(10))
        #expect(pair.requesterOutcome == .timedOut)
        #expect(!pair.requesterSaid.contains { if case .request = $0 { true } else { false } })
        #expect(pair.misses.requester == 1)
    }

    @Test func `is refused to a requester that reveals another nonce`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let code = try #require(pair.shownCode)
        pair.atApprover { $0.type(code, at: $1) }
        pair.toRequester = []
        pair.tellApprover(.reveal(.first, LinkNonce(drawingFrom: SeededRandom(seed: 9).source)))
        #expect(pair.approverSaid.last == .missed(.first))
        #expect(pair.misses.approver == 1 && pair.decisionsAskedFor.isEmpty)
    }

    @Test(arguments: [false, true])
    func `counts a hang-up after the phone's nonce as a miss`(isTyped: Bool) throws {
        var pair = try LinkPair()
        pair.showCode()
        if isTyped {
            let code = try #require(pair.shownCode)
            pair.atApprover { $0.type(code, at: $1) }
        }
        pair.atApprover { link, _ in link.close() }
        #expect(pair.misses.approver == 1)
        #expect(pair.approverOutcome == .gone(said: nil))
    }

    @Test func `does not count a hang-up before the phone's nonce`() throws {
        var pair = try LinkPair()
        pair.begin()
        pair.atApprover { link, _ in link.close() }
        #expect(pair.misses.approver == 0)
    }

    @Test func `has three runs, and no fourth`() throws {
        var pair = try LinkPair()
        pair.showCode()
        for attempt in 1...3 {
            try pair.typeSomethingElse()
            if attempt < 3 { pair.tryAgain() }
        }
        #expect(pair.misses == (3, 3))
        #expect(pair.requesterOutcome == .missesUsedUp && pair.approverOutcome == .missesUsedUp)
        #expect(LinkMessage(parsing: [2, 4] + [UInt8](repeating: 0, count: 32)) == nil)
        pair.atRequester { $0.tryAgain(at: $1) }
        #expect(pair.toApprover.isEmpty)
    }

    @Test func `begins no second run by itself`() throws {
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeSomethingElse()
        #expect(pair.requesterDid.last == .tell(.missed(codesLeft: 2)))
        #expect(pair.requesterSaid.count { if case .commit = $0 { true } else { false } } == 1)
    }

    @Test func `answers a second commitment with no second nonce`() throws {
        var pair = try LinkPair()
        pair.showCode()
        pair.tellRequester(.typed(.first, LinkDigest(of: [1])), .typed(.first, LinkDigest(of: [2])))
        #expect(pair.requesterSaid.count { if case .reveal = $0 { true } else { false } } == 1)
        #expect(pair.requesterOutcome == .brokeProtocol)
    }

    @Test func `refuses what was committed to in another run`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let code = try #require(pair.shownCode)
        pair.atApprover { $0.giveUp(at: $1) }
        pair.deliver()
        pair.tryAgain()
        let second = try #require(CodeAttempt.first.next)
        // The same digits, committed to for the first run.
        let blind = LinkNonce(drawingFrom: SeededRandom(seed: 3).source)
        let ask = LinkMessage.ask(pair.askSaid)
        let exchange = CodeExchange(on: pair.links.requester.hash, ask: ask.bytes, space: .standard)
        let now = try #require(pair.shownCode)
        #expect(now != code)
        pair.tellRequester(
            .typed(second, exchange.commitment(.first, typed: now, approver: pair.nonceSaid, blind: blind)),
            .open(second, blind))
        #expect(pair.requesterOutcome == .notAuthentic && pair.misses.requester == 2)
    }

    @Test func `refuses what was committed to on another connection`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let blind = LinkNonce(drawingFrom: SeededRandom(seed: 3).source)
        let other = CodeExchange(
            on: try LinkPair(seed: 2).links.requester.hash, ask: LinkMessage.ask(pair.askSaid).bytes, space: .standard)
        let code = try #require(pair.shownCode)
        pair.tellRequester(
            .typed(.first, other.commitment(.first, typed: code, approver: pair.nonceSaid, blind: blind)),
            .open(.first, blind))
        #expect(pair.requesterOutcome == .notAuthentic)
    }

    @Test func `refuses the requester's own commitment in the approver's place`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let commits = pair.requesterSaid.compactMap { if case .commit(_, let digest) = $0 { digest } else { nil } }
        pair.tellRequester(.typed(.first, try #require(commits.first)))
        let reveals = pair.requesterSaid.compactMap { if case .reveal(_, let nonce) = $0 { nonce } else { nil } }
        pair.tellRequester(.open(.first, try #require(reveals.first)))
        #expect(pair.requesterOutcome == .notAuthentic)
    }

    @Test func `takes the code off the screen before it reveals anything`() throws {
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeWhatIsShown()
        let blank = try #require(pair.requesterDid.firstIndex(of: .takeCodeAway))
        let reveal = try #require(
            pair.requesterDid.firstIndex { if case .send(.reveal) = $0 { true } else { false } })
        #expect(blank < reveal)
    }

    @Test func `never sends the digits`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let digits = Array(try #require(pair.shownCode).revealed.utf8)
        try pair.typeWhatIsShown()
        pair.decide(.approve(.bytes([7]), pairs: false))
        for message in pair.requesterSaid + pair.approverSaid {
            let bytes = message.bytes
            #expect(!bytes.indices.contains { bytes[$0...].starts(with: digits) })
            #expect(!"\(message)".contains(String(decoding: digits, as: UTF8.self)))
        }
    }

    @Test func `ends when a stranger claims trust out of order`() throws {
        for message in [
            LinkMessage.trusted, .open(.first, LinkNonce(drawingFrom: SeededRandom(seed: 1).source)),
            .part([1]), .decision(try decision()), .ask(try LinkPair().requester.ask),
        ] {
            var pair = try LinkPair()
            pair.begin()
            pair.tellRequester(message)
            #expect(pair.requesterOutcome == .brokeProtocol)
            #expect(!pair.requesterSaid.contains { if case .request = $0 { true } else { false } })
            #expect(pair.requesterSaid.last == .end(.brokeProtocol))
        }
    }

    @Test func `ends when a stranger sends its request unasked`() throws {
        var pair = try LinkPair()
        pair.begin()
        pair.tellApprover(.request(salt: LinkNonce(drawingFrom: SeededRandom(seed: 1).source), body: [0]))
        #expect(pair.approverOutcome == .brokeProtocol && pair.decisionsAskedFor.isEmpty)
    }

    @Test func `drops what has crossed a run's end`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let code = try #require(pair.shownCode)
        // The person types, and goes back at the screen, in one moment.
        pair.atApprover { $0.type(code, at: $1) }
        pair.atRequester { $0.goBack(at: $1) }
        pair.deliver()
        #expect(pair.requesterOutcome == nil && pair.approverOutcome == nil)
        #expect(pair.misses == (1, 1))
        pair.tryAgain()
        try pair.typeWhatIsShown()
        #expect(pair.decisionsAskedFor.count == 1)
    }

    private func decision() throws -> LinkMessage.Decision {
        LinkMessage.Decision(
            approves: true, pairs: false, name: try Fixture.name("x"), total: 0, digest: LinkDigest(of: []))
    }
}

extension LinkPair {
    fileprivate var askSaid: LinkMessage.Ask { requester.ask }

    /// The last nonce that the approver gave.
    fileprivate var nonceSaid: LinkNonce {
        approverSaid.compactMap { if case .ready(_, let nonce) = $0 { nonce } else { nil } }.last
            ?? LinkNonce(drawingFrom: SeededRandom(seed: 0).source)
    }
}
