#if SecretService && os(Linux)
public import Countersign
public import CountersignWire
public import DesktopBus

/// The accounts in the settings of a desktop with GNOME Online Accounts.
///
/// ```swift
/// let desktop = GNOMEOnlineAccounts(
///     rememberingAnswersIn: place,
///     clock: .system,
///     drawingFrom: .system
/// ) { access, accounts in
///     await screen.ask("May \(access.appName ?? access.app.rawValue) use your accounts?")
/// }
/// ```
///
/// The desktop lets every program of the person have the accounts. This store asks first, once for each app, and
/// remembers the answer: where ``StoredAccounts`` has the same token store, one answer counts for both. Accounts with
/// OAuth 1 sign requests, accounts with OAuth 2 have a token; a password is never requested.
///
/// Linux, with the package trait `SecretService`.
public struct GNOMEOnlineAccounts: SystemAccountStore {
    public let settings = SystemAccountSettings(
        address: nil,
        program: ["gnome-control-center", "online-accounts"],
        instruction: "In the settings of the desktop, under Online Accounts, you add an account or sign in to it again."
    )

    private let bus: SessionBus
    private let permissions: AccountPermissions
    private let clock: TimeSource
    private let random: RandomSource

    /// Uses the accounts of a desktop, which is queried on each request of an app.
    ///
    /// - Parameters:
    ///   - bus: The bus of the desktop's session; this process's by default. Without one, there are no accounts.
    ///   - store: The store of the person's answers; the one of ``StoredAccounts`` in ``StoredAccounts/group``.
    ///   - timeLimit: The time limit of one request; 15 s by default.
    ///   - clock: The clock for the timestamps of signatures and for timeouts.
    ///   - random: The source of the nonces of signatures.
    ///   - question: Asks the person whether an app may use the accounts.
    public init(
        on bus: SessionBusAddress? = .current,
        rememberingAnswersIn store: any TokenStore,
        within timeLimit: Duration = .seconds(15),
        clock: TimeSource,
        drawingFrom random: RandomSource,
        asking question: @escaping SystemAccountQuestion
    ) {
        self.bus = SessionBus(address: bus, timeLimit: timeLimit, clock: clock)
        permissions = AccountPermissions(in: store, asking: question)
        self.clock = clock
        self.random = random
    }

    /// Returns the accounts of a provider by GNOME's name, such as `google`, when the person lets the app use them.
    ///
    /// - Returns: The accounts, sorted by name, including signed-out ones.
    /// - Throws: ``SystemAccountStoreError``, before the person is asked: `accountNotFound`, `unsupported` without such
    ///   a desktop and for a provider that it does not know or whose accounts have a password alone, and `failed`, also
    ///   when no answer comes in time; then `permissionDenied`.
    public func accounts(for access: SystemAccountAccess) async throws(SystemAccountStoreError) -> [SystemAccount] {
        let provider = access.provider
        let (found, isSupported) = try await talking { bus throws(BusError) -> ([OnlineAccount], Bool) in
            let found = try bus.onlineAccounts().filter { $0.account.provider == provider }
            guard found.isEmpty else { return (found, true) }
            return (found, try bus.supports(provider))
        }
        let usable = found.filter(\.isUsable).map(\.account)
        let reason =
            !isSupported
            ? "this desktop knows no accounts of \(provider)"
            : !found.isEmpty && usable.isEmpty ? "accounts of \(provider) have no token for apps" : nil
        return try await permissions.granted(access, of: usable, unsupportedBecause: reason)
    }

    /// Signs a request by OAuth 1 with the account's own credentials.
    ///
    /// - Throws: ``SystemAccountStoreError``, `newSignInNeeded` for an account that is signed out, `failed` for one
    ///   that does not sign by OAuth 1.
    public func sign(
        _ request: OAuth1Request,
        as account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> String {
        try await permissions.check(access, to: account)
        let (client, token) = try await talking { bus throws(BusError) -> (ClientCredentials?, TokenCredentials?) in
            let known = try bus.signedIn(account)
            guard case .oauth1(let client) = known.way else { return (nil, nil) }
            return (client, try bus.tokenCredentials(of: known))
        }
        guard let client, let token else {
            throw SystemAccountStoreError(.failed, because: "\(account.id) does not sign by OAuth 1")
        }
        return try OAuth1Signer(as: client, for: token, clock: clock, drawingFrom: random).header(for: request)
    }

    /// Returns the account's token, which the desktop renews before it expires.
    ///
    /// - Returns: The token. It was issued to the desktop, and may do what the desktop may.
    /// - Throws: ``SystemAccountStoreError``, `newSignInNeeded` for an account that is signed out, `failed` for one
    ///   without OAuth 2.
    public func token(
        of account: SystemAccount,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> AccessToken {
        try await permissions.check(access, to: account)
        let token = try await talking { bus throws(BusError) in try bus.bearerToken(of: bus.signedIn(account)) }
        guard let token else { throw .noToken(of: account) }
        return token
    }

    /// Lets the desktop check whether the account is still signed in, and renew its token.
    ///
    /// - Returns: `renewed` when there is another token, `rejected` when the person has to sign in again, `failed` when
    ///   the desktop keeps the same one.
    /// - Throws: ``SystemAccountStoreError`` when the desktop fails, or there is no such account or permission any
    ///   more.
    public func renew(
        _ account: SystemAccount,
        insteadOf refused: AccessToken,
        for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> SystemAccountRenewal {
        try await permissions.check(access, to: account)
        do throws(SystemAccountStoreError) {
            let token = try await talking { bus throws(BusError) -> AccessToken? in
                let known = try bus.known(account)
                try bus.ensureCredentials(of: known)
                return try bus.bearerToken(of: known)
            }
            guard let token else { throw .noToken(of: account) }
            return token == refused ? .failed : .renewed
        } catch  where error.code == .newSignInNeeded {
            return .rejected
        }
    }

    /// Returns all accounts that an app can sign in with, for their owner.
    ///
    /// - Returns: The accounts, sorted by provider and name.
    /// - Throws: ``SystemAccountStoreError`` `unsupported` without such a desktop, `failed` or `permissionDenied` by a
    ///   sandbox.
    package func accounts() async throws(SystemAccountStoreError) -> [GNOMEAccount] {
        try await talking { bus throws(BusError) -> [GNOMEAccount] in
            try bus.onlineAccounts().filter(\.isUsable).map {
                GNOMEAccount(account: $0.account, needsSignIn: $0.needsSignIn, isTemporary: $0.isTemporary)
            }
        }
    }

    private func talking<Value: Sendable>(
        _ talk: @escaping @Sendable (borrowing BusConnection) throws(BusError) -> Value
    ) async throws(SystemAccountStoreError) -> Value {
        do throws(BusError) {
            return try await bus.conversation(talk)
        } catch {
            throw SystemAccountStoreError(error)
        }
    }
}

/// An account of the desktop, as its owner sees it.
package struct GNOMEAccount: Sendable, Hashable {
    /// The account as apps see it.
    package let account: SystemAccount
    /// Whether the person has to sign in to it again.
    package let needsSignIn: Bool
    /// Whether it goes with the session.
    package let isTemporary: Bool
}

extension BusConnection {
    /// The account as the service lists it now.
    fileprivate borrowing func known(_ account: SystemAccount) throws(BusError) -> OnlineAccount {
        let known = try onlineAccounts().first {
            $0.account.provider == account.provider && $0.account.id == account.id
        }
        guard let known else { throw .refused(.unknownObject) }
        return known
    }

    /// The same, of an account that is not signed out.
    fileprivate borrowing func signedIn(_ account: SystemAccount) throws(BusError) -> OnlineAccount {
        let known = try self.known(account)
        guard !known.needsSignIn else { throw .refused(.notAuthorized) }
        return known
    }

    /// The account's token; `nil` for an account without OAuth 2.
    fileprivate borrowing func bearerToken(of account: OnlineAccount) throws(BusError) -> AccessToken? {
        guard case .oauth2 = account.way else { return nil }
        return try token(of: account)
    }
}

extension SystemAccountStoreError {
    fileprivate static func noToken(of account: SystemAccount) -> SystemAccountStoreError {
        SystemAccountStoreError(.failed, because: "\(account.id) has no bearer token")
    }
}

extension BusErrorName {
    fileprivate static let unknownObject = BusErrorName(rawValue: "org.freedesktop.DBus.Error.UnknownObject")
    fileprivate static let notAuthorized = BusErrorName(rawValue: "org.gnome.OnlineAccounts.Error.NotAuthorized")
}
#endif
