import Countersign
import CountersignWire
import Foundation
import HTTPTypes
import Testing

/// The examples in the documentation of `CountersignWire`, word for word: `Scripts/check-examples.py` compares them.
@Suite("The messages' examples")
struct WireExamples {
    @Test func `choose a language`() {
        let ranges = LanguageRanges(parsing: ["de-AT, en;q=0.5"])
        let tag = ranges.lookup(in: ["en", "de"], otherwise: "en")  // "de"

        #expect(tag == "de")
    }

    @Test func `write a form`() {
        var form = Form()
        form["grant_type"] = "client_credentials"
        form["scope"] = "reports read"
        let body = form.encoded  // grant_type=client_credentials&scope=reports+read

        #expect(body == "grant_type=client_credentials&scope=reports+read")
    }

    @Test func `ask for a sign-in`() {
        let request = DeviceAuthorizationRequest(scope: Scope([.openid]), deviceName: "Living room TV")
        let body = request.form.encoded  // scope=openid&device_name=Living+room+TV

        #expect(body == "scope=openid&device_name=Living+room+TV")
    }

    @Test func `ask for a sign-in that a browser on the same device may approve`() throws {
        let (scope, state) = (Scope([.openid]), "a state")
        let back = BrowserReturn(to: try RedirectURI("http://127.0.0.1:49152/callback"), state: state)
        var request = DeviceAuthorizationRequest(scope: scope)
        request.browserReturn = back

        #expect(request.form["redirect_uri"] == "http://127.0.0.1:49152/callback" && request.form["state"] == state)
    }

    @Test func `ask for tokens`() {
        let code = DeviceCode(revealing: "code")
        let request = TokenRequest.deviceCode(code)
        let body = request.form.encoded

        #expect(body == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=code")
    }

    @Test func `learn of a new device once`() throws {
        struct Body { let token: String }
        let (now, secret) = (Date(timeIntervalSince1970: 1_800_000_000), WebhookSecret(revealing: "of both sides"))
        let device = NewDevice(
            .signIn(Grant.ID("1")), of: Subject("anna"), client: ClientID("tv"), by: .code, added: now)
        let body = Body(
            token: try NewDeviceToken.text(
                of: device, event: "1", issuer: "https://id.example.com", by: secret, at: now))
        var seen: Set<String> = []
        var heard: [NewDevice] = []
        func receive() throws {
            let told = try NewDeviceToken(body.token, by: secret, at: now)
            let isNew = seen.insert(told.event).inserted
            if isNew { heard.append(told.device) }
        }
        try receive()
        try receive()

        #expect(heard == [device])
    }

    @Test func `find a server's addresses`() throws {
        let issuer = try Issuer("https://id.example.com/staff")
        let token = issuer.appending("token")  // https://id.example.com/staff/token
        let metadata = issuer.wellKnown("oauth-authorization-server")
        // https://id.example.com/.well-known/oauth-authorization-server/staff

        #expect(token == "https://id.example.com/staff/token")
        #expect(metadata == "https://id.example.com/.well-known/oauth-authorization-server/staff")
    }

    @Test func `make a request of an endpoint`() throws {
        let token = try Endpoint("https://id.example.com/token")
        let request = token.request(.post)

        #expect(request.path == "/token")
    }

    @Test func `present a token`() {
        let token = AccessToken(revealing: "2YotnFZFEjr1zCsicMWpAA")
        let value = BearerHeader.value(for: token)  // "Bearer 2YotnFZFEjr1zCsicMWpAA"

        #expect(value == "Bearer 2YotnFZFEjr1zCsicMWpAA")
    }

    @Test func `read an object of strings`() throws {
        let members = try TextMembers(parsing: #"{"domain":"sp.example.com"}"#.utf8)
        let domain = members["domain"]  // "sp.example.com"

        #expect(domain == "sp.example.com")
    }

    @Test func `say what a token is worth`() {
        var answer = IntrospectionResponse(active: true)
        answer.clientID = ClientID("tv")
        answer.expires = 1_800_000_000

        #expect(answer.clientID == ClientID("tv"))
    }

    @Test func `ask for an authorization code`() {
        let verifier: CodeVerifier = CodeMint(drawingFrom: .system).secret()
        let state = "af0ifjsldkj"
        var request = AuthorizationRequest(
            client: ClientID("app"),
            redirectURI: "https://app.example/callback",
            challenge: CodeChallenge(of: verifier)
        )
        request.scope = Scope([.openid])
        request.state = state
        let address = "https://id.example/authorize?\(request.form.encoded)"

        #expect(address.hasPrefix("https://id.example/authorize?response_type=code&client_id=app"))
    }

    @Test func `name a key`() {
        let key = DPoPKey(drawingFrom: .system)
        let thumbprint = KeyThumbprint(of: key.publicKey)  // the same as key.thumbprint

        #expect(thumbprint == key.thumbprint)
    }

    @Test func `name the request of a proof`() {
        let target = DPoPTarget(.post, "HTTPS://Id.example.com:443/a/../token?x=1")
        let uri = target?.uri  // https://id.example.com/token

        #expect(uri == "https://id.example.com/token")
    }

    @Test func `prove a key`() throws {
        let now = Date()
        var request = try Endpoint("https://id.example.com/token").request(.post)
        let key = DPoPKey(drawingFrom: .system)
        if let target = DPoPTarget(.post, "https://id.example.com/token") {
            request.headerFields[.dpop] = try key.proof(for: target, at: now, drawingFrom: .system)
        }
        try check(request, key, at: now)
    }

    private struct Answer {
        let headerFields: HTTPFields
        let error: OAuthError.Code?
    }

    private func send(_ request: HTTPRequest) async throws -> Answer {
        Answer(headerFields: [.dpopNonce: "a-nonce"], error: .useDPoPNonce)
    }

    @Test func `prove a key with the nonce of a server`() async throws {
        let (now, key) = (Date(), DPoPKey(drawingFrom: .system))
        let target = try #require(DPoPTarget(.post, "https://id.example.com/token"))
        var request = try Endpoint("https://id.example.com/token").request(.post)
        var prover = DPoPProver(key)
        request.headerFields[.dpop] = try prover.proof(for: target, at: now, drawingFrom: .system)
        let answer = try await send(request)
        if prover.note(answer.headerFields, refusedAs: answer.error, of: request.headerFields) {
            request.headerFields[.dpop] = try prover.proof(for: target, at: now, drawingFrom: .system)
        }

        #expect(prover.nonce == DPoPNonce("a-nonce"))
        let isRepeated = prover.note(answer.headerFields, refusedAs: answer.error, of: request.headerFields)
        #expect(!isRepeated, "once is enough")
    }

    @Test func `ask for proofs that were not made in advance`() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)

        let nonces = DPoPNonces(drawingFrom: .system)

        #expect(nonces.nonce(at: now) == nonces.nonce(at: now))
    }

    private func check(_ request: HTTPRequest, _ key: DPoPKey, at now: Date) throws {
        let target = try #require(DPoPTarget(.post, "https://id.example.com/token"))
        let proof = try UnverifiedDPoPProof(in: request.headerFields)
        let verified = try proof?.verified(for: target, freshBy: .byTime, at: now)

        #expect(verified?.thumbprint == key.thumbprint)
    }

    @Test func `refuse`() {
        #expect(throws: OAuthError(.invalidGrant, because: "")) {
            throw OAuthError(.invalidGrant, because: "the refresh token belongs to another client")
        }
        #expect(throws: CrossPlatformError(.slowDown, because: "")) {
            throw CrossPlatformError(.slowDown, "ask less often", retryIn: 5, because: "polled after 2 s")
        }
    }

    @Test func `exchanging a token of another provider`() throws {
        let idToken = "a.b.c"
        let request = TokenRequest.tokenExchange(
            TokenExchangeRequest(SubjectToken(revealing: idToken), of: .idToken, scope: Scope([.openid]))
        )
        let body = request.form.encoded
        #expect(try TokenRequest(form: Form(parsing: Array(body.utf8))) == request)
    }

    @Test func `exchanging an ID token with a nonce`() {
        struct AppleRequest { var nonce: String? }
        var appleRequest = AppleRequest()
        let idToken = "a.b.c"
        let nonce = SubjectTokenNonce(drawingFrom: .system)
        appleRequest.nonce = nonce.challenge
        // Later, with the token that came of it:
        var exchange = TokenExchangeRequest(SubjectToken(revealing: idToken), of: .idToken)
        exchange.nonce = nonce
        #expect(appleRequest.nonce?.count == 64 && exchange.nonce == nonce)
    }

    @Test func `read a telephone number as it is dialled at home`() throws {
        let number = try PhoneNumber("06 12 34 56 78", dialledIn: "NL")

        #expect(number.text == "+31612345678")
    }
}
