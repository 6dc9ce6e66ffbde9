public import Countersign
public import CountersignWire

/// The accounts that a person has added on this machine, kept in a token store and shared by the person's apps.
///
/// ```swift
/// let place = SealedFileTokenStore(
///     directory: "/home/anna/.local/share/countersign/accounts",
///     group: StoredAccounts.group
/// )
/// let accounts = StoredAccounts(in: place, clock: .system, drawingFrom: .system) { access, accounts in
///     await screen.ask("May \(access.appName ?? access.app.rawValue) use your accounts?")
/// }
/// ```
///
/// An app that asks for accounts makes the person decide once; the answer is remembered, also when it is no, until the
/// person takes it back. The secrets of an account only sign requests and are never disclosed; a bearer token is handed
/// to the permitted apps.
public struct StoredAccounts: SystemAccountStore {
    /// Asks the person whether an app may use the accounts; never called again for the same app and the same rights.
    public typealias Question = SystemAccountQuestion

    /// The group of the accounts in the store.
    public static let group = TokenGroup("system-accounts")

    let store: any TokenStore
    private let clock: TimeSource
    private let random: RandomSource
    let permissions: AccountPermissions
    public let settings: SystemAccountSettings

    /// Uses the accounts in a store.
    ///
    /// - Parameters:
    ///   - store: The store of the accounts: a sealed file, so that only this user's programs read them.
    ///   - settings: The place for adding accounts; the command `countersign account` by default.
    ///   - clock: The clock for the timestamps of signatures.
    ///   - random: The source of the nonces of signatures.
    ///   - question: Asks the person whether an app may use the accounts.
    public init(
        in store: any TokenStore,
        settings: SystemAccountSettings = StoredAccounts.commandSettings,
        clock: TimeSource,
        drawingFrom random: RandomSource,
        asking question: @escaping Question
    ) {
        self.store = store
        self.settings = settings
        self.clock = clock
        self.random = random
        permissions = AccountPermissions(in: store, asking: question)
    }

    /// The settings of this project's command.
    public static let commandSettings = SystemAccountSettings(
        address: nil,
        instruction:
            "In a terminal: 'countersign account add' adds an account, 'countersign account allow' lets an app use them."
    )

    /// Returns the accounts of a provider, when the person lets the app use them.
    ///
    /// - Returns: The accounts, sorted by their names.
    /// - Throws: ``SystemAccountStoreError``, before the person is asked: `unsupported` for a provider that is not
    ///   known and was not registered, `accountNotFound`; then `permissionDenied` or `failed`.
    public func accounts(for access: SystemAccountAccess) async throws(SystemAccountStoreError) -> [SystemAccount] {
        let (held, kind) = try await SystemAccountStoreError.translating {
            (try await self.accounts(), try await self.kind(of: access.provider))
        }
        let reason = kind == nil ? "no accounts of \(access.provider) are kept" : nil
        return try await permissions.granted(access, of: held, unsupportedBecause: reason)
    }

    /// Signs a request by OAuth 1 with the account's own credentials.
    ///
    /// - Throws: ``SystemAccountStoreError``, `failed` for an account that does not sign by OAuth 1.
    public func sign(
        _ request: OAuth1Request,
        as account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> String {
        guard case .oauth1(let client, let token) = try await secrets(of: account, for: access) else {
            throw SystemAccountStoreError(.failed, because: "\(account.id) does not sign by OAuth 1")
        }
        return try OAuth1Signer(as: client, for: token, clock: clock, drawingFrom: random).header(for: request)
    }

    /// Returns the account's token.
    ///
    /// - Returns: The token that was added with the account.
    /// - Throws: ``SystemAccountStoreError``, `failed` for an account without a token.
    public func token(
        of account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> AccessToken {
        guard case .bearer(let token) = try await secrets(of: account, for: access) else {
            throw SystemAccountStoreError(.failed, because: "\(account.id) has no bearer token")
        }
        return token
    }

    /// Checks whether the person has added the account again since a token of it was refused: a file renews nothing by
    /// itself.
    ///
    /// - Returns: `renewed` when there is another token by now, otherwise `rejected`.
    public func renew(
        _ account: SystemAccount,
        insteadOf refused: AccessToken,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> SystemAccountRenewal {
        try await token(of: account, for: access) == refused ? .rejected : .renewed
    }

    /// The credentials that the account signs in with, when the person allows it.
    private func secrets(
        of account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> SystemAccountCredentials {
        try await permissions.check(access, to: account)
        guard let secrets = try await SystemAccountStoreError.translating({ try await credentials(of: account) }) else {
            throw SystemAccountStoreError(.accountNotFound, because: "\(account.id) was removed")
        }
        return secrets
    }
}
