import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The domains of a store")
struct DomainRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `come back as they went in, by name and by credential`(store: StoreUnderTest) async throws {
        let plain = ServiceDomain(
            name: Domain("plain.example"),
            displayName: "",
            credential: SecretDigest(of: "plain"),
            created: noon
        )
        let full = Fixtures.domain("sp.example.com:8002")
        try await store.run { store in
            try await store.change {
                try $0.domains.insert(plain)
                try $0.domains.insert(full)
            }
            for domain in [plain, full] {
                #expect(try await store.read { try $0.domains.find(domain.name) } == domain)
                #expect(try await store.read { try $0.domains.find(domain.credential) } == domain)
            }
            #expect(try await store.read { try $0.domains.find(Domain("SP.example.com:8002")) } == nil)
            #expect(try await store.read { try $0.domains.find(SecretDigest(of: "another")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases, [("one", "other"), ("other", "one")])
    func `refuse a second of the same name or credential`(
        store: StoreUnderTest,
        names: (name: String, credential: String)
    ) async throws {
        try await store.run { store in
            try await store.change { try $0.domains.insert(Fixtures.domain("one")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change {
                    try $0.domains.insert(Fixtures.domain(names.name, credential: names.credential))
                }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are updated by name, but not to the credential of another`(store: StoreUnderTest) async throws {
        let one = Fixtures.domain("one")
        var changed = Fixtures.domain("one", credential: "new")
        changed.displayName = "Another"
        changed.signOn = .never
        changed.group = nil
        changed.redirectURIs = []
        changed.tokenLifetime = 60
        try await store.run { [changed] store in
            try await store.change { repositories in
                for domain in [one, Fixtures.domain("two")] { try repositories.domains.insert(domain) }
                for domain in [changed, Fixtures.domain("nobody")] { try repositories.domains.update(domain) }
            }
            #expect(try await store.read { try $0.domains.all() } == [changed, Fixtures.domain("two")])
            #expect(try await store.read { try $0.domains.find(one.credential) } == nil)
            #expect(try await store.read { try $0.domains.find(changed.credential) } == changed)

            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.domains.update(Fixtures.domain("one", credential: "two")) }
            }
            #expect(try await store.read { try $0.domains.find(one.name) } == changed)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are listed by name, and removed once`(store: StoreUnderTest) async throws {
        try await store.run { store in
            #expect(try await store.read { try $0.domains.all() } == [])
            try await store.change { repositories in
                for name in ["b", "c", "a"] { try repositories.domains.insert(Fixtures.domain(name)) }
            }
            #expect(try await store.read { try $0.domains.all() }.map(\.name.rawValue) == ["a", "b", "c"])
            #expect(
                try await store.read { try $0.domains.page(after: Domain("a"), limit: 1) }.map(\.name.rawValue) == ["b"]
            )
            #expect(try await store.change { try $0.domains.remove(Domain("b")) })
            #expect(try await store.change { try $0.domains.remove(Domain("b")) } == false)
            #expect(try await store.read { try $0.domains.all() }.map(\.name.rawValue) == ["a", "c"])
        }
    }
}
