import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A server that believes another provider, which runs on this machine.
struct TestProvider: Sendable {
    static let secret = ClientSecret(revealing: "secret+at/the=provider")
    static let client = ClientID("countersign")
    /// An app whose tokens can be exchanged.
    static let app = ClientID("com.example.app")

    let server: TestServer
    let other: OpenIDProvider
    let record: IdentityProvider
    /// The clock of the provider, which a test may set apart.
    let clock: ManualClock

    var id: IdentityProvider.ID { record.id }

    /// Opens a server that offers the provider as `work`.
    static func open(
        editing edit: @escaping @Sendable (inout IdentityProvider) -> Void = { _ in },
        configuring: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (TestProvider) async throws -> Void
    ) async throws {
        try await TestServer.open(withApps: true, configuring: configuring) { server in
            let clock = ManualClock()
            let other = try await OpenIDProvider.start(
                clock: clock.source,
                drawingFrom: SeededRandom(seed: 7).source
            )
            let record = try await server.add(other, as: "work", editing: edit)
            try await test(TestProvider(server: server, other: other, record: record, clock: clock))
        }
    }

    /// Sends a browser to the provider; returns the address that it goes to.
    func departure(of browser: TestBrowser, returningTo target: String = "/activate") async throws -> String {
        try #require(try await browser.post("login/with/\(id)", ["return_to": target]).departure)
    }

    /// Lets the person allow it there; where the browser comes back.
    func arrival(from address: String) throws -> String {
        let back = try other.answer(to: address)
        #expect(back.hasPrefix(server.issuer.text))
        return String(back.dropFirst(server.issuer.text.count))
    }

    /// The server's answer when a browser comes back.
    func arrive(_ browser: TestBrowser, at path: String) async throws -> TestResponse {
        try await server.get(path, headers: [.cookie: browser.cookie])
    }

    /// The whole way there and back.
    func signIn(_ browser: TestBrowser) async throws -> TestResponse {
        try await arrive(browser, at: try arrival(from: try await departure(of: browser)))
    }

    /// Connects the provider's person with one of the server's.
    func connect(_ person: TestPerson = .anna) async throws {
        let identity = LinkedIdentity(
            issuer: record.issuer,
            subject: other.person.subject.rawValue,
            person: person.subject,
            label: nil,
            linked: server.clock.date
        )
        try await server.change { try $0.identities.insert(identity) }
    }

    /// The identities of a person.
    func identities(of person: TestPerson = .anna) async throws -> [LinkedIdentity] {
        try await server.store.read { try $0.identities.all(of: person.subject) }
    }

    /// The people whom the server knows.
    func people() async throws -> [Person] { try await server.store.read { try $0.people.all() } }

    /// An ID token that a provider made for a client, in the way that an app gets one.
    ///
    /// - Parameters:
    ///   - client: The client; an app whose tokens can be exchanged, by default.
    ///   - another: A provider beside the one of this test.
    ///   - nonce: The `nonce` that the app gives the provider; none by default.
    func idToken(
        for client: ClientID = TestProvider.app,
        of another: OpenIDProvider? = nil,
        nonce: String? = nil
    ) async throws -> String {
        let other = another ?? other
        other.register(client, secret: nil, returningTo: ["com.example.app:/done"])
        let verifier = CodeVerifier(revealing: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        var request = AuthorizationRequest(
            client: client,
            redirectURI: "com.example.app:/done",
            challenge: CodeChallenge(of: verifier)
        )
        request.scope = Scope([.openid])
        request.nonce = nonce
        let back = try other.answer(to: "\(other.base)/authorize?\(request.form.encoded)")
        let form = try Form(parsing: Array(back.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
        let code = AuthorizationCode(revealing: try #require(form["code"]))
        var ask = TokenRequest.authorizationCode(code, redirectURI: "com.example.app:/done", verifier: verifier).form
        ask["client_id"] = client.rawValue
        var message = try Endpoint("\(other.base)/token").request(.post)
        message.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let answer = try await SystemTransport.make().send(message, body: Array(ask.encoded.utf8), within: .seconds(30))
        let tokens = try JSONDecoder().decode(TokenResponse.self, from: Data(answer.body))
        return try #require(tokens.idToken?.revealed)
    }
}

extension TestServer {
    /// Configures a provider.
    func add(
        _ other: OpenIDProvider,
        as name: String,
        editing edit: (inout IdentityProvider) -> Void = { _ in }
    ) async throws -> IdentityProvider {
        var settings = IdentityProvider.OpenID(
            client: TestProvider.client,
            credential: .secret(TestProvider.secret.revealed),
            scope: Scope([.profile, .email])
        )
        settings.exchangeAudiences = [TestProvider.app]
        var record = IdentityProvider(
            id: IdentityProvider.ID(name),
            displayName: "The \(name)",
            issuer: IdentityIssuer(other.issuer),
            kind: .openID(settings),
            created: clock.date
        )
        edit(&record)
        other.register(
            TestProvider.client,
            secret: TestProvider.secret,
            returningTo: [record.redirectURI(at: issuer)]
        )
        try await change { [record] in try $0.identityProviders.insert(record) }
        return record
    }
}

extension TestResponse {
    /// The address that the page sends the browser to by itself.
    var departure: String? {
        headers[HTTPField.Name("Refresh")!]?.split(separator: "=", maxSplits: 1).last.map(String.init)
    }

    /// Whether it is a page with this heading, that gives no session.
    func isProblem(_ problem: ProviderSignInError) -> Bool {
        let view = ProblemView(.provider(problem, named: "The work"))
        return status.code == view.status && text.contains(view.heading.english) && headers[.setCookie] == nil
    }
}

extension IdentityProvider {
    /// Changes what is needed to speak OpenID Connect with it.
    mutating func editOpenID(_ edit: (inout OpenID) -> Void) {
        guard case .openID(var settings) = kind else {
            Issue.record("\(id) is no OpenID provider")
            return
        }
        edit(&settings)
        kind = .openID(settings)
    }
}
