import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A client with the profile `fapi2`, and the key that its tokens are bound to.
struct FAPIApp: Sendable {
    let app: SigningApp
    let key = DPoPKey(drawingFrom: .system)
    let anna: TestBrowser

    var server: TestServer { app.server }
    var request: AuthorizationRequest { app.request }

    /// Adds the client to a server with the ``TestApps``, and a browser of Anna's.
    static func add(to server: TestServer, editing edit: (inout Client) -> Void = { _ in }) async throws -> FAPIApp {
        let app = SigningApp(server: server)
        try await app.register { client in
            client.redirects.profile = .fapi2
            edit(&client)
            #expect(client.redirects.profile?.objection(to: client) == nil)
        }
        return FAPIApp(app: app, anna: try await server.browser(of: .anna))
    }

    /// A code that Anna approved.
    func code(_ form: Form? = nil) async throws -> AuthorizationCode {
        let query = try await app.pushedQuery(form)
        let page = try await anna.get("authorize?\(query)")
        let answer = page.status == .ok ? try await anna.authorize(query: query) : page
        return try #require(answer.authorization?.code)
    }

    /// Redeems a code with everything that belongs to it.
    func redeem(_ code: AuthorizationCode, credentials: Form? = nil) async throws -> TestResponse {
        try await app.redeem(code, credentials: credentials, headers: try server.proof(by: key))
    }

    /// The whole sign-in.
    func signedIn() async throws -> TokenResponse {
        try await redeem(try await code()).json(TokenResponse.self)
    }

    /// The form of an assertion with other claims, each as JSON; `nil` takes one away.
    func credentials(changing changes: [String: String?], header: String? = nil) throws -> Form {
        let now = Int(server.clock.date.timeIntervalSince1970)
        var claims: [String: String] = [
            "iss": "\"\(app.id)\"", "sub": "\"\(app.id)\"", "aud": "\"\(server.issuer.text)\"",
            "jti": "\"\(UUID().uuidString)\"", "iat": "\(now)", "exp": "\(now + 60)",
        ]
        for (name, value) in changes { claims[name] = value }
        let json = claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return [
            "client_assertion_type": UnverifiedClientAssertion.type,
            "client_assertion": try app.key.signed("{\(json)}", header: header ?? #"{"alg":"ES256","kid":"one"}"#),
        ]
    }

    /// The answer of `/par` to the usual request with these credentials.
    func push(with credentials: Form) async throws -> TestResponse {
        try await server.post("/par", try request.form.with(credentials))
    }
}
