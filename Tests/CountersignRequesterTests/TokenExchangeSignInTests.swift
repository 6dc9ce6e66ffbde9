import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import HTTPTypes
import Testing

@testable import CountersignRequester

/// Standard: RFC 8693 §2.
@Suite("A sign-in by a token of another provider")
struct TokenExchangeSignInTests {
    private let server: ScriptedServer
    private let store = MemoryTokenStore()
    private let token = ProviderToken.idToken(UnverifiedIDToken(revealing: "a.foreign.token"))

    init() throws {
        server = try ScriptedServer()
    }

    private func signIn(
        for scope: Scope = .none,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) -> TokenExchangeSignIn {
        var options = SignInOptions()
        change(&options)
        return TokenExchangeSignIn(
            at: server.issuer,
            as: server.client,
            for: scope,
            keepingTokensIn: store,
            options: options,
            in: server.context
        )
    }

    private func failure(
        _ token: ProviderToken? = nil,
        for scope: Scope = .none,
        _ change: (inout SignInOptions) -> Void = { _ in }
    ) async -> SignInError? {
        do throws(SignInError) {
            _ = try await signIn(for: scope, change).exchange(token ?? self.token)
            return nil
        } catch {
            return error
        }
    }

    private func granted(
        _ idToken: UnverifiedIDToken? = nil,
        type: String = "Bearer",
        issued: TokenTypeIdentifier? = .accessToken
    ) -> ScriptedTransport.Reply {
        .json(
            TokenResponse(
                accessToken: AccessToken(revealing: "access-1"), tokenType: type, expiresIn: 300,
                refreshToken: RefreshToken(revealing: "refresh-1"), idToken: idToken, issuedTokenType: issued))
    }

    @Test func `presents the token once, and is kept where it is renewed`() async throws {
        server.transport.reply(at: "/token", with: granted(try server.idToken(server.claims)))
        let nonce = SubjectTokenNonce(revealing: "kept by the app")
        var token = ProviderToken.idToken(UnverifiedIDToken(revealing: "a.foreign.token"), nonce: nonce)
        token.subjectIssuer = "google"
        let signedIn = try await signIn(for: Scope([.openid])).exchange(token)
        let sent = server.transport.sent(to: "/token")
        #expect(sent.count == 1)
        let form = try #require(sent.first?.form)
        #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange")
        #expect(form["subject_token"] == "a.foreign.token" && form["client_id"] == server.client.rawValue)
        #expect(form["subject_token_type"] == "urn:ietf:params:oauth:token-type:id_token")
        #expect(form["scope"] == "openid" && form["nonce"] == nonce.revealed && form["subject_issuer"] == "google")
        #expect(signedIn.identity?.displayName == "Anna")
        #expect(try await store.signedIn(for: server.signInKey) == signedIn)
    }

    @Test func `takes the other kinds of token`() async throws {
        server.transport.reply(at: "/token", with: granted())
        let credentials = TokenCredentials(token: OAuth1Token("key"), secret: OAuth1Secret(revealing: "s+/&="))
        _ = try await signIn().exchange(.accessToken(AccessToken(revealing: "EAAB")))
        _ = try await signIn().exchange(.oauth1(credentials))
        _ = try await signIn().exchange(
            ProviderToken(SubjectToken(revealing: "x"), of: TokenTypeIdentifier("urn:example:assertion")))
        let sent = server.transport.sent(to: "/token").map(\.form)
        #expect(
            sent.map { $0["subject_token_type"] } == [
                "urn:ietf:params:oauth:token-type:access_token", "urn:countersign:token-type:oauth1-credentials",
                "urn:example:assertion",
            ])
        #expect(sent[1]["subject_token"] == "oauth_token=key&oauth_token_secret=s%2B%2F%26%3D")
    }

    @Test func `works at any server of the standard`() async throws {
        // It says nothing of the kind, has no ID token, and names no scope.
        server.transport.reply(
            at: "/token",
            with: .json(TokenResponse(accessToken: AccessToken(revealing: "access-1"), expiresIn: nil)))
        let scope = Scope(parsing: "read") ?? .none
        let signedIn = try await signIn(for: scope).exchange(token)
        #expect(signedIn.identity == nil && signedIn.scope == scope && signedIn.refreshToken == nil)
    }

    @Test(arguments: [
        (OAuthError.Code.invalidRequest, SignInError.Code.subjectTokenRefused), (.invalidGrant, .subjectTokenRefused),
        (.unmetAuthenticationRequirements, .strongerSignInNeeded), (.unauthorizedClient, .clientRefused),
        (.invalidClient, .clientRefused), (.invalidScope, .scopeRefused), (.unsupportedGrantType, .grantTypeRefused),
        (OAuthError.Code("invalid_target"), .refused),
    ])
    func `says why it is refused`(said: OAuthError.Code, meaning: SignInError.Code) async {
        server.transport.reply(at: "/token", with: .error(said))
        let error = await failure()
        #expect(error?.code == meaning && error?.providerCode == said.rawValue)
        #expect(server.transport.sent(to: "/token").count == 1)
        #expect(await store.keys().isEmpty)
    }

    @Test func `is repeated only where the token certainly was not used`() async throws {
        server.transport.reply(
            at: "/token", with: .failure(TransportError(.notReached, because: "")),
            .error(.temporarilyUnavailable), .status(.tooManyRequests), granted())
        #expect(await failure() == nil)
        #expect(server.transport.sent(to: "/token").count == 4)
        for lost in [
            ScriptedTransport.Reply.failure(TransportError(.interrupted, because: "")),
            .failure(TransportError(.timedOut, because: "")), .status(.badGateway), .status(.internalServerError),
        ] {
            let before = server.transport.sent(to: "/token").count
            server.transport.reply(at: "/token", with: lost)
            #expect(await failure()?.code == .answerLost)
            #expect(server.transport.sent(to: "/token").count == before + 1)
        }
    }

    @Test(arguments: [
        (ScriptedTransport.Reply.failure(TransportError(.notReached, because: "")), SignInError.Code.notReachable),
        (.failure(TransportError(.notTrusted, because: "")), .notTrusted),
        (.failure(TransportError(.tooLarge, because: "")), .badAnswer),
        (.failure(TransportError(.cancelled, because: "")), .cancelled),
        (.status(.serviceUnavailable), .serverFailure), (.status(.ok), .badAnswer), (.status(.notFound), .badAnswer),
    ])
    func `ends with one error for each fault`(reply: ScriptedTransport.Reply, code: SignInError.Code) async {
        server.transport.reply(at: "/token", with: reply)
        #expect(await failure()?.code == code)
        #expect(await store.keys().isEmpty)
    }

    @Test func `gives back what it cannot use`() async throws {
        var claims = server.claims
        claims.audience = Audience(["another-app"])
        server.transport.reply(at: "/token", with: granted(try server.idToken(claims)))
        #expect(await failure()?.code == .identityRefused)
        #expect(server.revoked == ["refresh-1", "access-1"])
        server.transport.reply(at: "/token", with: granted())
        #expect(await failure(for: Scope([.openid]))?.code == .identityMissing)
        server.transport.reply(
            at: "/token", with: granted(issued: TokenTypeIdentifier("urn:ietf:params:oauth:token-type:jwt")))
        #expect(await failure()?.code == .badAnswer)
        #expect(server.revoked.count == 6)
        #expect(await store.keys().isEmpty)
    }

    @Test func `is given back when it cannot be kept`() async throws {
        server.transport.reply(at: "/token", with: granted())
        let full = FailingTokenStore()
        await full.fail(saving: .notWritten)
        let failing = TokenExchangeSignIn(
            at: server.issuer,
            as: server.client,
            for: .none,
            keepingTokensIn: full,
            in: server.context
        )
        await #expect(throws: SignInError(.notStored, because: "")) { try await failing.exchange(token) }
        #expect(server.revoked.count == 2)
    }

    @Test func `demands a bound token where that is wanted`() async throws {
        var metadata = server.metadata
        metadata.dpopSigningAlgValuesSupported = ["ES256"]
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        server.transport.reply(at: "/token", with: granted())
        #expect(await failure { $0.binding = .required }?.code == .badAnswer)
        server.transport.reply(at: "/token", with: granted(type: "DPoP"))
        let signedIn = try await signIn { $0.binding = .required }.exchange(token)
        #expect(signedIn.key != nil)
        #expect(server.transport.sent(to: "/token").last?.request.headerFields[.dpop] != nil)
    }

    @Test func `gets a nonce of the server where there is one`() async throws {
        await #expect(throws: SignInError(.flowNotOffered, because: "")) { try await signIn().nonce() }
        var metadata = server.metadata
        metadata.exchangeNonceEndpoint = server.issuer.appending("exchange/nonce")
        server.transport.reply(at: ScriptedServer.path, with: .json(metadata))
        let given = ExchangeNonceResponse(nonce: SubjectTokenNonce(revealing: "given"), expiresIn: 600)
        server.transport.reply(at: "/exchange/nonce", with: .status(.serviceUnavailable), .json(given))
        let nonce = try await signIn().nonce()
        #expect(nonce.revealed == "given")
        #expect(server.transport.sent(to: "/exchange/nonce").last?.form["client_id"] == server.client.rawValue)
        // SHA-256 in small digits.
        #expect(nonce.challenge == "5b729e0f619797fd61108a4bb177273222ad9ac5538299c8386f061e29046e60")
        server.transport.reply(at: "/exchange/nonce", with: .error(.unauthorizedClient))
        await #expect(throws: SignInError(.clientRefused, because: "")) { try await signIn().nonce() }
    }

    @Test func `prints no token`() {
        let token = ProviderToken.idToken(
            UnverifiedIDToken(revealing: "a.b.c"), nonce: SubjectTokenNonce(revealing: "hidden"))
        var text = ""
        dump(token, to: &text)
        for secret in ["a.b.c", "hidden"] { #expect(!text.contains(secret) && !"\(token)".contains(secret)) }
    }
}
