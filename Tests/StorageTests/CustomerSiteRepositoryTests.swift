import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The sites of a store, and its app keys")
struct CustomerSiteRepositoryTests {
    private func sealed(_ name: String) -> CustomerSite.SealedSecret {
        CustomerSite.SealedSecret(restoring: [0, 255] + Array(name.utf8))
    }

    private func environment(_ name: String) -> CustomerSite {
        CustomerSite(id: CustomerSiteID(name), name: "Bank „\(name)“", secret: sealed(name), created: noon)
    }

    private var full: CustomerSite {
        CustomerSite(
            id: CustomerSiteID("full"),
            name: "é",
            iconURL: "https://bank.example/icon.png",
            secret: sealed("new"),
            replaced: CustomerSite.ReplacedSecret(sealed: sealed("old"), ends: noon + 0.1),
            webhook: "https://bank.example/decided",
            allowsLegacyDevices: true,
            texts: CustomerSite.TextAllowance(prefixes: ["+31", "+4"], perDay: nil),
            created: noon - 0.1
        )
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back as they went in, the oldest first`(store: StoreUnderTest) async throws {
        let (full, plain) = (full, environment("plain"))
        try await store.run { store in
            try await store.change {
                try $0.environments.insert(plain)
                try $0.environments.insert(full)
            }
            #expect(try await store.read { try $0.environments.all() } == [full, plain])
            #expect(try await store.read { try $0.environments.page(after: nil, limit: 1) } == [full])
            #expect(try await store.read { try $0.environments.page(after: full.id, limit: 9) } == [plain])
            #expect(try await store.read { try $0.environments.find(plain.id) } == plain)
            #expect(try await store.read { try $0.environments.find(CustomerSiteID("Full")) } == nil)
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.environments.insert(plain) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are changed and removed`(store: StoreUnderTest) async throws {
        var changed = environment("one")
        let other = environment("two")
        changed.name = "Another"
        changed.replaced = CustomerSite.ReplacedSecret(sealed: changed.secret, ends: noon)
        changed.secret = sealed("next")
        changed.texts.perDay = 0
        changed.webhook = "http://127.0.0.1/"
        try await store.run { [changed, first = environment("one")] store in
            try await store.change {
                try $0.environments.insert(first)
                try $0.environments.insert(other)
                try $0.environments.update(changed)
            }
            #expect(try await store.read { try $0.environments.find(changed.id) } == changed)
            #expect(try await store.read { try $0.environments.find(other.id) } == other)
            #expect(try await store.change { try $0.environments.remove(changed.id) })
            #expect(try await !store.change { try $0.environments.remove(changed.id) })
            #expect(try await store.read { try $0.environments.all() } == [other])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `have apps beside them, by their keys`(store: StoreUnderTest) async throws {
        let plain = AuthenticatorApp(key: AppKey("b"), name: "Plain", created: noon)
        let full = AuthenticatorApp(
            key: AppKey("a"), name: "„Bank“", bundleID: "com.example", project: "p-1", created: noon)
        try await store.run { store in
            try await store.change {
                try $0.authenticatorApps.insert(plain)
                try $0.authenticatorApps.insert(full)
            }
            #expect(try await store.read { try $0.authenticatorApps.all() } == [full, plain])
            #expect(try await store.read { try $0.authenticatorApps.page(after: nil, limit: 1) } == [full])
            #expect(try await store.read { try $0.authenticatorApps.page(after: full.key, limit: 9) } == [plain])
            #expect(try await store.read { try $0.authenticatorApps.find(full.key) } == full)
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.authenticatorApps.insert(full) }
            }
            #expect(try await store.change { try $0.authenticatorApps.remove(full.key) })
            #expect(try await !store.change { try $0.authenticatorApps.remove(full.key) })
            #expect(try await store.read { try $0.authenticatorApps.find(full.key) } == nil)
        }
    }
}

@Suite("The secrets that a store offers to devices of the older dialect")
struct SharedSecretOfferTests {
    private func ticket(
        _ name: String, of subject: String = "anna", in environment: String = "bank", sealed: [UInt8]? = [1],
        made: Date = noon
    ) -> EnrollmentTicketRecord {
        EnrollmentTicketRecord(
            digest: SecretDigest(of: name), subject: Subject(subject), environment: CustomerSiteID(environment),
            sealedSecret: sealed, made: made, expires: noon + 300)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are those for a person in an environment that nobody used, the newest first`(
        store: StoreUnderTest
    ) async throws {
        let good = (0..<7).map { ticket("good \($0)", made: noon - Double($0)) }
        var used = ticket("used", made: noon + 1)
        let others = [ticket("bert", of: "bert"), ticket("shop", in: "shop"), ticket("ours", sealed: nil)]
        used.use = EnrollmentTicketRecord.Use(at: noon, signIn: nil, gaveSignIn: false)
        try await store.run { [used] store in
            try await store.change { repositories in
                for one in good.reversed() + [used] + others { try repositories.enrollmentTickets.insert(one) }
            }
            let (anna, bank) = (Subject("anna"), CustomerSiteID("bank"))
            let found = try await store.read { try $0.enrollmentTickets.sharing(with: anna, in: bank, at: noon) }
            #expect(found == Array(good.prefix(5)))
            let late = try await store.read { try $0.enrollmentTickets.sharing(with: anna, in: bank, at: noon + 300) }
            #expect(late.isEmpty)
        }
    }
}
