import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The other providers of a store, and what people connected")
struct IdentityRepositoryTests {
    private func provider(_ id: String, _ credential: ProviderCredential = .none) -> IdentityProvider {
        provider(id, .openID(IdentityProvider.OpenID(client: ClientID("here"), credential: credential)))
    }

    private func provider(_ id: String, _ kind: IdentityProvider.Kind) -> IdentityProvider {
        IdentityProvider(
            id: IdentityProvider.ID(id),
            displayName: "The \(id)",
            issuer: IdentityIssuer("https://\(id).example"),
            kind: kind,
            created: noon
        )
    }

    private func identity(_ subject: String, of person: String, at issuer: String = "a") -> LinkedIdentity {
        LinkedIdentity(
            issuer: IdentityIssuer(issuer),
            subject: subject,
            person: Subject(person),
            label: subject == "1" ? nil : "é \(subject)",
            linked: noon + 0.25
        )
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are read in pages, in the order of their identifiers`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let pages = try await store.change { repositories in
                for id in ["c", "a", "b"] { try repositories.identityProviders.insert(provider(id)) }
                let first = try repositories.identityProviders.page(after: nil, limit: 2)
                return [first, try repositories.identityProviders.page(after: first.last?.id, limit: 2)]
            }
            #expect(pages.map { $0.map(\.id.rawValue) } == [["a", "b"], ["c"]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are returned as they were stored`(store: StoreUnderTest) async throws {
        var settings = IdentityProvider.OpenID(
            client: ClientID("here"), credential: .teamKey([0, 255], id: JSONWebKey.ID("k"), team: "t"))
        settings.scope = Scope([.profile, .email])
        settings.isOnLoginPage = false
        settings.exchangeAudiences = [ClientID("a"), ClientID("b c")]
        settings.exchangeParties = [ClientID("android")]
        settings.postsAnswers = true
        settings.tokenEndpoint = "https://full.example/token"
        var full = provider("full", .openID(settings))
        full.makesAccounts = true
        full.exchangers = [ClientID("player"), ClientID("b c")]
        let (app, secret) = (ClientID("app"), ProviderSecret(revealing: "s é\"'"))
        let base = "https://api.example"
        let all = [
            full, provider("key", .key([1], id: JSONWebKey.ID("k"))), provider("none"),
            provider("secret", .secret("s é")),
            provider(
                "social-graph",
                .socialGraph(IdentityProvider.SocialGraph(app: app, secret: secret, base: base, version: "v1.0"))),
            provider("twitter", .oauth1(IdentityProvider.OAuth1(consumer: app, secret: secret, base: base))),
            provider("x", .bearer(IdentityProvider.Bearer(base: base, vouchers: [app, ClientID("b c")]))),
        ]
        try await store.run { [all] store in
            try await store.change { for one in all.reversed() { try $0.identityProviders.insert(one) } }
            #expect(try await store.read { try $0.identityProviders.all() } == all)
            #expect(try await store.read { try $0.identityProviders.find(IdentityProvider.ID("full")) } == all[0])
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.identityProviders.insert(all[1]) }
            }
            #expect(try await store.change { try $0.identityProviders.remove(IdentityProvider.ID("key")) })
            #expect(try await !store.change { try $0.identityProviders.remove(IdentityProvider.ID("key")) })
            #expect(try await store.read { try $0.identityProviders.find(IdentityProvider.ID("key")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `belong to one person each, by issuer and subject`(store: StoreUnderTest) async throws {
        let mine = [identity("1", of: "anna"), identity("2", of: "anna"), identity("1", of: "anna", at: "b")]
        let theirs = identity("3", of: "bert")
        try await store.run { store in
            try await store.change { for one in mine + [theirs] { try $0.identities.insert(one) } }
            for person in ["anna", "bert"] {
                await #expect(throws: StoreError.alreadyExists) {
                    try await store.change { try $0.identities.insert(identity("1", of: person)) }
                }
            }
            #expect(try await store.read { try $0.identities.all(of: Subject("anna")) } == mine)
            #expect(try await store.read { try $0.identities.find(IdentityIssuer("a"), "3") } == theirs)
            #expect(try await store.read { try $0.identities.find(IdentityIssuer("A"), "3") } == nil)
            #expect(try await store.change { try $0.identities.remove(IdentityIssuer("a"), "2") })
            #expect(try await !store.change { try $0.identities.remove(IdentityIssuer("a"), "2") })
            try await store.change { try $0.identities.removeAll(of: Subject("anna")) }
            #expect(try await store.read { try $0.identities.all(of: Subject("anna")) }.isEmpty)
            #expect(try await store.read { try $0.identities.all(of: Subject("bert")) } == [theirs])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are counted, with those of people without a password`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for (name, password) in [("anna", PasswordHash(restoring: "x")), ("bert", nil)] {
                    try repositories.people.insert(
                        Person(
                            subject: Subject(name), username: Username(name), name: name, password: password,
                            created: noon)
                    )
                }
                try repositories.identities.insert(identity("1", of: "anna"))
                try repositories.identities.insert(identity("2", of: "bert"))
                try repositories.identities.insert(identity("3", of: "bert", at: "b"))
            }
            let count = try await store.read { try $0.identities.count(of: IdentityIssuer("a")) }
            #expect(count.all == 2 && count.withoutPassword == 1)
            #expect(try await store.read { try $0.people.find(Subject("bert")) }?.password == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are visited once by each state, until that ends`(store: StoreUnderTest) async throws {
        let visits = [ProviderVisit.Purpose.signIn(again: true), .link(Subject("anna"))].enumerated().map {
            number, purpose in
            ProviderVisit(
                state: SecretDigest(of: "\(number)"),
                browser: SecretDigest(of: "browser"),
                provider: IdentityProvider.ID("work"),
                purpose: purpose,
                target: "/activate?user_code=A",
                started: noon,
                expires: noon + Double(number)
            )
        }
        try await store.run { store in
            try await store.change { for visit in visits { try $0.providerVisits.insert(visit) } }
            for visit in visits { #expect(try await store.read { try $0.providerVisits.find(visit.state) } == visit) }
            #expect(try await store.change { try $0.providerVisits.remove(visits[1].state) })
            #expect(try await !store.change { try $0.providerVisits.remove(visits[1].state) })
            #expect(try await store.change { try $0.providerVisits.sweep(before: noon, limit: 9) } == 0)
            #expect(try await store.change { try $0.providerVisits.sweep(before: noon + 1, limit: 9) } == 1)
            #expect(try await store.read { try $0.providerVisits.find(visits[0].state) } == nil)
        }
    }
}
