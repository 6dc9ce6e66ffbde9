import Countersign
@testable import CountersignNearby
import Testing

/// The values of `Documentation/NearbyProtocol.md`, "The code".
@Suite("The code of a link")
struct CodeVectorTests {
    private let link = NearbyLinkID(restoring: Hex.bytes(NoiseVector.cacophony.handshakeHash ?? ""))
    private let run = CodeAttempt.first

    private func filled(_ byte: UInt8) throws -> LinkNonce {
        try #require(LinkNonce(received: [UInt8](repeating: byte, count: 32)))
    }

    @Test func `is computed as written down`() throws {
        let verifier = try #require(NearbyVerifier(revealing: [UInt8](repeating: 2, count: 32)))
        let request = try #require(
            NearbySignInRequest(
                issuer: "https://id.example.net",
                userCode: UserCodeText("WDJB-MJHT"),
                verifier: verifier))
        let body = RequestBody.written(.server(request))
        let digest = RequestBody.digest(of: body, salt: try filled(1))
        #expect(Hex.text(digest.bytes) == "2bba407ca5467ade84b0c1cc28d921452c84bfb7aff9ec2dd8a76f18582b7616")

        let name = try #require(PeerName("Living room"))
        let ask = LinkMessage.ask(
            LinkMessage.Ask(kind: .server, wantsPairing: true, requestDigest: digest, name: name))
        #expect(
            Hex.text(LinkDigest(of: ask.bytes).bytes)
                == "e7489ff0cf14378485a924c2517c4be218fac18a9347cbd2613120a9e9f40a77")

        let exchange = CodeExchange(on: link, ask: ask.bytes, space: .standard)
        #expect(
            Hex.text(exchange.commitment(run, requester: try filled(3)).bytes)
                == "1fb7e8116f98c78277ffc7683c20e3f6376bbe037575749493d00451ab290ecf")
        let code = exchange.code(run, requester: try filled(3), approver: try filled(4))
        #expect(code.revealed == "359799" && code.shown == "359 799")
        let typed = exchange.commitment(run, typed: code, approver: try filled(4), blind: try filled(5))
        #expect(Hex.text(typed.bytes) == "acffd3a8c6b70025caf64a645d09c61f23a090cc7ae4ce7ab45b819a2b1f5a30")
        #expect(verifier.challenge.description == "jFN1XH-IDXeBVzbAjX4XqWuIxBofCH9NpHFhAr3wlIU")
    }

    @Test func `has a hint that both ends of a pairing compute`() throws {
        let vector = NoiseVector.cacophony
        let requester = try #require(LinkKeyPair(secret: Hex.bytes(vector.initiatorStatic)))
        let approver = try #require(LinkKeyPair(secret: Hex.bytes(vector.responderStatic)))
        let ephemeral = try #require(LinkKeyPair(secret: Hex.bytes(vector.initiatorEphemeral))).publicKey
        let ends = [
            try Fixture.pairing(.requester, own: requester, peer: approver.publicKey),
            try Fixture.pairing(.approver, own: approver, peer: requester.publicKey),
        ]
        for end in ends {
            #expect(Hex.text(try #require(PairingHints.hint(of: end, for: ephemeral))) == "2f43ba2eb035fedf")
        }
        #expect(ends[0].id == ends[1].id)
    }

    @Test(arguments: [
        "359799", "359 799", "359-799", " 3 5 9 7 9 9 ", "３５９７９９", "359799\n", "\u{202A}359\u{2011}799\u{202C}",
        "٣٥٩٧٩٩",
    ])
    func `is read as people type it`(text: String) {
        #expect(CodeSpace.standard.code(typed: text)?.revealed == "359799")
    }

    @Test(arguments: ["", "35979", "3597990", "35979a", "+35979", "35979½"])
    func `is six digits and nothing else`(text: String) {
        #expect(CodeSpace.standard.code(typed: text) == nil)
    }

    @Test func `keeps its zeros, and stays out of logs`() {
        let code = CodeSpace.standard.code(7)
        #expect(code.revealed == "000007")
        #expect(CodeSpace.standard.code(3_000_042).revealed == "000042")
        #expect(!"\(code) \(String(reflecting: code))".contains("000007"))
        var dumped = ""
        dump(code, to: &dumped)
        #expect(!dumped.contains("000007"))
    }
}
