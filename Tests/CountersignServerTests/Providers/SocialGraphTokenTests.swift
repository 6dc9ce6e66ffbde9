import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("An access token of Facebook that is exchanged")
struct SocialGraphTokenTests {
    /// Opens a server that knows the person of the token as Anna.
    private func open(
        configuring: (inout ServerSettings) -> Void = { _ in },
        _ test: @escaping @Sendable (TestConfirmingProviders) async throws -> Void
    ) async throws {
        try await TestConfirmingProviders.open(configuring: configuring) { providers in
            try await providers.add(.socialGraph(providers.graphSettings), as: "graph")
            try await providers.connect(GraphPerson().id, of: TestConfirmingProviders.facebook)
            try await test(providers)
        }
    }

    private func issue(
        at providers: TestConfirmingProviders,
        editing edit: (inout GraphToken) -> Void = { _ in }
    ) -> String {
        var token = GraphToken(for: providers.graph.app)
        edit(&token)
        return providers.graph.issue(token).revealed
    }

    @Test func `108 signs its person in, after debug_token and me`() async throws {
        try await open { providers in
            let response = try await providers.exchange(issue(at: providers), of: .accessToken)
            let tokens = try response.json(TokenResponse.self)
            #expect(tokens.issuedTokenType == .accessToken)
            let read = try await providers.server.read(try #require(tokens.idToken).revealed)
            #expect(read.text("sub") == TestPerson.anna.subject.rawValue)
            #expect(read.text("acr") == "urn:countersign:acr:federated")
            let proof = Evidence.Proof.federated(
                issuer: TestConfirmingProviders.facebook,
                how: .accessToken,
                at: providers.server.clock.date
            )
            #expect(try await providers.evidence() == [[proof]])
            #expect(providers.graph.received.map(\.path) == ["/v23.0/debug_token", "/v23.0/me"])
        }
    }

    @Test func `108 is asked about as the provider documents it, with a proof, and for no more than the name`()
        async throws
    {
        try await open { providers in
            _ = try await providers.exchange(issue(at: providers), of: .accessToken)
            let asked = try #require(providers.graph.received.last)
            #expect(asked.query["fields"] == "id,name")
            #expect(asked.query["appsecret_proof"]?.count == 64)
            let inspection = try #require(providers.graph.received.first)
            let (app, secret) = (providers.graph.app, providers.graph.appSecret.revealed)
            #expect(inspection.query["access_token"] == "\(app)|\(secret)")
            #expect(inspection.query["input_token"] == asked.query["access_token"])
        }
    }

    /// The output of `openssl dgst -sha256 -hmac` for the same input.
    @Test func `108 is proved to come from the app’s backend`() {
        let proof = SocialGraphConfirmation.proof(
            of: AccessToken(revealing: "what do ya want for nothing?"),
            by: ProviderSecret(revealing: "Jefe")
        )
        // RFC 4231 §4.3.
        #expect(proof == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    /// A flaw of a token.
    enum Wrong: CaseIterable, Sendable {
        case otherApp, invalid, expired, endsNow, dataAccessOver, page, app, otherPerson, unknown
    }

    @Test(arguments: Wrong.allCases)
    func `108 is refused when it is wrong`(wrong: Wrong) async throws {
        try await open { providers in
            let now = Int(providers.server.clock.date.timeIntervalSince1970)
            let token = issue(at: providers) { token in
                switch wrong {
                case .otherApp: token.app = ClientID("9999")
                case .invalid: token.isValid = false
                case .expired: token.expires = now - 1
                case .endsNow: token.expires = now
                case .dataAccessOver: token.dataAccessExpires = now - 1
                case .page: token.kind = "PAGE"
                case .app: token.kind = "APP"
                case .otherPerson: token.personAtProfile = GraphPerson(id: "77")
                case .unknown: break
                }
            }
            let answer = try await providers.exchange(wrong == .unknown ? "EAAG-unknown" : token, of: .accessToken)
            #expect(answer.isRefusal)
            #expect(try await providers.evidence().isEmpty)
            let asksFurther = wrong == .otherPerson
            #expect(providers.graph.received.map(\.path).contains("/v23.0/me") == asksFurther)
        }
    }

    @Test(arguments: ["a b", "a\r\nX: y", "ä", "a|b", "=", String(repeating: "a", count: 1_001)])
    func `108 is not presented to the provider when it has no such form`(text: String) async throws {
        try await open { providers in
            let answer = try await providers.exchange(text, of: .accessToken)
            #expect(answer.isRefusal)
            #expect(providers.graph.received.isEmpty)
        }
    }

    @Test(arguments: [(190, 458), (190, 460), (190, 463), (190, nil)] as [(Int, Int?)])
    func `108 is refused when the provider does not take it any more`(code: Int, subcode: Int?) async throws {
        try await open { providers in
            providers.graph.refuse(with: [GraphRefusal(code, subcode)])
            let token = issue(at: providers)
            let answer = try await providers.exchange(token, of: .accessToken)
            #expect(answer.isRefusal)
            // That is remembered, but not for long.
            #expect(try await providers.exchange(token, of: .accessToken).isRefusal)
            #expect(providers.graph.received.count == 2)
            providers.server.clock.advance(by: .seconds(10))
            #expect(try await providers.exchange(token, of: .accessToken).status == .ok)
        }
    }

    @Test(arguments: [GraphRefusal(4), GraphRefusal(17), GraphRefusal(2), GraphRefusal(100), GraphRefusal(10)])
    func `108 waits where the provider is busy, or does not accept this server`(refusal: GraphRefusal) async throws {
        try await open { providers in
            providers.graph.refuse(with: [refusal])
            let token = issue(at: providers)
            let answer = try await providers.exchange(token, of: .accessToken)
            #expect(answer.isUnavailable)
            #expect(try await providers.exchange(token, of: .accessToken).status == .ok)
        }
    }

    @Test func `108 is not the fault of the client when the server’s own secret is wrong`() async throws {
        try await TestConfirmingProviders.open { providers in
            var settings = providers.graphSettings
            settings.secret = ProviderSecret(revealing: "wrong")
            try await providers.add(.socialGraph(settings), as: "graph")
            #expect(try await providers.exchange(issue(at: providers), of: .accessToken).isUnavailable)
        }
    }

    static let faults: [ProviderFault] = [
        .reset, .silence, .status(302), .status(404), .status(429), .status(500), .status(503), .badUTF8, .huge,
        .truncated, .answer(200, type: "text/html", body: "<html>"),
        .answer(200, type: "application/json", body: "[]"), .answer(200, type: "application/json", body: "{}"),
        .answer(200, type: "application/json", body: #"{"data":{"is_valid":"yes"},"id":{}}"#),
    ]

    @Test(arguments: [GraphProvider.Step.debugToken, .profile], faults)
    func `108 gets one clear answer for each fault, and is good afterwards`(
        step: GraphProvider.Step,
        fault: ProviderFault
    ) async throws {
        try await open { providers in
            providers.graph.fail(at: step, with: fault)
            let token = issue(at: providers)
            let answer = try await providers.exchange(token, of: .accessToken)
            #expect(answer.isUnavailable)
            providers.graph.fail(at: step)
            #expect(try await providers.exchange(token, of: .accessToken).status == .ok)
        }
    }

    /// As Facebook calls some of its answers.
    @Test(arguments: [
        ("text/javascript; charset=UTF-8", true), ("application/json", true), ("text/html", false),
        ("text/plain", false),
    ])
    func `108 is known from JSON that is called a script, and from no page`(type: String, isRead: Bool) async throws {
        try await open { providers in
            let (app, person) = (providers.graph.app, GraphPerson())
            let inspection = """
                {"data":{"app_id":"\(app)","type":"USER","is_valid":true,"expires_at":0,"data_access_expires_at":0,\
                "scopes":[],"user_id":"\(person.id)"}}
                """
            let profile = #"{"id":"\#(person.id)","name":"\#(person.name)"}"#
            providers.graph.fail(at: .debugToken, with: .answer(200, type: type, body: inspection))
            providers.graph.fail(at: .profile, with: .answer(200, type: type, body: profile))
            let answer = try await providers.exchange(issue(at: providers), of: .accessToken)
            #expect(isRead ? answer.status == .ok : answer.isUnavailable)
        }
    }

    @Test(arguments: ["http://127.0.0.1:1", "https://provider.invalid"])
    func `108 gets one clear answer where nobody answers`(base: String) async throws {
        try await TestConfirmingProviders.open { providers in
            var settings = providers.graphSettings
            settings.base = base
            try await providers.add(.socialGraph(settings), as: "graph")
            #expect(try await providers.exchange(issue(at: providers), of: .accessToken).isUnavailable)
        }
    }

    @Test func `108 is not sent to what has no certificate`() async throws {
        try await TestConfirmingProviders.open { providers in
            var settings = providers.graphSettings
            settings.base = settings.base.replacing("http://", with: "https://")
            try await providers.add(.socialGraph(settings), as: "graph")
            #expect(try await providers.exchange(issue(at: providers), of: .accessToken).isUnavailable)
            #expect(providers.graph.received.isEmpty)
        }
    }

    @Test(
        arguments: [
            (GraphProvider.Step.debugToken, "data"), (.debugToken, "is_valid"), (.debugToken, "app_id"),
            (.debugToken, "type"), (.debugToken, "user_id"), (.debugToken, "expires_at"), (.profile, "id"),
        ])
    func `needs every member of the provider's answer`(step: GraphProvider.Step, member: String) async throws {
        try await open { providers in
            providers.graph.fail(at: step, with: .missing(member))
            let answer = try await providers.exchange(issue(at: providers), of: .accessToken)
            #expect(answer.isUnavailable)
        }
    }

    @Test func `counts as often as an app needs it, and not more often`() async throws {
        try await open(configuring: { $0.limits[.exchangePerToken] = Limit(3, in: 600) }) { providers in
            let token = issue(at: providers)
            for _ in 1...3 {
                let answer = try await providers.exchange(token, of: .accessToken)
                #expect(answer.status == .ok)
            }
            #expect(try await providers.exchange(token, of: .accessToken).status == .tooManyRequests)
            let other = issue(at: providers)
            #expect(try await providers.exchange(other, of: .accessToken).status == .ok)
            providers.server.clock.advance(by: .seconds(600))
            #expect(try await providers.exchange(token, of: .accessToken).status == .ok)
        }
    }

    @Test func `is asked about once a minute, and never believed beyond its end`() async throws {
        try await open { providers in
            let now = Int(providers.server.clock.date.timeIntervalSince1970)
            let (lasting, short) = (issue(at: providers), issue(at: providers) { $0.expires = now + 30 })
            for token in [lasting, short, lasting, short] {
                let answer = try await providers.exchange(token, of: .accessToken)
                #expect(answer.status == .ok)
            }
            #expect(providers.graph.received.count == 4)
            providers.server.clock.advance(by: .seconds(30))
            #expect(try await providers.exchange(short, of: .accessToken).isRefusal)
            #expect(try await providers.exchange(lasting, of: .accessToken).status == .ok)
            #expect(providers.graph.received.count == 5)
            providers.server.clock.advance(by: .seconds(30))
            #expect(try await providers.exchange(lasting, of: .accessToken).status == .ok)
            #expect(providers.graph.received.count == 7)
        }
    }

    @Test func `is asked about once for all who present it together`() async throws {
        try await open { providers in
            let token = issue(at: providers)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 1...20 {
                    group.addTask { try await providers.exchange(token, of: .accessToken).status == .ok }
                }
                for try await isGood in group { #expect(isGood) }
            }
            #expect(providers.graph.received.count == 2)
        }
    }

    @Test func `makes an account where the provider may, without an address that nobody verified`() async throws {
        try await TestConfirmingProviders.open { providers in
            try await providers.add(.socialGraph(providers.graphSettings), as: "graph", makingAccounts: true)
            #expect(try await providers.exchange(issue(at: providers), of: .accessToken).status == .ok)
            let people = try await providers.server.store.read { try $0.people.all() }
            let made = try #require(people.first { $0.username.rawValue.hasPrefix("graph-") })
            #expect(made.name == GraphPerson().name && made.email == nil)
        }
    }

    @Test func `is no word for a scope that needs a password of this server`() async throws {
        try await open(configuring: { $0.minimumEvidence = [.profile: ScopeDemands([.password])] }) { providers in
            let request = TokenExchangeRequest(
                SubjectToken(revealing: issue(at: providers)), of: .accessToken, scope: Scope([.openid, .profile]))
            let form = try TokenRequest.tokenExchange(request).form.with(TestClients.tv.form)
            #expect(try await providers.server.post("/token", form).error == .unmetAuthenticationRequirements)
        }
    }
}

extension GraphPerson {
    fileprivate init(id: String) {
        self.init()
        self.id = id
    }
}
