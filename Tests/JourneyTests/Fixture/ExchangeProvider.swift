import Countersign
import CountersignServer
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import Testing

/// An OpenID provider whose tokens the TV may exchange at the server, and whose person is Anna.
struct ExchangeProvider: Sendable {
    /// The app on the TV, as the provider knows it.
    private static let app = ClientID("com.example.app")

    private let provider: OpenIDProvider

    /// Runs a story at a server and a provider whose tokens keep a rule.
    static func play(
        _ rule: TokenExchangeNonceRule,
        _ body: (JourneyServer, ExchangeProvider) async throws -> Void
    ) async throws {
        try await JourneyServer.with { server in
            let other = try await OpenIDProvider.start(clock: server.clock.source, drawingFrom: .system)
            var settings = IdentityProvider.OpenID(client: ClientID(""), credential: .none)
            settings.isOnLoginPage = false
            settings.exchangeAudiences = [Self.app]
            settings.exchangeNonce = rule
            let provider = IdentityProvider(
                id: IdentityProvider.ID("work"), displayName: "Work", issuer: IdentityIssuer(other.issuer),
                kind: .openID(settings), created: server.clock.date)
            try await server.addExchange(of: provider, naming: other.person.subject.rawValue)
            try await body(server, ExchangeProvider(provider: other))
        }
    }

    /// An ID token as the provider's own software gives it to the app.
    func idToken(nonce: String?) async throws -> UnverifiedIDToken {
        let redirect = "com.example.app:/done"
        provider.register(Self.app, secret: nil, returningTo: [redirect])
        let verifier = CodeVerifier(revealing: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        var request = AuthorizationRequest(
            client: Self.app, redirectURI: redirect, challenge: CodeChallenge(of: verifier))
        request.scope = Scope([.openid])
        request.nonce = nonce
        let back = try provider.answer(to: "\(provider.base)/authorize?\(request.form.encoded)")
        let form = try Form(parsing: Array(back.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
        let code = AuthorizationCode(revealing: try #require(form["code"]))
        var ask = TokenRequest.authorizationCode(code, redirectURI: redirect, verifier: verifier).form
        ask["client_id"] = Self.app.rawValue
        let address = try #require(URL(string: "\(provider.base)/token"))
        var message = HTTPRequest(
            method: .post, scheme: "http", authority: "\(address.host() ?? ""):\(address.port ?? 0)", path: "/token")
        message.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let answer = try await SystemTransport.make().send(message, body: Array(ask.encoded.utf8), within: .seconds(30))
        return try #require(try JSONDecoder().decode(TokenResponse.self, from: Data(answer.body)).idToken)
    }
}

extension JourneyServer {
    /// Lets the TV exchange tokens of a provider, whose person is Anna.
    func addExchange(of provider: IdentityProvider, naming subject: String) async throws {
        let identity = LinkedIdentity(
            issuer: provider.issuer, subject: subject, person: JourneyPerson.anna.subject, label: nil,
            linked: clock.date)
        try await change { repositories in
            var client = try #require(try repositories.clients.find(JourneyParties.tv))
            client.grantTypes.append(.tokenExchange)
            try repositories.clients.update(client)
            try repositories.identityProviders.insert(provider)
            try repositories.identities.insert(identity)
        }
    }
}
