#if SecretService && os(Linux)
import Countersign
import CountersignTesting
import CountersignWire
import DesktopUnderTest
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

/// Features 90, 91, 106, 107 and 114 with the accounts of a desktop, and what can go wrong on the way to it.
@Suite("GNOME's online accounts", .timeLimit(.minutes(10)))
struct GNOMEOnlineAccountsTests {
    private let access = SystemAccountAccess(to: AccountProviderID("google"), for: ClientID("app"), named: "Recipes")
    private let google = DesktopAccount(.oauth2, at: "google")
    private let asked = NIOLockedValueBox<[[SystemAccount]]>([])

    private func accounts(
        on desktop: DesktopUnderTest?,
        allowing isAllowed: Bool = true,
        within limit: Duration = .seconds(60),
        in store: any TokenStore = MemoryTokenStore(),
        clock: TimeSource = .system
    ) -> GNOMEOnlineAccounts {
        GNOMEOnlineAccounts(
            on: desktop.map { SessionBusAddress($0.address) },
            rememberingAnswersIn: store,
            within: limit,
            clock: clock,
            drawingFrom: SeededRandom(seed: 90).source
        ) { [asked] _, accounts in
            asked.withLockedValue { $0.append(accounts) }
            return isAllowed
        }
    }

    /// The error of a look at the accounts; `nil` when it succeeds.
    private func problem(
        _ accounts: GNOMEOnlineAccounts,
        of provider: AccountProviderID? = nil
    ) async -> SystemAccountStoreError? {
        let access = SystemAccountAccess(to: provider ?? access.provider, for: access.app)
        do throws(SystemAccountStoreError) {
            _ = try await accounts.accounts(for: access)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Which accounts

    @Test func `are those of the provider, by the names that the person knows, also signed out ones`() async throws {
        var (berta, anna) = (google, google)
        (berta.id, berta.name, berta.attention) = ("account_2", "Berta", true)
        anna.name = "Anna Müller 🦉"
        var other = DesktopAccount(.oauth2, at: "facebook")
        other.id = "account_3"
        let desktop = try await DesktopUnderTest.start([berta, anna, other])
        let found = try await accounts(on: desktop).accounts(for: access)
        #expect(found.map(\.name) == ["Anna Müller 🦉", "Berta"])
        #expect(found.map(\.id.rawValue) == ["account_1", "account_2"])
        #expect(asked.withLockedValue(\.self) == [found])
    }

    @Test func `90 are none before one was added, and nobody is asked`() async throws {
        let desktop = try await DesktopUnderTest.start()
        #expect(await problem(accounts(on: desktop))?.code == .accountNotFound)
        #expect(asked.withLockedValue(\.count) == 0)
        let system = try await AccountsUnderTest()
        let attempt = system.reverseAuth(accounts(on: desktop))
        let problem = await #expect(throws: AccountError.self) { try await attempt.perform { $0.first?.id } }
        #expect(problem?.code == .noAccount && problem?.nextStep == .openSettings)
        await system.stop()
    }

    @Test func `91 106 ask the person once for each app, and remember either answer`() async throws {
        let desktop = try await DesktopUnderTest.start([google])
        for isAllowed in [true, false] {
            let place = StoreDirectory()
            asked.withLockedValue { $0 = [] }
            for turn in 0..<3 {
                // Another process, which would answer otherwise.
                let accounts = accounts(on: desktop, allowing: isAllowed == (turn == 0), in: place.store())
                #expect(await problem(accounts)?.code == (isAllowed ? nil : .permissionDenied))
            }
            #expect(asked.withLockedValue(\.count) == 1)
        }
        #expect(AccountError(SystemAccountStoreError(.permissionDenied, because: "")).code == .accessNotGranted)
    }

    @Test func `106 share the answer with the accounts that were added here`() async throws {
        let desktop = try await DesktopUnderTest.start([DesktopAccount(.oauth2, at: "facebook")])
        let system = try await AccountsUnderTest()
        let own = try await system.addFacebook()
        let both = CombinedAccounts(system.accounts, accounts(on: desktop, in: system.store))
        let found = try await both.accounts(for: SystemAccountAccess(to: .facebook, for: ClientID("app")))
        #expect(found.map(\.id) == [own.id, SystemAccount.ID("account_1")])
        #expect(system.asked.withLockedValue(\.count) == 1 && asked.withLockedValue(\.isEmpty))
        let token = try await both.token(of: found[1], for: SystemAccountAccess(to: .facebook, for: ClientID("app")))
        #expect(token.revealed == "token-of-anna")
        await system.stop()
    }

    @Test func `107 say where the settings are`() {
        #expect(accounts(on: nil).settings.instruction.contains("Online Accounts"))
    }

    @Test func `114 are not supported for a provider that the desktop does not know, or by password alone`()
        async throws
    {
        let desktop = try await DesktopUnderTest.start([DesktopAccount(.password, at: "exchange")])
        let accounts = accounts(on: desktop)
        #expect(await problem(accounts, of: AccountProviderID("weibo"))?.code == .unsupported)
        #expect(await problem(accounts, of: AccountProviderID("exchange"))?.code == .unsupported)
        // An older desktop cannot say which ones it knows.
        let unknown = "org.freedesktop.DBus.Error.UnknownMethod"
        try desktop.set(DesktopState(accounts: [], faults: ["Manager.IsSupportedProvider": unknown]))
        #expect(await problem(accounts, of: AccountProviderID("weibo"))?.code == .accountNotFound)
        #expect(asked.withLockedValue(\.count) == 0)
    }

    @Test func `are not supported without a bus, without the service, and where the bus is gone`() async throws {
        #expect(await problem(accounts(on: nil))?.code == .unsupported)
        let bare = try await DesktopUnderTest.start(isServed: false)
        #expect(await problem(accounts(on: bare))?.code == .unsupported)
        let gone = SessionBusAddress("unix:path=/nonexistent/bus")
        for address in [gone, SessionBusAddress("no address")] {
            let accounts = GNOMEOnlineAccounts(
                on: address, rememberingAnswersIn: MemoryTokenStore(), clock: .system, drawingFrom: .system
            ) { _, _ in true }
            #expect(await problem(accounts)?.code == .unsupported)
        }
        #expect(AccountError(SystemAccountStoreError(.unsupported, because: "")).nextStep == .useAnotherWay)
    }

    // MARK: - Signing in

    @Test func `sign by OAuth 1, and the app gets tokens of its own`() async throws {
        let system = try await AccountsUnderTest()
        guard case .oauth1(let client, let token) = system.twitter.addAccount(TwitterPerson()) else {
            Issue.record("Twitter's accounts sign by OAuth 1")
            return
        }
        var account = DesktopAccount(.oauth1, at: "twitter")
        (account.key, account.secret) = (client.client.rawValue, client.secret.revealed)
        (account.token, account.tokenSecret) = (token.token.rawValue, token.secret.revealed)
        let desktop = try await DesktopUnderTest.start([account])
        let accounts = accounts(on: desktop, clock: system.clock.source)
        let credentials = try await system.reverseAuth(accounts).perform { $0.first?.id }
        #expect(credentials.screenName == "anna" && credentials.token != token)
        #expect(system.twitter.forged.isEmpty)
        // They have no bearer token, and those with one sign nothing.
        let anna = SystemAccount(provider: .twitter, id: SystemAccount.ID("account_1"), name: "anna@example.com")
        let twitter = SystemAccountAccess(to: .twitter, for: system.twitter.app.client)
        await #expect(throws: SystemAccountStoreError(.failed, because: "")) {
            try await accounts.token(of: anna, for: twitter)
        }
        try desktop.set(DesktopState(accounts: [DesktopAccount(.oauth2, at: "twitter")]))
        let request = try OAuth1Request(.post, "https://api.example.com/")
        await #expect(throws: SystemAccountStoreError(.failed, because: "")) {
            try await accounts.sign(request, as: anna, for: twitter)
        }
        await system.stop()
    }

    @Test(arguments: [true, false])
    func `have a token, which the desktop renews once it is refused`(isRenewed: Bool) async throws {
        let system = try await AccountsUnderTest()
        var account = DesktopAccount(.oauth2, at: "facebook")
        account.token = system.graph.issue(GraphToken(for: system.graph.app)).revealed
        if isRenewed { account.renewed = system.graph.issue(GraphToken(for: system.graph.app)).revealed }
        let desktop = try await DesktopUnderTest.start([account])
        system.graph.refuse(with: [GraphRefusal(190)])
        let attempt = system.socialGraph(accounts(on: desktop))
        do throws(AccountError) {
            let credentials = try await attempt.perform { _ in true }
            #expect(isRenewed && credentials.token.revealed == account.renewed)
        } catch {
            #expect(!isRenewed && error.code == .newSignInNeeded)
        }
        #expect(desktop.called.filter { $0 == "Account.EnsureCredentials" }.count == 1)
        await system.stop()
    }

    @Test func `need the permission for every use`() async throws {
        let desktop = try await DesktopUnderTest.start([google])
        let accounts = accounts(on: desktop)
        let anna = SystemAccount(provider: access.provider, id: SystemAccount.ID("account_1"), name: "")
        let request = try OAuth1Request(.post, "https://api.example.com/")
        let denied = SystemAccountStoreError(.permissionDenied, because: "")
        await #expect(throws: denied) { try await accounts.token(of: anna, for: access) }
        await #expect(throws: denied) { try await accounts.sign(request, as: anna, for: access) }
        await #expect(throws: denied) {
            try await accounts.renew(anna, insteadOf: AccessToken(revealing: "a"), for: access)
        }
        #expect(desktop.called.isEmpty)
    }

    // MARK: - Failures

    @Test(arguments: [
        ("org.gnome.OnlineAccounts.Error.NotAuthorized", SystemAccountStoreError.Code.newSignInNeeded),
        ("org.gnome.OnlineAccounts.Error.Failed", .failed),
        ("org.freedesktop.Goa.Error.NotSupported", .failed),
        ("org.freedesktop.DBus.Error.AccessDenied", .permissionDenied),
        ("org.freedesktop.DBus.Error.UnknownObject", .accountNotFound),
        ("org.freedesktop.DBus.Error.UnknownMethod", .accountNotFound),
        ("org.freedesktop.DBus.Error.NoReply", .failed), ("org.freedesktop.DBus.Error.ServiceUnknown", .unsupported),
        ("org.freedesktop.DBus.Error.Spawn.ChildExited", .unsupported),
        ("com.example.Nonsense", .failed), ("nonsense", .failed), ("empty", .failed),
    ])
    func `turn each error of the service into one answer, without its words`(
        fault: String, code: SystemAccountStoreError.Code
    ) async throws {
        let desktop = try await DesktopUnderTest.start([google])
        let accounts = accounts(on: desktop)
        let anna = try await accounts.accounts(for: access)[0]
        try desktop.set(DesktopState(accounts: [google], faults: ["OAuth2Based.GetAccessToken": fault]))
        let error = await #expect(throws: SystemAccountStoreError.self) {
            try await accounts.token(of: anna, for: access)
        }
        #expect(error?.code == code)
        #expect(error?.reason.contains("secret") == false)
        try desktop.set(DesktopState(accounts: [google], faults: ["ObjectManager.GetManagedObjects": fault]))
        #expect(await problem(accounts)?.code == code)
    }

    @Test func `ask for a new sign-in where the account is signed out`() async throws {
        var account = google
        let desktop = try await DesktopUnderTest.start([account])
        let accounts = accounts(on: desktop)
        let anna = try await accounts.accounts(for: access)[0]
        account.attention = true
        try desktop.set(DesktopState(accounts: [account]))
        let error = await #expect(throws: SystemAccountStoreError.self) {
            try await accounts.token(of: anna, for: access)
        }
        #expect(error.map { AccountError($0).code } == .newSignInNeeded)
        let refusal = "org.gnome.OnlineAccounts.Error.NotAuthorized"
        try desktop.set(DesktopState(accounts: [account], faults: ["Account.EnsureCredentials": refusal]))
        let token = AccessToken(revealing: "token-of-anna")
        #expect(try await accounts.renew(anna, insteadOf: token, for: access) == .rejected)
        try desktop.set(DesktopState(accounts: []))
        await #expect(throws: SystemAccountStoreError(.accountNotFound, because: "")) {
            try await accounts.token(of: anna, for: access)
        }
    }

    @Test(arguments: ["ObjectManager.GetManagedObjects", "OAuth2Based.GetAccessToken", "Account.EnsureCredentials"])
    func `end in time when the service hangs, and at once when they are cancelled`(method: String) async throws {
        let store = MemoryTokenStore()
        let desktop = try await DesktopUnderTest.start([google])
        let anna = try await accounts(on: desktop, in: store).accounts(for: access)[0]
        try desktop.set(DesktopState(accounts: [google], faults: [method: "hang"]))
        let token = AccessToken(revealing: "token-of-anna")
        let hasty = accounts(on: desktop, within: .milliseconds(300), in: store)
        let error = await #expect(throws: SystemAccountStoreError.self) {
            try await hasty.renew(anna, insteadOf: token, for: access)
        }
        #expect(error?.code == .failed && error?.reason.contains("in time") == true)

        let called = desktop.called.count
        let patient = accounts(on: desktop, within: .seconds(3600), in: store)
        let task = Task { try await patient.renew(anna, insteadOf: token, for: access) }
        while desktop.called.dropFirst(called).contains(Substring(method)) == false {
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        await #expect(throws: SystemAccountStoreError(.failed, because: "")) { try await task.value }
    }

    @Test func `end in time when the bus itself hangs`() async throws {
        let desktop = try await DesktopUnderTest.start([google])
        desktop.freezeBus()
        #expect(await problem(accounts(on: desktop, within: .milliseconds(300)))?.code == .failed)
        let patient = accounts(on: desktop, within: .seconds(3600))
        let task = Task { await problem(patient) }
        task.cancel()
        let error = await task.value
        #expect(error?.code == .failed)
    }

    @Test func `end when the service dies`() async throws {
        let desktop = try await DesktopUnderTest.start([google])
        try desktop.set(DesktopState(accounts: [], faults: ["ObjectManager.GetManagedObjects": "hang"]))
        let accounts = accounts(on: desktop, within: .seconds(3600))
        let task = Task { await problem(accounts) }
        try await desktop.isCalled("ObjectManager.GetManagedObjects")
        desktop.killService()
        let error = await task.value
        #expect(error?.code == .failed)
        #expect(await problem(accounts)?.code == .unsupported)
    }

    @Test func `give one answer to an attempt that is cancelled`() async throws {
        let system = try await AccountsUnderTest()
        let desktop = try await DesktopUnderTest.start([google])
        try desktop.set(DesktopState(accounts: [], faults: ["ObjectManager.GetManagedObjects": "hang"]))
        let attempt = system.reverseAuth(accounts(on: desktop, within: .seconds(3600)))
        let task = Task { try await attempt.perform { $0.first?.id } }
        try await desktop.isCalled("ObjectManager.GetManagedObjects")
        task.cancel()
        await #expect(throws: AccountError(.cancelled, because: "")) { try await task.value }
        await system.stop()
    }
}
#endif
