import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A client that holds a key, and signs its assertions and its requests with it.
struct SigningApp: Sendable {
    let server: TestServer
    let key = AssertionKey()
    var id = "signer"

    var client: ClientID { ClientID(id) }
    var redirectURI: String { "https://\(id).example/done" }

    /// Registers it.
    func register(_ edit: (inout Client) -> Void = { _ in }) async throws {
        var record = Client(
            id: client,
            name: "The \(id)",
            kind: .keys(key.set),
            grantTypes: [.authorizationCode, .refreshToken],
            scope: Scope([.openid, .profile, .email, ScopeWord("play")]),
            tokenFormat: .opaque,
            redirects: RedirectRegistration(redirectURIs: [redirectURI]),
            created: server.clock.date
        )
        edit(&record)
        try await server.change { [record] in try $0.clients.insert(record) }
    }

    /// A request for everything that it usually wants.
    var request: AuthorizationRequest {
        var request = AuthorizationRequest(
            client: client,
            redirectURI: redirectURI,
            challenge: CodeChallenge(of: TestApps.verifier)
        )
        request.scope = Scope([.openid, .profile])
        request.state = "a state"
        request.nonce = "a nonce"
        return request
    }

    // MARK: Signing

    /// The claims of a request object, each as JSON.
    func claims(_ request: AuthorizationRequest) -> [String: String] {
        let now = Int(server.clock.date.timeIntervalSince1970)
        var claims = [
            "iss": "\"\(id)\"", "aud": "\"\(server.issuer.text)\"", "nbf": "\(now)", "exp": "\(now + 300)",
        ]
        for (name, value) in request.form.parameters { claims[name] = "\"\(value)\"" }
        return claims
    }

    /// A request object; `changes` replace claims, each as JSON, or take them away.
    func object(
        _ request: AuthorizationRequest? = nil,
        changing changes: [String: String?] = [:],
        header: String = #"{"alg":"ES256","kid":"one","typ":"oauth-authz-req+jwt"}"#
    ) throws -> String {
        let claims = claims(request ?? self.request).merging(changes.compactMapValues { $0 }) { $1 }
            .filter { name, _ in changes[name].map { $0 != nil } ?? true }
        let json = claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return try key.signed("{\(json)}", header: header)
    }

    /// The form that authenticates it.
    func credentials(to audience: String? = nil) throws -> Form {
        try key.form(id, to: audience ?? server.issuer.text, at: server.clock.date)
    }

    // MARK: Asking

    /// Stores a request beforehand.
    func push(_ form: Form, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.post(server.path("par"), try form.with(try credentials()), headers: headers)
    }

    /// The query of `/authorize` for a request that is stored beforehand.
    func pushedQuery(_ form: Form? = nil, headers: HTTPFields = [:]) async throws -> String {
        let answer = try await push(form ?? request.form, headers: headers)
        #expect(answer.status == .created)
        let name = try answer.json(PushedAuthorizationResponse.self).requestURI
        return Form(dictionaryLiteral: ("client_id", id), ("request_uri", name)).encoded
    }

    /// The query of `/authorize` with a request object.
    func query(_ object: String, and others: Form = Form()) throws -> String {
        try Form(dictionaryLiteral: ("client_id", id), ("request", object)).with(others).encoded
    }

    /// Redeems a code with everything that belongs to it.
    func redeem(
        _ code: AuthorizationCode?,
        verifier: CodeVerifier? = TestApps.verifier,
        credentials: Form? = nil,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let request = TokenRequest.authorizationCode(try #require(code), redirectURI: redirectURI, verifier: verifier)
        let form = try request.form.with(try credentials ?? self.credentials())
        return try await server.post(server.path("token"), form, headers: headers)
    }

    /// Replaces a refresh token.
    func refresh(_ token: RefreshToken?, headers: HTTPFields = [:]) async throws -> TestResponse {
        let form: Form = ["grant_type": "refresh_token", "refresh_token": token?.revealed ?? ""]
        return try await server.post(server.path("token"), try form.with(try credentials()), headers: headers)
    }
}

extension TestBrowser {
    /// Opens `/authorize` with a query and answers on the page that it shows.
    func authorize(query: String, answering decision: String = "approve") async throws -> TestResponse {
        let page = try await get("authorize?\(query)")
        #expect(page.status == .ok)
        return try await post(
            "authorize/decision",
            ["authorization": page.unescapedField("authorization"), "decision": decision]
        )
    }

    /// Signs a person in at a browser of their own, after the server sent them to its sign-in page.
    ///
    /// - Returns: The browser, and the query of `/authorize` that it comes back to.
    func signInAgain(
        sentBy response: TestResponse,
        as person: TestPerson = .anna
    ) async throws -> (browser: TestBrowser, query: String) {
        let login = try #require(response.location)
        #expect(login.hasPrefix("/login?"))
        let page = try await server.get(login, headers: [.cookie: cookie])
        let target = try #require(page.unescapedField("return_to"))
        let browser = try await server.browser(of: person)
        return (browser, String(target.drop { $0 != "?" }.dropFirst()))
    }
}
