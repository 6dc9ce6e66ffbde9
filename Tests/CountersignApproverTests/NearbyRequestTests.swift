import Countersign
import CountersignApprover
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import Testing

@Suite("The request of a screen nearby")
struct NearbyRequestTests {
    private let fixture = ApproverFixture()

    @Test func `show what the server knows, and sign exactly that`() async throws {
        let shown = try await fixture.look()
        #expect(shown.client == .asserted(ClientID("tv")) && shown.clientName == .asserted("The TV"))
        #expect(shown.scope == .verified(Scope([.openid])) && shown.address == .observed("192.0.2.7"))
        #expect(shown.accountName == "Anna" && shown.kind == .nearby(sameNetwork: .observed(.yes)))
        #expect(shown.sentence == "The TV (not verified) wants to be signed in as Anna.")
        let looked = try #require(fixture.transport.sent(to: "/approver/look").first)
        #expect(looked.request.headerFields[.authorization] == "Bearer token")
        let asked = ApproverLookRequest.nearby(fixture.request.userCode, fixture.request.verifier)
        #expect(try ApproverLookRequest(form: looked.form) == asked)

        try await fixture.approver.answer(.approve(), to: shown)
        let sent = try #require(fixture.transport.sent(to: "/approver/decide").first)
        let decision = try ApproverDecideRequest(form: sent.form).decision
        let claims = try decision.claims(signedBy: fixture.key.publicKey)
        #expect(decision.key == fixture.key.publicKey)
        #expect(claims.audience == "https://id.example.com" && claims.exchange == SignInRequest.ID("exchange"))
        #expect(claims.nonce == DecisionNonce(revealing: "nonce") && claims.answer == .approve)
        #expect(claims.finding == .nearby(NearbyFinding(link: ApproverFixture.link, proof: .code)))
        #expect(claims.issued == Int(fixture.clock.date.timeIntervalSince1970))
        // The bytes as they came, which are not those that this side would have written.
        #expect(claims.shown == AnswerDigest(of: Array(fixture.lookText.utf8)))
    }

    @Test func `are undone where they were given`() async throws {
        let shown = try await fixture.look()
        fixture.transport.reply(
            at: "/approver/undo", with: .json(ApproverUndoResponse(exchange: shown.id, outcome: .undone)))
        #expect(try await fixture.approver.undo(shown.id) == .undone)
        let sent = try #require(fixture.transport.sent(to: "/approver/undo").first)
        #expect(try ApproverUndoRequest(form: sent.form).exchange == shown.id)
    }

    @Test func `name each decision anew, and say since when a screen is known`() async throws {
        fixture.transport.reply(at: "/approver/decide", with: .json(fixture.decided(.deny)))
        let shown = try await fixture.look(proof: .paired(at: Date(timeIntervalSince1970: 5)))
        for _ in 0..<2 { try await fixture.approver.answer(.deny, to: shown) }
        let claims = try fixture.transport.sent(to: "/approver/decide").map { sent in
            try ApproverDecideRequest(form: sent.form).decision.claims(signedBy: fixture.key.publicKey)
        }
        let finding = DecisionClaims.Finding.nearby(NearbyFinding(link: ApproverFixture.link, proof: .paired(at: 5)))
        #expect(claims.allSatisfy { $0.finding == finding } && claims[0].answer == .deny)
        #expect(claims[0].id != claims[1].id)
    }

    @Test(arguments: [
        "https://id.example.com/", "HTTPS://id.example.com", "https://ID.example.com", "https://id.example.com:443",
        "https://id.example.com.evil.test", "http://id.example.com", "https://evil.test", "id.example.com", " ",
        "https://id.example.com\n", "https://id.example.com#",
    ])
    func `make no connection for an issuer that is not spelled like one of theirs`(issuer: String) async throws {
        let strange = try #require(
            NearbySignInRequest(
                issuer: issuer, userCode: fixture.request.userCode, verifier: fixture.request.verifier))
        await #expect(throws: ApprovalError.Code.unknownIssuer) {
            try await fixture.trying { try await fixture.look(at: strange) }
        }
        #expect(fixture.transport.sent().isEmpty)
    }

    @Test func `find the endpoints once, by the metadata of the issuer itself`() async throws {
        _ = try await fixture.look()
        _ = try await fixture.look()
        #expect(fixture.transport.sent(to: ApproverFixture.metadataPath).count == 1)
    }

    @Test func `believe no metadata of another issuer, and send nothing without encryption`() async throws {
        var strange = fixture.metadata
        strange.issuer = "https://evil.test"
        var open = fixture.metadata
        open.approverEndpoint = "http://id.example.com/approver"
        var none = fixture.metadata
        none.approverEndpoint = nil
        for (metadata, code) in [
            (strange, ApprovalError.Code.badAnswer), (open, .badAnswer), (none, .notOffered),
        ] {
            fixture.transport.reply(at: ApproverFixture.metadataPath, with: .json(metadata))
            await #expect(throws: code) {
                try await fixture.trying { try await fixture.look() }
            }
        }
        #expect(fixture.transport.sent(to: "/approver/look").isEmpty)
    }

    /// A server that answers was reached, whatever is wrong with its metadata.
    @Test(arguments: [
        (ScriptedTransport.Reply.status(.notFound), ApprovalError.Code.badAnswer), (.status(.unauthorized), .badAnswer),
        (.status(.forbidden), .badAnswer), (.status(.tooManyRequests), .busy), (.status(.requestTimeout), .busy),
        (.text("{", type: "application/json", status: .ok), .badAnswer),
        (.text("<html>", type: "text/html", status: .ok), .badAnswer),
        (.status(.serviceUnavailable), .unreachable),
        (.failure(TransportError(.notReached, because: "")), .unreachable),
    ])
    func `say what is wrong with the metadata`(reply: ScriptedTransport.Reply, code: ApprovalError.Code) async throws {
        fixture.transport.reply(at: ApproverFixture.metadataPath, with: reply)
        await #expect(throws: code) {
            try await fixture.trying { try await fixture.look() }
        }
        #expect(fixture.transport.sent(to: "/approver/look").isEmpty)
    }

    @Test(arguments: [
        (ScriptedTransport.Reply.error(.invalidGrant), ApprovalError.Code.nothingToDecide),
        (.error(.accessDenied), .digitsNeeded), (.error(.invalidRequest), .refused),
        (.status(.unauthorized), .signedOut),
        (.status(.forbidden), .notPermitted), (.status(.tooManyRequests), .busy),
        (.status(.serviceUnavailable), .unreachable),
        (.status(.notFound), .badAnswer), (.text("<html>", type: "text/html", status: .ok), .badAnswer),
        (.text("{}", type: "application/json", status: .ok), .badAnswer),
        (.failure(TransportError(.notReached, because: "")), .unreachable),
        (.failure(TransportError(.notTrusted, because: "")), .notTrusted),
    ])
    func `say why not`(reply: ScriptedTransport.Reply, code: ApprovalError.Code) async throws {
        let shown = try await fixture.look()
        fixture.transport.reply(at: "/approver/look", with: reply)
        fixture.transport.reply(at: "/approver/decide", with: reply)
        await #expect(throws: code) {
            try await fixture.trying { try await fixture.look() }
        }
        await #expect(throws: code) { try await fixture.trying { try await fixture.approve(shown) } }
    }

    @Test func `look again when the server is not reached, so that typed digits are not wasted`() async throws {
        let lost = ScriptedTransport.Reply.failure(TransportError(.notReached, because: "a lost packet"))
        let late = ScriptedTransport.Reply.failure(TransportError(.timedOut, because: "late"))
        let answer = ScriptedTransport.Reply.text(fixture.lookText, type: "application/json")
        fixture.transport.reply(at: ApproverFixture.metadataPath, with: lost, .json(fixture.metadata))
        fixture.transport.reply(at: "/approver/look", with: late, lost, .status(.serviceUnavailable), answer)
        #expect(try await fixture.look().accountName == "Anna")
        #expect(fixture.transport.sent(to: "/approver/look").count == 4)
    }

    /// Of the errors of the app's own sign-in, those that pass are told from its end.
    @Test(arguments: [
        (TransportError(.notReached, because: ""), ApprovalError.Code.unreachable),
        (TransportError(.notTrusted, because: ""), .signedOut),
    ])
    func `tell a server that is away from a sign-in that has ended`(
        failure: TransportError,
        code: ApprovalError.Code
    ) async throws {
        let failing = ApproverFixture(token: { throw failure })
        await #expect(throws: code) {
            try await failing.trying { try await failing.look() }
        }
    }

    /// Standard: RFC 9449 §9; RFC 6750 §3.1.
    @Test func `send again what is refused for its token or nonce, once`() async throws {
        let account = try ApproverAccount.presenting("DPoP first", then: "DPoP second")
        let answer = ScriptedTransport.Reply.text(fixture.lookText, type: "application/json")
        let decided = ScriptedTransport.Reply.json(fixture.decided(.approve))
        fixture.transport.reply(at: "/approver/look", with: .status(.unauthorized), answer)
        fixture.transport.reply(at: "/approver/decide", with: .status(.unauthorized), decided, .status(.unauthorized))
        let approver = fixture.approver(for: account)
        let shown = try await approver.look(at: fixture.request, over: ApproverFixture.link, proof: .code)
        try await approver.answer(.approve(), to: shown)
        for path in ["/approver/look", "/approver/decide"] {
            let sent = fixture.transport.sent(to: path)
            #expect(sent.map { $0.request.headerFields[.authorization] } == ["DPoP first", "DPoP second"])
            #expect(sent.first?.body == sent.last?.body)
            #expect(sent.allSatisfy { $0.request.headerFields[.contentType] == "application/x-www-form-urlencoded" })
        }
        await #expect(throws: ApprovalError.Code.signedOut) {
            try await fixture.trying { try await approver.answer(.approve(), to: shown) }
        }
        #expect(fixture.transport.sent(to: "/approver/decide").count == 4)
    }

    @Test func `look again when the app's own token could not be renewed at once`() async throws {
        let attempts = Attempts()
        let fixture = ApproverFixture {
            guard await attempts.next() > 2 else { throw TransportError(.notReached, because: "a lost packet") }
            return AccessToken(revealing: "token")
        }
        #expect(try await fixture.look().accountName == "Anna")
    }

    private actor Attempts {
        private var count = 0
        func next() -> Int {
            count += 1
            return count
        }
    }

    @Test func `give up looking after a minute`() async throws {
        let lost = ScriptedTransport.Reply.failure(TransportError(.notReached, because: "nobody there"))
        fixture.transport.reply(at: ApproverFixture.metadataPath, with: lost)
        let start = fixture.clock.date
        await #expect(throws: ApprovalError.Code.unreachable) {
            try await fixture.trying { try await fixture.look() }
        }
        let passed = fixture.clock.date.timeIntervalSince(start)
        #expect((50...60).contains(passed))
    }

    @Test(arguments: [
        ScriptedTransport.Reply.failure(TransportError(.interrupted, because: "")),
        .failure(TransportError(.timedOut, because: "")), .status(.internalServerError), .status(.badGateway),
        .status(.gatewayTimeout),
    ])
    func `do not know what came of a decision whose answer is lost`(reply: ScriptedTransport.Reply) async throws {
        let shown = try await fixture.look()
        fixture.transport.reply(at: "/approver/decide", with: reply)
        await #expect(throws: ApprovalError.Code.outcomeUnknown) {
            try await fixture.trying { try await fixture.approve(shown) }
        }
        fixture.transport.reply(at: "/approver/decide", with: .json(fixture.decided(.deny)))
        await #expect(throws: ApprovalError.Code.badAnswer) {
            try await fixture.trying { try await fixture.approve(shown) }
        }
    }

    @Test(arguments: [
        (NearbyProof.code, SameNetwork.no, false), (.paired(at: .distantPast), .yes, false),
        (.paired(at: .distantPast), .no, true), (.paired(at: .distantPast), .unknown, true),
    ])
    func `want the digits where a pairing is not enough`(
        proof: NearbyProof,
        sameNetwork: SameNetwork,
        expected: Bool
    ) async throws {
        fixture.transport.reply(at: "/approver/look", with: .json(fixture.looked(sameNetwork)))
        #expect(try await fixture.look(proof: proof).needsDigits == expected)
    }

    @Test func `keep their key to themselves`() throws {
        let key = fixture.key
        var dumped = "\(key) \(String(reflecting: key))"
        dump(key, to: &dumped)
        #expect(dumped.contains("redacted") && !dumped.contains("rawRepresentation"))
        #expect(ApproverPrivateKey(revealing: key.revealedBytes)?.publicKey == key.publicKey)
        #expect(ApproverPrivateKey(revealing: [1, 2, 3]) == nil)
        #expect(ApproverPrivateKey(revealing: [UInt8](repeating: 0, count: 32)) == nil)
    }
}

extension ApprovalError.Code: Error {}

/// A phone that is signed in, and a server that says what a test wrote down.
private struct ApproverFixture: Sendable {
    static let metadataPath = "/.well-known/oauth-authorization-server"

    struct Keys: ApproverKeyStore {
        let key: ApproverPrivateKey
        func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner { key }
    }

    let clock = ManualClock()
    let transport = ScriptedTransport()
    let key = ApproverPrivateKey(drawingFrom: .system)
    let approver: Approver
    static let link = NearbyLinkID([UInt8](repeating: 3, count: 32))!
    let request = NearbySignInRequest(
        issuer: "https://id.example.com",
        userCode: UserCodeText("WDJB-MJHT"),
        verifier: NearbyVerifier(drawingFrom: .system)
    )!
    /// The server's answer to a look, with needless spaces.
    let lookText = #"""
        { "outcome":"decide","method":"nearby","exchange":"exchange","now":1800000000,"nonce":"nonce","client_id":"tv","client_provenance":"asserted",
          "client_name":"The TV","client_name_provenance":"asserted","scope":"openid","address":"192.0.2.7",
          "asked":1800000000,"expires":1800000300,"same_network":"yes","account_name":"Anna", "more":[] }
        """#

    init(token: @escaping @Sendable () async throws -> AccessToken = { AccessToken(revealing: "token") }) {
        let issuer: Issuer
        do {
            issuer = try Issuer("https://id.example.com")
        } catch {
            preconditionFailure("\(error)")
        }
        let account = ApproverAccount(id: ApproverAccount.ID("anna"), issuer: issuer, accessToken: token)
        approver = Self.approver(for: account, keeping: key, over: transport, by: clock)
        transport.reply(at: Self.metadataPath, with: .json(metadata))
        transport.reply(at: "/approver/look", with: .text(lookText, type: "application/json"))
        transport.reply(at: "/approver/decide", with: .json(decided(.approve)))
    }

    /// That of another account at the same server.
    func approver(for account: ApproverAccount) -> Approver {
        Self.approver(for: account, keeping: key, over: transport, by: clock)
    }

    private static func approver(
        for account: ApproverAccount,
        keeping key: ApproverPrivateKey,
        over transport: ScriptedTransport,
        by clock: ManualClock
    ) -> Approver {
        Approver(
            for: account,
            keepingKeysIn: Keys(key: key),
            in: ApproverContext(over: transport, clock: clock.skipping, random: .system)
        )
    }

    func look(
        at other: NearbySignInRequest? = nil,
        proof: NearbyProof = .code
    ) async throws(ApprovalError) -> WaitingRequest {
        try await approver.look(at: other ?? request, over: Self.link, proof: proof)
    }

    var metadata: AuthorizationServerMetadata {
        var metadata = AuthorizationServerMetadata(issuer: "https://id.example.com")
        metadata.approverEndpoint = "https://id.example.com/approver"
        return metadata
    }

    func decided(_ answer: DecisionClaims.Answer) -> ApproverDecideResponse {
        ApproverDecideResponse(exchange: SignInRequest.ID("exchange"), outcome: answer.outcome)
    }

    func looked(_ sameNetwork: SameNetwork) -> ApproverLookResponse<NearbyLook> {
        .decide(
            ApproverLook(
                exchange: SignInRequest.ID("exchange"),
                nonce: DecisionNonce(revealing: "nonce"),
                client: .asserted(ClientID("tv")),
                clientName: .asserted("The TV"),
                scope: .none,
                asked: 1_800_000_000,
                expires: 1_800_000_300,
                serverTime: 1_800_000_000,
                accountName: "Anna",
                details: NearbyLook(address: nil, sameNetwork: sameNetwork)
            )
        )
    }

    func approve(_ shown: WaitingRequest) async throws { try await approver.answer(.approve(), to: shown) }

    /// Runs `work`, and throws the code alone of what it throws.
    func trying<Value>(_ work: () async throws -> Value) async throws {
        do {
            _ = try await work()
        } catch let error as ApprovalError {
            throw error.code
        }
    }
}
