import Countersign
import CountersignServer
import Testing

@Suite("The rows that a closure announces")
struct PrefetchedRowTests {
    /// The records that lead to a person by one refresh token.
    private struct Family: Equatable {
        let token: RefreshTokenRecord?
        let signIn: SignInRecord?
        let person: Person?
        let client: Client?

        init(in repositories: any Repositories, of name: String) throws {
            token = try repositories.refreshTokens.find(Fixtures.refreshToken(name).family)
            signIn = try repositories.signIns.find(Grant.ID(name))
            person = try repositories.people.find(Subject("person \(name)"))
            client = try repositories.clients.find(ClientID("client \(name)"))
        }
    }

    private static func add(_ name: String, in repositories: any Repositories) throws {
        let subject = Subject("person \(name)")
        try repositories.people.insert(Fixtures.person(subject.rawValue, username: "user-\(name)"))
        try repositories.clients.insert(Fixtures.client("client \(name)"))
        try repositories.signIns.insert(Fixtures.signIn(name, of: subject))
        try repositories.refreshTokens.insert(Fixtures.refreshToken(name, grant: Grant.ID(name)))
    }

    private static func byFamily(_ name: String) -> [PrefetchedRow] {
        let family = Fixtures.refreshToken(name).family
        return [
            .refreshToken(family: family), .signInOfRefreshToken(family: family), .personOfRefreshToken(family: family),
            .client(ClientID("client \(name)")),
        ]
    }

    private static func byKeys(_ name: String) -> [PrefetchedRow] {
        [
            .refreshToken(family: Fixtures.refreshToken(name).family), .signIn(Grant.ID(name)),
            .person(Subject("person \(name)")), .client(ClientID("client \(name)")),
        ]
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found as without, there or not`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let names = (1...300).map { "\($0)" }
            try await store.change { repositories in
                for name in names.dropLast(3) { try Self.add(name, in: repositories) }
            }
            for rows in [Self.byFamily, Self.byKeys] {
                // All of them in one closure, more than one statement takes; and a few, so that some places are left.
                for few in [names[...], names.suffix(5), names.prefix(1)] {
                    let announced = few.flatMap(rows)
                    let found = try await store.read(prefetching: announced) { repositories in
                        try few.map { try Family(in: repositories, of: $0) }
                    }
                    let expected = try await store.read { repositories in
                        try few.map { try Family(in: repositories, of: $0) }
                    }
                    #expect(found == expected)
                    let changing = try await store.change(prefetching: announced) { repositories in
                        try few.map { try Family(in: repositories, of: $0) }
                    }
                    #expect(changing == expected)
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are found as the same change has made them`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try Self.add("one", in: $0) }
            let found = try await store.change(prefetching: Self.byKeys("one")) { repositories in
                var before = try #require(try Family(in: repositories, of: "one").client)
                before.name = "renamed"
                try repositories.clients.update(before)
                let renamed = try Family(in: repositories, of: "one").client
                _ = try repositories.clients.remove(before.id)
                _ = try repositories.people.remove(Subject("person one"))
                try repositories.refreshTokens.removeAll(of: Grant.ID("one"))
                return (renamed?.name, try Family(in: repositories, of: "one"))
            }
            #expect(found.0 == "renamed")
            #expect(found.1.client == nil && found.1.person == nil && found.1.token == nil)
            #expect(found.1.signIn != nil)
        }
    }
}
