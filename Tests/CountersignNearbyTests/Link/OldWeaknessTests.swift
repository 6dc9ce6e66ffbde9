import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

/// The weaknesses of the library that signed screens in over the local network before: none of them is here.
@Suite("A weakness of old")
struct OldWeaknessTests {
    @Test func `1 - whoever listens sees the token - is gone`() throws {
        let token = Array("a token that opens everything".utf8)
        var pair = try LinkPair(name: "A name of a screen", pairs: true)
        pair.showCode()
        let code = Array(try #require(pair.shownCode).revealed.utf8)
        try pair.typeWhatIsShown()
        pair.decide(.approve(.bytes(token), pairs: true))
        #expect(pair.requesterOutcome == .granted(.bytes(token), from: try Fixture.name("Anna's phone"), by: .code))
        var links = pair.links
        var overheard: [[UInt8]] = []
        for message in pair.requesterSaid { overheard.append(try links.requester.session.seal(message.bytes)) }
        for message in pair.approverSaid { overheard.append(try links.approver.session.seal(message.bytes)) }
        for secret in [token, code, Array("A name of a screen".utf8), Array("Anna's phone".utf8)] {
            for frame in overheard { #expect(!frame.indices.contains { frame[$0...].starts(with: secret) }) }
        }
    }

    @Test func `2 - an approval goes to whoever connects next - is gone`() throws {
        var pair = try LinkPair()
        pair.showCode()
        try pair.typeWhatIsShown()
        pair.atApprover { link, _ in link.close() }
        pair.decide(.approve(.bytes([1]), pairs: false))
        #expect(!pair.approverSaid.contains { if case .decision = $0 { true } else { false } })
        // The next one has a link of its own, which knows of no approval.
        var next = try LinkPair(seed: 2)
        next.begin()
        next.decide(.approve(.bytes([1]), pairs: false))
        #expect(next.approverOutcome == nil && next.toRequester.isEmpty)
    }

    @Test func `3 - a name is believed - is gone`() throws {
        var pair = try LinkPair(name: "Living room TV", known: ["Living room TV"])
        pair.begin()
        let prompt = pair.approverDid.compactMap { if case .prompt(let prompt) = $0 { prompt } else { nil } }.first
        #expect(prompt?.name.provenance == .asserted && prompt?.imitatesPaired == true)
        #expect(prompt?.address.provenance == .observed)
        pair.see()
        try pair.typeSomethingElse()
        #expect(pair.decisionsAskedFor.isEmpty, "without the digits there is no request to decide")
    }

    @Test func `4 - whoever is found first signs the screen in - is gone`() throws {
        var pair = try LinkPair()
        pair.begin()
        pair.tellRequester(
            .ready(.first, LinkNonce(drawingFrom: SeededRandom(seed: 1).source)), .typed(.first, LinkDigest(of: [1])),
            .open(.first, LinkNonce(drawingFrom: SeededRandom(seed: 2).source)))
        #expect(pair.requesterOutcome == .notAuthentic)
        var other = try LinkPair()
        other.begin()
        other.tellRequester(
            .decision(
                LinkMessage.Decision(
                    approves: true, pairs: false, name: try Fixture.name("x"), total: 0,
                    digest: LinkDigest(of: []))))
        #expect(other.requesterOutcome == .brokeProtocol)
    }

    @Test func `5 - bytes of the network become any object, or crash - is gone`() throws {
        let random = SeededRandom(seed: 5)
        var parsed = 0
        for _ in 0..<2_000 {
            var bytes = random.bytes(Int(random.bytes(1)[0]))
            if let first = bytes.first { bytes[0] = first & 0x0F }
            if let message = LinkMessage(parsing: bytes) {
                parsed += 1
                #expect(message.bytes == bytes)
            }
            _ = RequestBody.parsed(bytes, as: .server)
            _ = Hello(parsingFrontOf: Array("CSNB".utf8) + bytes)
            _ = PlaintextRefusal(parsing: [0] + bytes)
        }
        #expect(parsed > 0)
        var pair = try LinkPair()
        pair.begin()
        pair.atApprover { $0.receiveNonsense(at: $1) }
        #expect(pair.approverSaid.last == .end(.brokeProtocol))
    }

    @Test func `6 - a length is believed - is gone`() throws {
        var reader = FrameReader()
        reader.append([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: FrameReader.LengthError.self) {
            try reader.next(of: 1...HandshakeFrames.longestFirst)
        }
        let tooMuch = LinkMessage.Decision(
            approves: true, pairs: false, name: try Fixture.name("x"), total: Int(UInt32.max), digest: .zero)
        #expect(LinkMessage(parsing: LinkMessage.decision(tooMuch).bytes) == nil)
    }

    @Test func `7 - one peer asks the person without end, or silently keeps the others out - is gone`() throws {
        var pair = try LinkPair()
        pair.begin()
        pair.tellApprover(.ask(pair.requester.ask))
        #expect(pair.approverOutcome == .brokeProtocol)
        #expect(pair.approverDid.count { if case .prompt = $0 { true } else { false } } == 1)

        var silent = try LinkPair(seed: 2)
        silent.begin()
        silent.see()
        silent.pass(.seconds(30))
        #expect(silent.approverOutcome == .gone(said: nil) && silent.approverDid.contains(.stopAsking))
    }

    @Test func `8 - what was asked stands in a log - is gone`() throws {
        let random = SeededRandom(seed: 8).source
        let verifier = NearbyVerifier(drawingFrom: random)
        let nonce = LinkNonce(drawingFrom: random)
        let keys = LinkKeyPair(drawingFrom: random)
        let secrets = [verifier.revealedBytes, nonce.revealed, keys.revealedSecret]
        var text = "\(verifier) \(nonce) \(keys) \(String(reflecting: verifier)) \(String(reflecting: nonce))"
        dump(verifier, to: &text)
        dump(LinkMessage.request(salt: nonce, body: []), to: &text)
        dump(try Fixture.serverRequest(random), to: &text)
        dump(keys, to: &text)
        for secret in secrets {
            #expect(!text.contains("\(secret[0]), \(secret[1])") && !text.contains(Hex.text(secret)))
        }
    }
}
