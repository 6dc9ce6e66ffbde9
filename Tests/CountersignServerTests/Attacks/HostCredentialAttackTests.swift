import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The client of a host whose people sign in to ssh and sudo, as `Documentation/HostSignIn.md` sets it up: root there has
/// its secret and its tokens.
@Suite("The credential of a host", .server(withApps: true))
struct HostCredentialAttackTests {
    let server = TestServer.current

    /// The way by which a host gets its tokens.
    enum Way: CaseIterable, Sendable {
        case backchannel, deviceCode
    }

    /// A use of the secret or the tokens that is not the host's own.
    enum Use: CaseIterable, Sendable {
        case introspectionByService, introspectionByClient, introspectionOfRefreshToken
        case account, accountByCookie, signOutOfAnotherScreen
        case look, decision, decisions, undoing, inbox, devices, device, personCode
        case clientCredentials, tokenExchange, pushedRequest, authorizationAtOtherRedirect
        case codeOfOtherClient, requestOfOtherClient, refreshAsOtherClient, hintAsOtherClient
    }

    /// An answer by which nobody gets anything.
    enum Refusal: Equatable, Sendable {
        case error(OAuthError.Code)
        case insufficientScope
        case inactive
        case signInPage
        case page(HTTPResponse.Status)
    }

    private static let uses: [(Use, Refusal)] = [
        (.introspectionByService, .inactive), (.introspectionByClient, .inactive),
        (.introspectionOfRefreshToken, .inactive),
        (.account, .signInPage), (.accountByCookie, .signInPage), (.signOutOfAnotherScreen, .page(.forbidden)),
        (.look, .insufficientScope), (.decision, .insufficientScope), (.decisions, .insufficientScope),
        (.undoing, .insufficientScope), (.inbox, .insufficientScope), (.devices, .insufficientScope),
        (.device, .insufficientScope), (.personCode, .insufficientScope),
        (.clientCredentials, .error(.unauthorizedClient)), (.tokenExchange, .error(.unauthorizedClient)),
        (.pushedRequest, .error(.unauthorizedClient)), (.authorizationAtOtherRedirect, .page(.badRequest)),
        (.codeOfOtherClient, .error(.unauthorizedClient)), (.requestOfOtherClient, .error(.invalidGrant)),
        (.refreshAsOtherClient, .error(.invalidGrant)), (.hintAsOtherClient, .error(.invalidRequest)),
    ]

    @Test(arguments: uses, Way.allCases)
    func `signs nobody in elsewhere, and approves nothing`(use: (Use, Refusal), way: Way) async throws {
        let host = try await host()
        let anna = try await server.browser(of: .anna)
        let tokens = try await tokens(of: host, by: way, from: anna)
        #expect(try await server.honours(tokens.accessToken))
        let answer = try await answer(to: use.0, of: tokens, as: host, knowing: anna)
        #expect(refusal(in: answer) == use.1, "\(answer.status) \(answer.text)")
        // What was tried spoiled nothing.
        #expect(try await server.honours(tokens.accessToken))
    }

    @Test func `is tried in every use`() {
        #expect(Set(Self.uses.map(\.0)) == Set(Use.allCases))
    }

    @Test(arguments: [Client.TokenFormat.opaque, .es256], Way.allCases)
    func `is meant for the server alone, also where it asks for more`(format: Client.TokenFormat, way: Way)
        async throws
    {
        let host = try await host(format)
        let anna = try await server.browser(of: .anna)
        let tokens = try await tokens(
            of: host, by: way, from: anna, scope: "openid profile groups email nearby_approve play")
        #expect(tokens.scope == Scope([.openid, .profile, .groups]))
        let asking: Form = ["token": tokens.accessToken.revealed]
        let described = try await server.post("/introspect", asking.with(host.credentials))
            .json(IntrospectionResponse.self)
        #expect(described.active && described.audience == Audience([server.issuer.text]))
        if format == .es256 {
            #expect(try await server.read(tokens.accessToken.revealed).text("aud") == server.issuer.text)
        }
        let idToken = try await server.read(try #require(tokens.idToken).revealed)
        #expect(idToken.text("aud") == host.name)
    }

    // MARK: The host

    private func host(_ format: Client.TokenFormat = .opaque) async throws -> TestBackchannelClient {
        let host = TestBackchannelClient(server: server, name: "host1")
        try await host.register { record in
            record.grantTypes = [.backchannelAuthentication, .deviceCode, .refreshToken]
            record.scope = Scope([.openid, .profile, .groups])
            record.tokenFormat = format
        }
        return host
    }

    /// The tokens of a sign-in at a host that Anna approved.
    private func tokens(
        of host: TestBackchannelClient,
        by way: Way,
        from anna: TestBrowser,
        scope: String = "openid profile groups"
    ) async throws -> TokenResponse {
        let answer: TestResponse
        switch way {
        case .backchannel:
            let asked = try await host.asked(["scope": scope])
            try await anna.answerQuestion("approve")
            answer = try await host.poll(asked)
        case .deviceCode:
            let asking: Form = ["scope": scope]
            let codes = try await server.post("/device_authorization", asking.with(host.credentials))
                .json(DeviceAuthorizationResponse.self)
            try await anna.decide("approve", codes)
            answer = try await server.post(
                "/token", TokenRequest.deviceCode(codes.deviceCode).form.with(host.credentials))
        }
        #expect(answer.status == .ok, "\(answer.text)")
        return try answer.json(TokenResponse.self)
    }

    // MARK: Its uses

    private func answer(
        to use: Use,
        of tokens: TokenResponse,
        as host: TestBackchannelClient,
        knowing anna: TestBrowser
    ) async throws -> TestResponse {
        let access = tokens.accessToken.revealed
        let bearer: HTTPFields = [.authorization: BearerHeader.value(for: tokens.accessToken)]
        switch use {
        case .introspectionByService: return try await introspect(access, as: .api)
        case .introspectionByClient: return try await introspect(access, as: .console)
        case .introspectionOfRefreshToken:
            return try await introspect(try #require(tokens.refreshToken).revealed, as: .api)
        case .account: return try await server.get("/account", headers: bearer)
        case .accountByCookie:
            let name = anna.cookie.prefix { $0 != "=" }
            return try await server.get("/account", headers: [.cookie: "\(name)=\(access)"])
        case .signOutOfAnotherScreen:
            let grant = try await anna.approve(try await server.ask())
            return try await server.post("/account/sign-out", ["grant": grant.rawValue], headers: bearer)
        case .look: return try await server.post("/approver/look", ["user_code": "x"], headers: bearer)
        case .decision: return try await server.post("/approver/decide", ["user_code": "x"], headers: bearer)
        case .decisions: return try await server.get("/approver/decisions", headers: bearer)
        case .undoing: return try await server.post("/approver/undo", Form(), headers: bearer)
        case .inbox: return try await server.get("/authenticator/inbox", headers: bearer)
        case .devices: return try await server.get("/authenticator/devices", headers: bearer)
        case .device: return try await server.get("/authenticator/device", headers: bearer)
        case .personCode: return try await server.post("/authenticator/person-code", Form(), headers: bearer)
        case .clientCredentials, .tokenExchange, .codeOfOtherClient, .requestOfOtherClient, .refreshAsOtherClient:
            return try await redeeming(use, of: tokens, as: host, knowing: anna)
        case .pushedRequest:
            let secret: Form = ["client_secret": host.secret.revealed]
            return try await server.post("/par", Self.request(of: host).form.with(secret))
        case .authorizationAtOtherRedirect:
            return try await anna.authorize(Self.request(of: host))
        case .hintAsOtherClient:
            let desk = try await TestBackchannelClient.add(to: server)
            let token = try #require(tokens.idToken).revealed
            return try await desk.ask(["login_hint": "", "id_token_hint": token])
        }
    }

    /// A request of a host that is to be answered at the address of another client.
    private static func request(of host: TestBackchannelClient) -> AuthorizationRequest {
        var request = TestApps.shop.request
        request.client = host.id
        return request
    }

    private func introspect(_ token: String, as client: TestClients) async throws -> TestResponse {
        try await server.post("/introspect", client.form.with(["token": token]))
    }

    /// The answer of the token endpoint.
    private func redeeming(
        _ use: Use,
        of tokens: TokenResponse,
        as host: TestBackchannelClient,
        knowing anna: TestBrowser
    ) async throws -> TestResponse {
        let request: TokenRequest
        switch use {
        case .tokenExchange:
            let token = SubjectToken(revealing: try #require(tokens.idToken).revealed)
            request = .tokenExchange(TokenExchangeRequest(token, of: .idToken))
        case .codeOfOtherClient:
            request = .authorizationCode(
                try await anna.code(for: .shop), redirectURI: TestApps.shop.redirectURIs[0],
                verifier: TestApps.verifier)
        case .requestOfOtherClient:
            let desk = try await TestBackchannelClient.add(to: server)
            let asked = try await desk.asked()
            try await anna.answerQuestion("approve")
            request = .backchannelAuthentication(asked.request)
        case .refreshAsOtherClient:
            let form = TokenRequest.refresh(try #require(tokens.refreshToken), scope: .none).form
            return try await server.post("/token", form.with(TestApps.shop.credentials))
        default: request = .clientCredentials(scope: .none)
        }
        return try await server.post("/token", request.form.with(host.credentials))
    }

    private func refusal(in answer: TestResponse) -> Refusal? {
        if answer.text == #"{"active":false}"# { return .inactive }
        if answer.headers[.wwwAuthenticate]?.contains(#"error="insufficient_scope""#) == true {
            return answer.status == .forbidden ? .insufficientScope : nil
        }
        if let error = answer.error { return .error(error) }
        if answer.location?.hasPrefix("/login?") == true { return .signInPage }
        return answer.location == nil && answer.status != .ok ? .page(answer.status) : nil
    }
}
