internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignTesting
internal import CountersignTransport
internal import CountersignWire
internal import Foundation

extension AccountCommand {
    /// `countersign account demo`
    struct Demo: OutputCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show every problem that signing in with an account can have, and what to try.",
            discussion: "Two providers and the accounts are made for this, on this machine, and gone afterwards."
        )

        func output() async throws -> CommandOutput {
            let demo = try await AccountDemo.start()
            let lines = try await demo.lines()
            await demo.stop()
            return CommandOutput(words: lines.joined(separator: "\n"))
        }
    }
}

/// Each problem once, at providers of the demo.
private struct AccountDemo {
    let twitter: TwitterProvider
    let graph: GraphProvider

    static func start() async throws -> AccountDemo {
        AccountDemo(
            twitter: try await TwitterProvider.start(clock: .system, drawingFrom: .system),
            graph: try await GraphProvider.start()
        )
    }

    func stop() async {
        await twitter.stop()
        await graph.stop()
    }

    /// Plays all scenes, and reports each in one line.
    func lines() async throws -> [String] {
        var lines: [String] = []
        lines += [await reverse("X, all is well"), await reverse("X, no account", hasAccount: false)]
        lines.append(await reverse("X, the app may not", isAllowed: false))
        lines.append(await reverse("X, nothing is chosen", chooses: false))
        twitter.suspension = .errorCode
        lines.append(await reverse("X, the account is suspended"))
        twitter.suspension = .page
        lines.append(await reverse("X, the account is suspended, told by a page"))
        twitter.suspension = nil
        twitter.fail(at: .accessToken, with: Self.error(.locked))
        lines.append(await reverse("X, the account is locked"))
        twitter.fail(at: .accessToken)
        twitter.fail(at: .requestToken, with: Self.error(.wrongTime))
        lines.append(await reverse("X, the clock is wrong"))
        twitter.fail(at: .requestToken)
        lines.append(await reverse("X, the app is not set up", isConfigured: false))
        twitter.fail(at: .requestToken, with: .refused)
        lines.append(await reverse("X, the network fails"))
        twitter.fail(at: .requestToken, with: .status(503))
        lines.append(await reverse("X, the service fails"))
        twitter.fail(at: .requestToken)
        lines.append(await reverse("X, the system's store fails", storesToken: true))
        lines.append(await reverse("X, the app uses one attempt twice", repeats: true))
        lines.append(await reverse("X, the app stops it", isStopped: true))
        lines.append(await profile("X, the token was taken back"))
        lines += [await social("Facebook, all is well"), await social("Facebook, no account", hasAccount: false)]
        lines.append(await social("Facebook, the app may not", isAllowed: false))
        lines.append(await social("Facebook, nothing is confirmed", confirms: false))
        graph.refuse(with: [GraphRefusal(190, 460)])
        lines.append(await social("Facebook, the account is signed out"))
        graph.refuse(with: [GraphRefusal(190, 460)])
        lines.append(await social("Facebook, the account is signed out, and the system renews it", renews: true))
        lines.append(await social("Facebook, the app is not set up", isConfigured: false))
        graph.fail(at: .profile, with: .refused)
        lines.append(await social("Facebook, the network fails"))
        graph.fail(at: .profile, with: .status(500))
        lines.append(await social("Facebook, the service fails"))
        graph.fail(at: .profile)
        graph.refuse(with: [GraphRefusal(4)])
        lines.append(await social("Facebook, the app asks too often"))
        lines.append(await social("Facebook, the system's store fails", storesSignature: true))
        lines.append(Self.line("another provider, of whom no system has accounts", .unsupported("example")))
        return lines
    }

    private enum TwitterNumber: Int {
        case locked = 326
        case wrongTime = 135
    }

    private static func error(_ number: TwitterNumber) -> ProviderFault {
        .answer(403, type: "application/json", body: #"{"errors":[{"code":\#(number.rawValue)}]}"#)
    }

    private func accounts(isAllowed: Bool) -> StoredAccounts {
        StoredAccounts(in: MemoryTokenStore(), clock: .system, drawingFrom: .system) { _, _ in isAllowed }
    }

    private func reverse(
        _ scene: String,
        hasAccount: Bool = true,
        isAllowed: Bool = true,
        chooses: Bool = true,
        isConfigured: Bool = true,
        storesToken: Bool = false,
        repeats: Bool = false,
        isStopped: Bool = false
    ) async -> String {
        let accounts = accounts(isAllowed: isAllowed)
        let anna = TwitterPerson()
        let credentials = twitter.addAccount(anna)
        let kept =
            storesToken ? SystemAccountCredentials.bearer(AccessToken(revealing: "of another kind")) : credentials
        if hasAccount { try? await accounts.add(twitter.account(of: anna), with: kept) }
        let attempt = ReverseAuth(
            at: twitter.addresses, as: isConfigured ? twitter.app : nil, named: "Recipes", with: accounts)
        let performing = Task { () -> Result<ReverseAuthCredentials, AccountError> in
            do throws(AccountError) {
                if repeats { _ = try await attempt.perform { chooses ? $0.first?.id : nil } }
                return .success(try await attempt.perform { chooses ? $0.first?.id : nil })
            } catch {
                return .failure(error)
            }
        }
        if isStopped { performing.cancel() }
        switch await performing.value {
        case .success(let credentials): return "\(scene): signed in as @\(credentials.screenName)"
        case .failure(let problem): return Self.line(scene, problem)
        }
    }

    private func profile(_ scene: String) async -> String {
        let signedIn = CompletedSignIn(
            accessToken: AccessToken(revealing: "taken-back"),
            refreshToken: nil,
            expires: nil,
            scope: .none,
            identity: nil
        )
        do throws(AccountError) {
            let person = try await XProfile(at: twitter.base, over: SystemTransport.make()).person(of: signedIn)
            return "\(scene): \(person.name)"
        } catch {
            return Self.line(scene, error)
        }
    }

    private func social(
        _ scene: String,
        hasAccount: Bool = true,
        isAllowed: Bool = true,
        confirms: Bool = true,
        isConfigured: Bool = true,
        storesSignature: Bool = false,
        renews: Bool = false
    ) async -> String {
        let accounts = accounts(isAllowed: isAllowed)
        let account = SystemAccount(provider: .facebook, id: SystemAccount.ID("1"), name: "juergen@example.com")
        let token = SystemAccountCredentials.bearer(graph.issue(GraphToken(for: graph.app)))
        let kept = storesSignature ? twitter.addAccount(TwitterPerson()) : token
        if hasAccount { try? await accounts.add(account, with: kept) }
        let renewing = RenewingAccounts(kept: accounts) { [graph] in
            try? await accounts.add(account, with: .bearer(graph.issue(GraphToken(for: graph.app))))
        }
        let app = AccountAppCredentials(named: "Recipes", facebook: isConfigured ? graph.app : nil)
        let attempt = app.socialGraph(at: graph.addresses, with: renews ? renewing : accounts)
        do throws(AccountError) {
            let credentials = try await attempt.perform { _ in confirms }
            return "\(scene): signed in as \(credentials.name)"
        } catch {
            return Self.line(scene, error)
        }
    }

    private static func line(_ scene: String, _ problem: AccountError) -> String {
        "\(scene): \(problem.code.rawValue), \(problem.nextStep.rawValue). \(problem.sentence)"
    }
}

/// Accounts of a system that renews tokens, such as a desktop.
private struct RenewingAccounts: SystemAccountStore {
    let kept: StoredAccounts
    /// Puts another token in place of the one that was refused.
    let getToken: @Sendable () async -> Void

    var settings: SystemAccountSettings { kept.settings }

    func accounts(for access: SystemAccountAccess) async throws(SystemAccountStoreError) -> [SystemAccount] {
        try await kept.accounts(for: access)
    }

    func sign(
        _ request: OAuth1Request,
        as account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> String {
        try await kept.sign(request, as: account, for: access)
    }

    func token(
        of account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> AccessToken {
        try await kept.token(of: account, for: access)
    }

    func renew(
        _ account: SystemAccount,
        insteadOf refused: AccessToken,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> SystemAccountRenewal {
        await getToken()
        return try await kept.renew(account, insteadOf: refused, for: access)
    }
}
