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

@Suite("A token of another provider that is exchanged")
struct TokenExchangeGrantTests {
    /// Opens a server that lets the TV and the console exchange tokens.
    private func open(
        connecting: Bool = true,
        editing edit: @escaping @Sendable (inout IdentityProvider) -> Void = { _ in },
        configuring: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (TestProvider) async throws -> Void
    ) async throws {
        try await TestProvider.open(editing: edit, configuring: configuring) { provider in
            try await provider.server.change(.tv) { $0.grantTypes.append(.tokenExchange) }
            if connecting { try await provider.connect() }
            try await test(provider)
        }
    }

    private func exchange(
        _ token: String,
        at provider: TestProvider,
        as client: TestClients = .tv,
        with more: Form = Form(),
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let request = TokenExchangeRequest(SubjectToken(revealing: token), of: .idToken)
        var form = try TokenRequest.tokenExchange(request).form.with(client.form)
        for (name, value) in more.parameters { form[name] = value }
        return try await provider.server.post("/token", form, headers: headers)
    }

    @Test func `becomes a sign-in of its person, that the person sees and ends like any other`() async throws {
        try await open { provider in
            let server = provider.server
            let response = try await exchange(try await provider.idToken(), at: provider)
            let tokens = try response.json(TokenResponse.self)
            #expect(tokens.issuedTokenType == .accessToken && tokens.tokenType == "Bearer")
            #expect(response.headers[.cacheControl] == "no-store")
            let token = try await server.read(try #require(tokens.idToken).revealed)
            #expect(token.text("sub") == TestPerson.anna.subject.rawValue)
            #expect(token.text("iss") == server.issuer.text)
            #expect(token.text("acr") == "urn:countersign:acr:federated" && token.claims["amr"] == nil)
            #expect(try token.evidence().way == .exchange)
            let record = try #require(
                try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first)
            let issuer = IdentityIssuer(provider.other.issuer)
            #expect(record.grant.evidence.proofs == [.federated(issuer: issuer, how: .idToken, at: server.clock.date)])
            let anna = try await server.browser(of: .anna)
            _ = try await anna.post("account/sign-out", ["grant": record.grant.id.rawValue])
            let asked = try await server.get(
                "/userinfo", headers: [.authorization: "Bearer \(tokens.accessToken.revealed)"])
            #expect(asked.status == .unauthorized)
        }
    }

    @Test func `is exchanged once`() async throws {
        try await open { provider in
            let token = try await provider.idToken()
            #expect(try await exchange(token, at: provider).status == .ok)
            #expect(try await exchange(token, at: provider).error == .invalidRequest)
            #expect(try await exchange(token, at: provider, as: .console).error == .invalidRequest)
            for seconds in [300.0, 300, 200, 3000] {
                provider.server.clock.advance(by: .seconds(seconds))
                try await provider.server.maintenance().sweep()
                #expect(try await exchange(token, at: provider).error == .invalidRequest)
            }
        }
    }

    @Test(arguments: 1...8)
    func `counts once for all who present it together`(round: Int) async throws {
        try await open { provider in
            let token = try await provider.idToken()
            let good = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 1...20 { group.addTask { try await exchange(token, at: provider).status == .ok } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(good == 1)
        }
    }

    /// Those that concern what token exchange does not see.
    private static let elsewhere: [IDTokenDefect] = [
        .missing, .otherNonce, .noNonce, .otherTokenHash, .otherCodeHash, .noAuthTime,
    ]

    @Test(arguments: IDTokenDefect.allCases.filter { !elsewhere.contains($0) })
    func `is refused when it is wrong`(lie: IDTokenDefect) async throws {
        try await open { provider in
            provider.other.lie(in: [lie])
            let answer = try await exchange(try await provider.idToken(), at: provider)
            #expect(answer.status == .badRequest && answer.error == .invalidRequest)
            #expect(try await provider.server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.isEmpty)
        }
    }

    @Test func `says nothing of when the person signed in if its provider does not`() async throws {
        try await open { provider in
            provider.other.lie(in: [.noAuthTime])
            let tokens = try await exchange(try await provider.idToken(), at: provider).json(TokenResponse.self)
            let token = try await provider.server.read(try #require(tokens.idToken).revealed)
            #expect(token.claims["auth_time"] == nil && token.text("acr") == "urn:countersign:acr:federated")
        }
    }

    @Test(arguments: ["RS256", "EdDSA"])
    func `may be signed by another algorithm that is accepted`(algorithm: String) async throws {
        try await open { provider in
            if algorithm == "RS256" { provider.other.signByRSA() } else { provider.other.signByEd25519() }
            let answer = try await exchange(try await provider.idToken(), at: provider)
            #expect(answer.status == .ok)
        }
    }

    /// The hashes are those of an access token and a code, which are not presented here: there is nothing to compare
    /// with.
    @Test func `is not judged by the hash of a token that nobody presents`() async throws {
        try await open { provider in
            provider.other.lie(in: [.otherTokenHash, .otherCodeHash])
            let answer = try await exchange(try await provider.idToken(), at: provider)
            #expect(answer.status == .ok)
        }
    }

    @Test func `is refused when it was made for another app, even for this server’s own sign-in page`() async throws {
        try await open { provider in
            for client in ["com.evil.app", TestProvider.client.rawValue] {
                let token = try await provider.idToken(for: ClientID(client))
                #expect(try await exchange(token, at: provider).error == .invalidRequest)
            }
        }
    }

    @Test func `is exchanged by the clients that the operator named, if any, and by no other`() async throws {
        try await open(editing: { $0.exchangers = [TestClients.console.id] }) { provider in
            let token = try await provider.idToken()
            let other = try await exchange(token, at: provider)
            #expect(other.status == .badRequest && other.error == .unauthorizedClient)
            #expect(try await exchange(token, at: provider, as: .console).status == .ok)
            // The TV, which may now exchange for another provider, learns no more than that the token is not good.
            _ = try await provider.server.add(provider.other, as: "second") { second in
                second.editOpenID { $0.exchangeAudiences = [ClientID("another")] }
            }
            let next = try await provider.idToken()
            #expect(try await exchange(next, at: provider).error == .invalidRequest)
            #expect(try await exchange(next, at: provider, as: .console).status == .ok)
        }
    }

    /// As at Google, for an app on Android.
    @Test func `may have been given to another app of the same owner`() async throws {
        try await open { provider in
            provider.other.lie(in: [.otherParty])
            let answer = try await exchange(try await provider.idToken(), at: provider)
            #expect(answer.error == .invalidRequest)
        }
        try await open(editing: { $0.editOpenID { $0.exchangeParties = [ClientID("other-app")] } }) { provider in
            provider.other.lie(in: [.otherParty])
            let good = try await exchange(try await provider.idToken(), at: provider)
            #expect(good.status == .ok)
            // To be given to it is not to be meant for it.
            provider.other.lie(in: [.otherAudience])
            let other = try await exchange(try await provider.idToken(), at: provider)
            #expect(other.error == .invalidRequest)
        }
    }

    @Test func `is of the same person however Google spells its issuer`() async throws {
        let clock = ManualClock()
        let google = try await OpenIDProvider.start(clock: clock.source, drawingFrom: SeededRandom(seed: 5).source)
        google.issuer = "https://accounts.google.com"
        try await TestServer.open(calling: GoogleTransport(base: google.base)) { server in
            try await server.change(.tv) { $0.grantTypes.append(.tokenExchange) }
            let record = try await server.add(google, as: "google")
            let provider = TestProvider(server: server, other: google, record: record, clock: clock)
            try await provider.connect()
            for issuer in ["https://accounts.google.com", "accounts.google.com"] {
                google.issuer = issuer
                let answer = try await exchange(try await provider.idToken(), at: provider)
                let tokens = try answer.json(TokenResponse.self)
                let token = try await server.read(try #require(tokens.idToken).revealed)
                #expect(token.text("sub") == TestPerson.anna.subject.rawValue)
            }
            let kept = try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
            let proof = Evidence.Proof.federated(issuer: record.issuer, how: .idToken, at: server.clock.date)
            #expect(kept.map(\.grant.evidence.proofs) == [[proof], [proof]])
            google.issuer = "accounts.google.com/"
            let other = try await exchange(try await provider.idToken(), at: provider)
            #expect(other.error == .invalidRequest)
        }
        await google.stop()
    }

    /// The two providers call their keys alike.
    @Test func `is refused when another provider that is configured signed it`() async throws {
        try await open { provider in
            let evil = try await OpenIDProvider.start(
                clock: provider.clock.source, drawingFrom: SeededRandom(seed: 9).source)
            _ = try await provider.server.add(evil, as: "evil")
            // Its keys are known from a token of its own, whose person nobody knows here.
            let own = try await provider.idToken(of: evil)
            #expect(try await exchange(own, at: provider).error == .invalidRequest)
            evil.issuer = provider.other.issuer
            let forged = try await provider.idToken(of: evil)
            #expect(try await exchange(forged, at: provider).error == .invalidRequest)
            #expect(try await exchange(try await provider.idToken(), at: provider).status == .ok)
            let signIns = try await provider.server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }
            #expect(signIns.count == 1)
            await evil.stop()
        }
    }

    @Test func `is refused when it is not new`() async throws {
        try await open { provider in
            let token = try await provider.idToken()
            provider.server.clock.advance(by: .seconds(661))
            #expect(try await exchange(token, at: provider).error == .invalidRequest)
        }
    }

    @Test func `is refused for a person who is not known, locked or gone`() async throws {
        try await open(connecting: false) { provider in
            #expect(try await exchange(try await provider.idToken(), at: provider).error == .invalidRequest)
            try await provider.connect()
            try await provider.server.lock(.anna)
            #expect(try await exchange(try await provider.idToken(), at: provider).error == .invalidRequest)
            try await provider.server.change { _ = try $0.people.remove(TestPerson.anna.subject) }
            #expect(try await exchange(try await provider.idToken(), at: provider).error == .invalidRequest)
        }
    }

    @Test func `makes an account where the provider may`() async throws {
        try await open(connecting: false, editing: { $0.makesAccounts = true }) { provider in
            let answer = try await exchange(try await provider.idToken(), at: provider)
            #expect(answer.status == .ok)
            let people = try await provider.people()
            #expect(people.count == TestPerson.allCases.count + 1)
        }
    }

    /// A backend has one address for all of its people.
    @Test func `counts new accounts of a client that authenticates for the client`() async throws {
        try await open(
            connecting: false, editing: { $0.makesAccounts = true },
            configuring: {
                $0.limits[.newAccountPerAddress] = Limit(1, in: 3600)
                $0.limits[.newAccountPerClient] = Limit(3, in: 3600)
            }
        ) { provider in
            func newcomer(_ number: Int, by client: ClientID?) async throws -> Person {
                let identity = ProvenIdentity(
                    confirmedBy: provider.record.issuer,
                    subject: "newcomer \(number)",
                    how: .accessToken,
                    name: nil,
                    at: provider.server.clock.date
                )
                return try await provider.server.server.services.providers.links
                    .person(of: identity, at: provider.record, from: "192.0.2.1", by: client).person
            }
            for number in 1...3 { _ = try await newcomer(number, by: TestClients.console.id) }
            await #expect(throws: RateLimitError.self) { try await newcomer(4, by: TestClients.console.id) }
            _ = try await newcomer(4, by: nil)
            await #expect(throws: RateLimitError.self) { try await newcomer(5, by: nil) }
        }
    }

    @Test func `is for clients that are registered for it, at most for their scope and target`() async throws {
        try await open { provider in
            let token = try await provider.idToken()
            #expect(try await exchange(token, at: provider, as: .radio).error == .unauthorizedClient)
            let more = try await exchange(token, at: provider, with: ["scope": "everything"])
            #expect(more.error == .invalidScope)
            for target in ["audience", "resource"] {
                let other = try await exchange(
                    token, at: provider, with: Form(dictionaryLiteral: (target, "https://x.example")))
                #expect(other.error == .invalidTarget)
            }
            for wrong: Form in [
                ["requested_token_type": "urn:ietf:params:oauth:token-type:refresh_token"], ["actor_token": "a"],
                ["subject_token_type": "urn:ietf:params:oauth:token-type:saml2"],
            ] {
                #expect(try await exchange(token, at: provider, with: wrong).error == .invalidRequest)
            }
            // None of these used the token up.
            let target: Form = ["audience": TestClients.audience, "scope": "openid"]
            let good = try await exchange(token, at: provider, as: .console, with: target)
            #expect(good.status == .ok)
        }
    }

    @Test func `gives tokens that are bound to the client’s key`() async throws {
        try await open { provider in
            let (server, key) = (provider.server, DPoPKey(drawingFrom: .system))
            try await server.change(.tv) { $0.dpop = .required }
            let token = try await provider.idToken()
            #expect(try await exchange(token, at: provider).status == .badRequest)
            let answer = try await exchange(token, at: provider, headers: try server.proof(by: key))
            let tokens = try answer.json(TokenResponse.self)
            #expect(tokens.tokenType == "DPoP")
            #expect(try await server.honours(tokens.accessToken, provenBy: key))
            #expect(try await !server.honours(tokens.accessToken, provenBy: DPoPKey(drawingFrom: .system)))
        }
    }

    @Test(arguments: ScopeDemands.Demand.allCases.filter { $0 != .deliberate })
    func `is not enough for what needs another sign-in`(demand: ScopeDemands.Demand) async throws {
        try await open(configuring: { $0.minimumEvidence = [.profile: ScopeDemands([demand])] }) { provider in
            let all = try await exchange(try await provider.idToken(), at: provider, with: ["scope": "openid profile"])
            #expect(all.status == .badRequest && all.error == .unmetAuthenticationRequirements)
            #expect(try await provider.server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.isEmpty)
            let less = try await exchange(try await provider.idToken(), at: provider, with: ["scope": "openid"])
            #expect(less.status == .ok)
        }
    }

    /// Metadata have no address in themselves: a provider that is not there is tried below.
    private static let faults: [(OpenIDProvider.Step, ProviderFault)] = {
        var all: [(OpenIDProvider.Step, ProviderFault)] = [
            (.keys, .refused), (.keys, .unknownHost), (.keys, .noTLS), (.keys, .missing("keys")),
            (.discovery, .missing("jwks_uri")), (.discovery, .missing("issuer")),
        ]
        let everywhere: [ProviderFault] = [
            .reset, .silence, .status(401), .status(403), .status(404), .status(429), .status(500), .status(503),
            .badUTF8,
            .truncated, .huge,
        ]
        for fault in everywhere { all += [(.discovery, fault), (.keys, fault)] }
        return all
    }()

    @Test(arguments: faults)
    func `waits for a provider whose keys cannot be read, and says so`(
        step: OpenIDProvider.Step,
        fault: ProviderFault
    ) async throws {
        try await open { provider in
            provider.other.fail(at: step, with: fault)
            let answer = try await exchange(try await provider.idToken(), at: provider)
            #expect(answer.status == .serviceUnavailable && answer.error == .temporarilyUnavailable)
            provider.other.fail(at: step)
            for clock in [provider.server.clock, provider.clock] { clock.advance(by: .seconds(700)) }
            await provider.server.server.services.providers.directory.refresh()
            #expect(try await exchange(try await provider.idToken(), at: provider).status == .ok)
        }
    }

    @Test(arguments: ["http://127.0.0.1:1", "https://provider.invalid", "https"])
    func `waits for a provider that is not there, and says so`(place: String) async throws {
        try await open { provider in
            let issuer = place == "https" ? provider.other.base.replacing("http:", with: "https:") : place
            let gone = IdentityProvider(
                id: IdentityProvider.ID("gone"),
                displayName: "Gone",
                issuer: IdentityIssuer(issuer),
                kind: provider.record.kind,
                created: provider.server.clock.date
            )
            try await provider.server.change { try $0.identityProviders.insert(gone) }
            provider.other.issuer = issuer
            let answer = try await exchange(try await provider.idToken(), at: provider)
            #expect(answer.status == .serviceUnavailable && answer.error == .temporarilyUnavailable)
        }
    }

    @Test(arguments: ["", "a", "a.b.c", "e30.e30.", "eyJhbGciOiJub25lIn0.e30.", String(repeating: "a", count: 40_000)])
    func `is refused when it is no token`(text: String) async throws {
        try await open { provider in
            let answer = try await exchange(text, at: provider)
            #expect(answer.error == .invalidRequest)
        }
    }

    @Test func `is guessed at only so often, and a right one is never refused for that`() async throws {
        try await open(configuring: { $0.limits[.wrongProofPerAddress] = Limit(3, in: 60) }) { provider in
            for _ in 1...3 { #expect(try await exchange("a.b.c", at: provider).status == .badRequest) }
            #expect(try await exchange("a.b.c", at: provider).status == .tooManyRequests)
            let token = try await provider.idToken()
            #expect(try await exchange(token, at: provider).status == .ok)
        }
    }

    @Test(.server) func `is named as a grant type in the metadata`() async throws {
        let server = TestServer.current
        let metadata = try await server.get("/.well-known/oauth-authorization-server")
            .json(AuthorizationServerMetadata.self)
        #expect(metadata.grantTypesSupported?.contains(.tokenExchange) == true)
    }
}

/// The network of this machine, with a fake provider as the host of Google's issuer.
private struct GoogleTransport: HTTPTransport {
    let base: String

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        var request = request
        if request.authority == "accounts.google.com" {
            request.scheme = "http"
            request.authority = String(base.dropFirst("http://".count))
        }
        return try await SystemTransport.make().send(request, body: body, within: limit)
    }
}
