internal import Countersign
public import CountersignWire
internal import NIOConcurrencyHelpers

/// Signs an app in with an account that the system holds, at a provider of OAuth 1.
///
/// ```swift
/// let attempt = ReverseAuth(as: client, named: "Recipes", with: accounts)
/// let credentials = try await attempt.perform { accounts in
///     await screen.choose(among: accounts)
/// }
/// ```
///
/// The system's account signs, and its secrets stay with the system: the app gets its own tokens. One object is one
/// attempt; it ends with credentials or one ``AccountError``, also when its task is cancelled.
///
/// A client secret in an app on phones is not secret, because it can be extracted; a program that its owner runs may
/// have one.
public final class ReverseAuth: Sendable {
    let provider: ReverseAuthProvider
    let client: ClientCredentials?
    private let appName: String?
    let accounts: any SystemAccountStore
    let context: RequesterContext
    private let isPerformed = NIOLockedValueBox(false)

    /// Prepares an attempt; nothing is asked before ``perform(choosing:)``.
    ///
    /// - Parameters:
    ///   - provider: The provider; X by default.
    ///   - client: The app's credentials at the provider; `nil` for an app that has none, whose attempts end as
    ///     `unconfigured`.
    ///   - appName: The app's name in the question for permission.
    ///   - accounts: The system's accounts.
    ///   - context: The network, the clock for timestamps and the source of nonces.
    public init(
        at provider: ReverseAuthProvider = .twitter,
        as client: ClientCredentials?,
        named appName: String? = nil,
        with accounts: any SystemAccountStore,
        in context: RequesterContext = .system
    ) {
        self.provider = provider
        self.client = client
        self.appName = appName
        self.accounts = accounts
        self.context = context
    }

    /// Asks the system, lets the person choose, and exchanges the account's signature for tokens of the app.
    ///
    /// - Parameter choose: Shows the accounts and returns the chosen one, also when there is one only; `nil` when the
    ///   person declines. An account that is not in the list counts as none.
    /// - Throws: ``AccountError``, `alreadyPerformed` from the second call on.
    public func perform(
        choosing choose: @escaping @Sendable ([SystemAccount]) async -> SystemAccount.ID?
    ) async throws(AccountError) -> ReverseAuthCredentials {
        try AccountAttempt.begin(isPerformed)
        guard let client, !client.client.rawValue.isEmpty, !client.secret.revealed.isEmpty else {
            throw AccountError(.unconfigured, because: "the app has no client credentials")
        }
        let access = SystemAccountAccess(to: provider.id, for: client.client, named: appName)
        let offered = try await AccountAttempt.accounts(of: accounts, for: access)
        let chosen = try await AccountAttempt.waiting { await choose(offered) }
        guard let account = offered.first(where: { $0.id == chosen }) else {
            throw AccountError(.choiceCancelled, because: chosen == nil ? "no account was chosen" : "no such account")
        }
        let parameters = try await requestToken(as: client)
        let token = try await accessToken(for: client, as: account, access, signing: parameters)
        return try await credentials(of: client, token)
    }
}
