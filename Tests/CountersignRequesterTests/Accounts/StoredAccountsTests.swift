import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

/// Features 106, 107 and 114, and what a store of accounts must not do.
@Suite("Stored accounts")
struct StoredAccountsTests {
    private let access = SystemAccountAccess(to: .twitter, for: ClientID("app"), named: "Recipes")

    @Test(arguments: [true, false])
    func `106 ask the person once, and remember either answer`(isAllowed: Bool) async throws {
        let place = StoreDirectory()
        let system = try await AccountsUnderTest(allowing: isAllowed, in: place.store())
        try await system.addTwitter()
        for _ in 0..<3 { _ = try? await system.accounts.accounts(for: access) }
        #expect(system.asked.withLockedValue(\.count) == 1)
        // Another process, which would answer otherwise.
        let next = try await AccountsUnderTest(allowing: !isAllowed, in: place.store())
        let again = try? await next.accounts.accounts(for: access)
        #expect((again != nil) == isAllowed)
        #expect(next.asked.withLockedValue(\.count) == 0)
        // Another app is another question.
        _ = try? await next.accounts.accounts(for: SystemAccountAccess(to: .twitter, for: ClientID("other")))
        #expect(next.asked.withLockedValue(\.count) == 1)
        await next.stop()
        await system.stop()
    }

    @Test func `106 ask once although many ask at the same time`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addTwitter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try? await system.accounts.accounts(for: access) } }
        }
        #expect(system.asked.withLockedValue(\.count) == 1)
        await system.stop()
    }

    @Test func `106 ask again for more rights, and after the answer was taken back`() async throws {
        let system = try await AccountsUnderTest()
        try await system.addFacebook()
        let app = system.graph.app
        for permissions in [["email"], [], ["email"], ["email", "user_friends"]] {
            _ = try await system.accounts.accounts(
                for: SystemAccountAccess(to: .facebook, for: app, permissions: permissions))
        }
        #expect(system.asked.withLockedValue { $0.map(\.permissions) } == [["email"], ["email", "user_friends"]])
        #expect(try await system.accounts.permissions().map(\.isAllowed) == [true])
        try await system.accounts.forgetPermission(of: app, at: .facebook)
        #expect(try await system.accounts.permissions().isEmpty)
        _ = try await system.accounts.accounts(for: SystemAccountAccess(to: .facebook, for: app))
        #expect(system.asked.withLockedValue(\.count) == 3)
        await system.stop()
    }

    @Test func `106 leave an app what it was allowed, whatever it asks for afterwards`() async throws {
        let system = try await AccountsUnderTest(refusing: ["user_friends"])
        try await system.addFacebook()
        let app = system.graph.app
        func isAllowed(_ permissions: [String]) async -> Bool {
            let access = SystemAccountAccess(to: .facebook, for: app, permissions: permissions)
            return (try? await system.accounts.accounts(for: access)) != nil
        }
        #expect(await isAllowed(["email"]))
        #expect(await isAllowed(["user_birthday"]))
        #expect(await isAllowed(["email", "user_birthday"]), "each was allowed")
        for _ in 0..<2 { #expect(await !isAllowed(["email", "user_friends"])) }
        #expect(await isAllowed(["email"]), "a refusal of more takes nothing away")
        #expect(system.asked.withLockedValue(\.count) == 3)
        #expect(try await system.accounts.permissions().first?.permissions == ["email", "user_birthday"])
        await system.stop()
    }

    @Test func `106 allow an app later what it was refused, and no more`() async throws {
        let system = try await AccountsUnderTest(allowing: false)
        try await system.addFacebook()
        let app = system.graph.app
        #expect(try await system.accounts.allow(app, at: .facebook) == nil)
        let few = SystemAccountAccess(to: .facebook, for: app, permissions: ["public_profile"])
        await #expect(throws: SystemAccountStoreError(.permissionDenied, because: "")) {
            try await system.accounts.accounts(for: few)
        }
        #expect(try await system.accounts.allow(app, at: .facebook) == ["public_profile"])
        #expect(try await system.accounts.accounts(for: few).count == 1)
        #expect(system.asked.withLockedValue(\.count) == 1)
        // More rights are another question, and another audience is.
        let more = SystemAccountAccess(to: .facebook, for: app, permissions: ["public_profile", "email"])
        await #expect(throws: SystemAccountStoreError(.permissionDenied, because: "")) {
            try await system.accounts.accounts(for: more)
        }
        #expect(system.asked.withLockedValue(\.count) == 2)
        await system.stop()
    }

    @Test func `107 say where the settings are`() async throws {
        let system = try await AccountsUnderTest()
        #expect(system.accounts.settings.instruction.contains("countersign account add"))
        #expect(system.accounts.settings.instruction.contains("countersign account allow"))
        #expect(AccountError(.noAccount, because: "").nextStep == .openSettings)
        #expect(AccountError(.accessNotGranted, because: "").nextStep == .openSettings)
        await system.stop()
    }

    @Test func `114 have no accounts of a provider that is not known`() async throws {
        let system = try await AccountsUnderTest()
        let unknown = AccountProviderID("weibo")
        await #expect(throws: SystemAccountStoreError(.unsupported, because: "")) {
            try await system.accounts.accounts(for: SystemAccountAccess(to: unknown, for: ClientID("app")))
        }
        var addresses = system.twitter.addresses
        addresses.id = unknown
        let attempt = ReverseAuth(at: addresses, as: system.twitter.app, with: system.accounts)
        let problem = await #expect(throws: AccountError.self) { try await attempt.perform { $0.first?.id } }
        #expect(problem?.code == .unsupportedProvider && problem?.nextStep == .useAnotherWay)
        await system.stop()
    }

    @Test func `keep accounts of a provider of one's own when it was registered`() async throws {
        let place = StoreDirectory()
        let system = try await AccountsUnderTest(in: place.store())
        let own = AccountProviderID("recipes")
        #expect(try await system.accounts.kind(of: own) == nil)
        try await system.accounts.register(own, as: .oauth1)
        await #expect(throws: SystemAccountStoreError(.accountNotFound, because: "")) {
            try await system.accounts.accounts(for: SystemAccountAccess(to: own, for: ClientID("app")))
        }
        let anna = TwitterPerson()
        let account = SystemAccount(provider: own, id: SystemAccount.ID("1"), name: "anna")
        try await system.accounts.add(account, with: system.twitter.addAccount(anna))
        var addresses = system.twitter.addresses
        addresses.id = own
        let attempt = ReverseAuth(
            at: addresses,
            as: system.twitter.app,
            with: system.accounts,
            in: RequesterContext(over: SystemTransport.make(), clock: system.clock.source, random: .system)
        )
        #expect(try await attempt.perform { $0.first?.id }.screenName == "anna")
        // Another process knows it as well, and what is known from the start cannot change.
        let next = try await AccountsUnderTest(in: place.store())
        #expect(try await next.accounts.kind(of: own) == .oauth1)
        #expect(try await next.accounts.providers() == [.twitter, .facebook, own])
        try await next.accounts.register(.twitter, as: .bearer)
        #expect(try await next.accounts.kind(of: .twitter) == .oauth1)
        #expect(try await next.accounts.providers() == [.twitter, .facebook, own])
        await next.stop()
        await system.stop()
    }

    @Test func `sign and give tokens only to apps that are allowed`() async throws {
        let system = try await AccountsUnderTest()
        let anna = try await system.addTwitter()
        let token = try await system.addFacebook()
        let request = try OAuth1Request(.post, "\(system.twitter.base)/oauth/access_token")
        await #expect(throws: SystemAccountStoreError(.permissionDenied, because: "")) {
            try await system.accounts.sign(request, as: anna, for: access)
        }
        await #expect(throws: SystemAccountStoreError(.permissionDenied, because: "")) {
            try await system.accounts.token(
                of: token, for: SystemAccountAccess(to: .facebook, for: system.graph.app))
        }
        _ = try await system.accounts.accounts(for: access)
        _ = try await system.accounts.sign(request, as: anna, for: access)
        // The permission for one provider is none for another.
        await #expect(throws: SystemAccountStoreError(.permissionDenied, because: "")) {
            try await system.accounts.token(of: token, for: access)
        }
        await #expect(throws: SystemAccountStoreError(.failed, because: "")) {
            try await system.accounts.token(of: anna, for: access)
        }
        try await system.accounts.remove(anna.id, of: .twitter)
        await #expect(throws: SystemAccountStoreError(.accountNotFound, because: "")) {
            try await system.accounts.sign(request, as: anna, for: access)
        }
        #expect(try await system.accounts.accounts() == [token])
        await system.stop()
    }

    @Test func `lie sealed on disk, secrets and names`() async throws {
        let place = StoreDirectory()
        let system = try await AccountsUnderTest(in: place.store())
        let account = SystemAccount(provider: .facebook, id: SystemAccount.ID("1"), name: "anna@example.com")
        try await system.accounts.add(account, with: .bearer(AccessToken(revealing: "EAAG-the-secret")))
        let files = try place.files
        #expect(!files.isEmpty)
        for file in files {
            let bytes = Data(try place.bytes(file))
            #expect(bytes.range(of: Data("EAAG".utf8)) == nil && bytes.range(of: Data("anna".utf8)) == nil)
        }
        await system.stop()
    }

    @Test func `report a file that cannot be opened`() async throws {
        let place = StoreDirectory()
        let system = try await AccountsUnderTest(in: place.store())
        try await system.addTwitter()
        for file in try place.files where file.hasSuffix(".sealed") { try place.write(.item("nonsense"), to: file) }
        #expect(await system.twitterOutcome().problem?.code == .storeFailure)
        await system.stop()
    }
}

@Suite("The choice of an account")
struct AccountSourceTests {
    @Test func `names each source once, with its way`() throws {
        let own = AccountSource.openID(at: try Issuer("https://id.example.com"), named: "Example")
        let all = AccountSource.everywhere + [.twitterAccount, .facebookAccount, own]
        #expect(Set(all.map(\.id)).count == all.count)
        for source in AccountSource.everywhere {
            guard case .provider(let profile, let scope) = source.way else {
                Issue.record("\(source.name) needs the system")
                continue
            }
            #expect(profile.name.hasPrefix("https://") && scope != .none)
        }
    }

    @Test(arguments: [nil, "not a tenant", "../../evil-tenant-with-36-characters"])
    func `knows personal accounts of Microsoft by their own tenant`(tenant: String?) {
        let personal = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
        #expect(ProviderProfile.microsoft(tenant: tenant).name == personal)
        let own = "72f988bf-86f1-41af-91ab-2d7cd011db47"
        #expect(ProviderProfile.microsoft(tenant: own).name == "https://login.microsoftonline.com/\(own)/v2.0")
    }
}
