import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

@Suite("Trust on a link")
struct TrustTests {
    @Test func `never lets request, verifier or issuer reach a stranger`() throws {
        let server = try Fixture.signInRequest(SeededRandom(seed: 5).source)
        let request = NearbyRequest.server(server)
        var pair = try LinkPair(request: request)
        pair.showCode()
        try pair.typeSomethingElse()
        pair.tryAgain()
        pair.tellRequester(.typed(try #require(CodeAttempt.first.next), LinkDigest(of: [1])))
        pair.tellRequester(
            .open(try #require(CodeAttempt.first.next), LinkNonce(drawingFrom: SeededRandom(seed: 1).source)))
        #expect(pair.requesterOutcome == .notAuthentic)
        let transcript = pair.requesterSaid.flatMap(\.bytes)
        let secrets = [
            server.verifier.revealedBytes, Array(server.issuer.utf8), Array(server.userCode.rawValue.utf8),
        ]
        for secret in secrets {
            #expect(!transcript.indices.contains { transcript[$0...].starts(with: secret) })
        }
    }

    @Test(arguments: EndReason.allCases)
    func `takes no stranger's goodbye for the person's no`(reason: EndReason) throws {
        var pair = try LinkPair()
        pair.begin()
        pair.tellRequester(.end(reason))
        #expect(pair.requesterOutcome == .gone(said: reason))
    }

    @Test func `believes an authenticated approver's goodbye`() throws {
        var pair = try LinkPair(isPaired: true)
        pair.begin()
        pair.tellRequester(.end(.issuerUnknown))
        #expect(pair.requesterOutcome == .refused(.issuerUnknown))
    }

    @Test func `ends when the request is not the one that was announced`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let code = try #require(pair.shownCode)
        pair.atApprover { $0.type(code, at: $1) }
        // typed, reveal, open; then the request, with another byte at its end.
        pair.deliverToRequester()
        pair.deliverToApprover { $0 }
        pair.deliverToRequester()
        pair.deliverToApprover { message in
            guard case .request(let salt, let body) = message else { return message }
            return .request(salt: salt, body: body + [0])
        }
        #expect(pair.requesterSaid.contains { if case .request = $0 { true } else { false } })
        #expect(pair.decisionsAskedFor.isEmpty && pair.approverOutcome == .brokeProtocol)
    }

    @Test func `takes one ask and one request`() throws {
        var first = try LinkPair()
        first.begin()
        first.tellApprover(.ask(first.requester.ask))
        #expect(first.approverOutcome == .brokeProtocol)

        var second = try LinkPair()
        second.showCode()
        try second.typeWhatIsShown()
        let requests = second.requesterSaid.filter { if case .request = $0 { true } else { false } }
        #expect(requests.count == 1 && second.decisionsAskedFor.count == 1)
        second.tellApprover(try #require(requests.first))
        #expect(second.approverOutcome == .brokeProtocol)
    }

    @Test func `drops an approval whose asker has left`() throws {
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeWhatIsShown()
        pair.atApprover { link, _ in link.close() }
        let said = pair.approverSaid.count
        pair.decide(.approve(.bytes([1]), pairs: false))
        #expect(pair.approverSaid.count == said)
        #expect(pair.approverOutcome == .gone(said: nil))

        var next = try LinkPair(seed: 2)
        next.begin()
        #expect(
            next.approverDid.contains { if case .prompt = $0 { true } else { false } },
            "the next one is asked about anew")
    }

    @Test(arguments: [0, 1, 65_518, 65_519, 1 << 20])
    func `carries a grant of any size`(count: Int) throws {
        let bytes = SeededRandom(seed: 1).bytes(count)
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeWhatIsShown()
        pair.decide(.approve(.bytes(bytes), pairs: false))
        #expect(pair.requesterOutcome == .granted(.bytes(bytes), from: try Fixture.name("Anna's phone"), by: .code))
        let parts = pair.approverSaid.count { if case .part = $0 { true } else { false } }
        #expect(parts == (count + 65_517) / 65_518)
    }

    @Test func `carries sixteen mebibytes, and not one byte more`() throws {
        let bytes = [UInt8](repeating: 7, count: 16 << 20)
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeWhatIsShown()
        var other = pair
        pair.decide(.approve(.bytes(bytes), pairs: false))
        #expect(pair.approverOutcome == .approved(.code, paired: false))
        other.decide(.approve(.bytes(bytes + [7]), pairs: false))
        #expect(other.approverSaid.last == .end(.grantTooLarge))
        #expect(other.requesterOutcome == .refused(.grantTooLarge))
        let tooLong = LinkMessage.Decision(
            approves: true, pairs: false, name: try Fixture.name("x"), total: bytes.count + 1, digest: .zero)
        #expect(LinkMessage(parsing: LinkMessage.decision(tooLong).bytes) == nil)
    }

    @Test(arguments: [(16_383, false), (16_384, true), (65_518, true)])
    func `takes parts of 16,384 bytes or more, and a last one of any size`(length: Int, isTaken: Bool) throws {
        let part = [UInt8](repeating: 7, count: length)
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeWhatIsShown()
        pair.tellRequester(
            .decision(
                LinkMessage.Decision(
                    approves: true, pairs: false, name: try Fixture.name("x"), total: length + 1,
                    digest: LinkDigest(of: part + [8]))),
            .part(part))
        #expect(pair.requesterOutcome == (isTaken ? nil : .brokeProtocol))
        if isTaken { pair.tellRequester(.part([8])) }
        let isComplete = pair.requesterDid.contains { if case .settle = $0 { true } else { false } }
        #expect(isComplete == isTaken)
    }

    @Test func `refuses a grant with another digest, and a part too many`() throws {
        for (total, digest) in [(3, LinkDigest(of: [1, 2, 4])), (2, LinkDigest(of: [1, 2]))] {
            var pair = try LinkPair()
            pair.showCode()
            try pair.typeWhatIsShown()
            pair.tellRequester(
                .decision(
                    LinkMessage.Decision(
                        approves: true, pairs: false, name: try Fixture.name("x"), total: total, digest: digest)),
                .part([1, 2, 3]))
            #expect(pair.requesterOutcome == .brokeProtocol)
        }
    }

    @Test(arguments: [(0, true), (5, false)])
    func `refuses bytes with an approval at the server or a refusal`(total: Int, isZero: Bool) throws {
        var pair = try LinkPair(request: Fixture.serverRequest(SeededRandom(seed: 5).source))
        pair.showCode()
        try pair.typeWhatIsShown()
        let digest = isZero ? LinkDigest(of: []) : LinkDigest.zero
        pair.tellRequester(
            .decision(
                LinkMessage.Decision(
                    approves: true, pairs: false, name: try Fixture.name("x"), total: total, digest: digest)))
        #expect(pair.requesterOutcome == .brokeProtocol)
    }

    @Test func `lets a paired approver ask for the code, once`() throws {
        var pair = try LinkPair(isPaired: true)
        pair.begin()
        #expect(pair.decisionsAskedFor.map(\.canAskForCode) == [true])
        #expect(pair.requesterSaid.contains { if case .request = $0 { true } else { false } })
        pair.decide(.askForCode)
        try pair.typeWhatIsShown()
        #expect(pair.decisionsAskedFor.map(\.canAskForCode) == [true, false])
        #expect(pair.decisionsAskedFor.last?.trust == .code)
        #expect(pair.requesterSaid.count { if case .request = $0 { true } else { false } } == 1)
        pair.decide(.approve(.bytes([1]), pairs: false))
        #expect(pair.requesterOutcome == .granted(.bytes([1]), from: try Fixture.name("Anna's phone"), by: .code))
    }

    @Test func `is paired when both people wish it`() throws {
        for (wish, answer) in [(true, true), (true, false), (false, true)] {
            var pair = try LinkPair(pairs: wish)
            pair.showCode()
            try pair.typeWhatIsShown()
            pair.decide(.approve(.bytes([]), pairs: answer))
            #expect(pair.approverOutcome == .approved(.code, paired: wish && answer))
            #expect(
                pair.approverDid.contains(.keepPairing(named: try Fixture.name("Living room"))) == (wish && answer))
        }
    }

    @Test func `warns of a stranger with a paired name`() throws {
        for (name, resembles) in [("Living room", true), ("LIVING\u{200B} ROOM", true), ("Kitchen", false)] {
            var pair = try LinkPair(name: name, known: ["Living room"])
            pair.begin()
            let prompts = pair.approverDid.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
            #expect(prompts.map(\.imitatesPaired) == [resembles])
            #expect(prompts.map { $0.warning != nil } == [resembles])
        }
    }

    /// Two users or two apps of one host have its name; a paired one from elsewhere has it, too, perhaps.
    @Test func `takes a stranger of the host of a paired screen for another one of that name`() throws {
        for (hosts, isImitation) in [
            (["10.0.0.7"], false), (["10.0.0.9", "10.0.0.7"], false), (["10.0.0.9"], true), ([], true),
        ] {
            var pair = try LinkPair(known: ["Living room"], at: hosts)
            pair.begin()
            let prompts = pair.approverDid.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }
            #expect(prompts.map(\.imitatesPaired) == [isImitation], "\(hosts)")
        }
    }

    @Test func `says of an imitation what to do`() throws {
        var pair = try LinkPair(known: ["Living room"])
        pair.begin()
        let prompt = pair.approverDid.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }.first
        let warning = try #require(prompt?.warning)
        #expect(warning.contains("‘Living room’ that this device is paired with"))
        #expect(warning.contains("Otherwise say no"))
    }

    @Test func `tells each place in the line`() throws {
        var pair = try LinkPair()
        pair.atRequester { $0.begin(at: $1) }
        pair.deliver()
        pair.atApprover { $0.move(toPlace: 2, at: $1) }
        pair.deliver()
        #expect(pair.requesterDid.last == .tell(.waiting(place: 2)))
    }
}

extension LinkPair {
    /// Delivers what the requester has said so far, each message as `change` makes it.
    fileprivate mutating func deliverToApprover(_ change: (LinkMessage) -> LinkMessage) {
        let messages = toApprover
        toApprover = []
        for message in messages { tellApprover(change(message)) }
    }

    fileprivate mutating func deliverToRequester() {
        let messages = toRequester
        toRequester = []
        for message in messages { tellRequester(message) }
    }
}
