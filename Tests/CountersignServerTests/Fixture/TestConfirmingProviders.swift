import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A server that exchanges the tokens of providers that it asks about each of them; they run on this machine.
struct TestConfirmingProviders: Sendable {
    static let facebook = IdentityIssuer("https://www.facebook.com")
    static let x = IdentityIssuer("https://x.com")

    let server: TestServer
    let graph: GraphProvider
    let twitter: TwitterProvider

    /// Opens a server that offers none of them yet; the TV, the radio and the console may exchange tokens.
    static func open(
        configuring: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (TestConfirmingProviders) async throws -> Void
    ) async throws {
        try await TestServer.open(configuring: configuring) { server in
            for client in [TestClients.tv, .radio] {
                try await server.change(client) { $0.grantTypes.append(.tokenExchange) }
            }
            let graph = try await GraphProvider.start()
            graph.needsProof = true
            let random = SeededRandom(seed: 13).source
            let twitter = try await TwitterProvider.start(clock: server.serverClock, drawingFrom: random)
            try await test(Self(server: server, graph: graph, twitter: twitter))
        }
    }

    var graphSettings: IdentityProvider.SocialGraph {
        IdentityProvider.SocialGraph(
            app: graph.app,
            secret: ProviderSecret(revealing: graph.appSecret.revealed),
            base: graph.base,
            version: GraphProvider.version
        )
    }

    var twitterSettings: IdentityProvider.OAuth1 {
        IdentityProvider.OAuth1(
            consumer: twitter.app.client,
            secret: ProviderSecret(revealing: twitter.app.secret.revealed),
            base: twitter.base
        )
    }

    var bearerSettings: IdentityProvider.Bearer {
        IdentityProvider.Bearer(base: twitter.base, vouchers: [TestClients.console.id, TestClients.radio.id])
    }

    /// Configures a provider.
    func add(
        _ kind: IdentityProvider.Kind,
        as name: String,
        makingAccounts: Bool = false
    ) async throws {
        let issuer =
            switch kind {
            case .openID, .socialGraph: Self.facebook
            case .oauth1, .bearer: Self.x
            }
        var provider = IdentityProvider(
            id: IdentityProvider.ID(name),
            displayName: "The \(name)",
            issuer: issuer,
            kind: kind,
            created: server.clock.date
        )
        provider.makesAccounts = makingAccounts
        try await server.change { [provider] in try $0.identityProviders.insert(provider) }
    }

    /// Connects an identity with Anna.
    func connect(_ subject: String, of issuer: IdentityIssuer) async throws {
        let identity = LinkedIdentity(
            issuer: issuer,
            subject: subject,
            person: TestPerson.anna.subject,
            label: nil,
            linked: server.clock.date
        )
        try await server.change { try $0.identities.insert(identity) }
    }

    /// Presents a token.
    func exchange(
        _ token: String,
        of type: TokenTypeIdentifier,
        at issuer: String? = nil,
        as client: TestClients = .tv
    ) async throws -> TestResponse {
        var request = TokenExchangeRequest(SubjectToken(revealing: token), of: type)
        request.subjectIssuer = issuer
        return try await server.post("/token", try TokenRequest.tokenExchange(request).form.with(client.form))
    }

    /// The proofs of the person in each sign-in of Anna's.
    func evidence() async throws -> [[Evidence.Proof]] {
        try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.map(\.grant.evidence.proofs)
    }
}

extension TestResponse {
    /// Whether it says that the token is not good.
    var isRefusal: Bool {
        status == .badRequest && error == .invalidRequest && text.contains("the subject token is not good")
    }

    /// Whether it says that the provider cannot be asked.
    var isUnavailable: Bool { status == .serviceUnavailable && error == .temporarilyUnavailable }
}
