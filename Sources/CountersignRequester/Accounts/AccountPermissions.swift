public import Countersign

/// Asks the person whether an app may use the accounts; never called again for the same app and the same rights.
public typealias SystemAccountQuestion = @Sendable (SystemAccountAccess, [SystemAccount]) async -> Bool

/// The answer of a person to an app that asked for accounts.
public struct SystemAccountPermission: Sendable, Hashable {
    /// The app that asked.
    public let app: ClientID
    /// The provider of the accounts.
    public let provider: AccountProviderID
    /// The person's answer.
    public let isAllowed: Bool
    /// The rights that the answer is about.
    public let permissions: [String]
}

extension TokenStoreKey.Kind {
    /// The answer of a person to an app that asked for accounts: provider, the app's identifier.
    public static let systemAccountPermission = Self("system-account-permission")
}

extension TokenStoreKey {
    static func accountPermission(of app: ClientID, at provider: AccountProviderID) -> TokenStoreKey {
        TokenStoreKey(.systemAccountPermission, provider.rawValue, app.rawValue)
    }
}

/// The answers of a person to one app, as they are stored.
private struct PermissionItem: Codable, Sendable {
    /// Rights that were requested together.
    struct Rights: Codable, Sendable {
        let permissions: [String]
        let audience: SystemAccountAccess.Audience

        init(_ access: SystemAccountAccess) {
            (permissions, audience) = (access.permissions, access.audience)
        }

        /// Whether an app can choose the audience of posts made with these rights.
        func reach(_ wanted: SystemAccountAccess.Audience) -> Bool { wanted == audience || wanted == .onlyMe }
    }

    private var allowed: [Rights] = []
    private var refused: [Rights] = []

    /// Whether the app may do anything.
    var isAllowed: Bool { !allowed.isEmpty }

    /// The rights that the app has; while it has none, the refused ones.
    var permissions: [String] { Self.all(isAllowed ? allowed : refused) }

    private static func all(_ rights: [Rights]) -> [String] {
        rights.flatMap(\.permissions).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The earlier answer of the person that covers this access; `nil` when they have to be asked.
    func answer(to access: SystemAccountAccess) -> Bool? {
        guard isAllowed else { return refused.isEmpty ? nil : false }
        let reaching = allowed.filter { $0.reach(access.audience) }
        if !reaching.isEmpty, Set(access.permissions).isSubset(of: Self.all(reaching)) { return true }
        let wasRefused = refused.contains { rights in
            Set(rights.permissions).isSubset(of: access.permissions) && rights.audience == access.audience
        }
        return wasRefused ? false : nil
    }

    /// Adds an answer: what was allowed before stays allowed, also when more is refused.
    mutating func add(_ access: SystemAccountAccess, isAllowed: Bool) {
        if isAllowed { allowed.append(Rights(access)) } else { refused.append(Rights(access)) }
    }

    /// Allows all that was refused.
    mutating func allowRefused() {
        allowed += refused
        refused = []
    }
}

/// The answers that a person has given to apps, for every store of accounts that shares them: each app asks once.
struct AccountPermissions: Sendable {
    private let store: any TokenStore
    private let question: SystemAccountQuestion

    init(in store: any TokenStore, asking question: @escaping SystemAccountQuestion) {
        self.store = store
        self.question = question
    }

    /// The accounts that an app may use, out of all that a store holds; the person is asked when there are some.
    ///
    /// - Parameters:
    ///   - held: The accounts that apps can use, of any provider.
    ///   - reason: The reason that the store has none of this provider and never will; `nil` when it may have some.
    /// - Throws: ``SystemAccountStoreError``: `unsupported` and `accountNotFound` before the person is asked, then
    ///   `permissionDenied` or `failed`.
    func granted(
        _ access: SystemAccountAccess,
        of held: [SystemAccount],
        unsupportedBecause reason: String?
    ) async throws(SystemAccountStoreError) -> [SystemAccount] {
        if let reason { throw SystemAccountStoreError(.unsupported, because: reason) }
        let accounts = held.filter { $0.provider == access.provider }
        guard !accounts.isEmpty else {
            throw SystemAccountStoreError(.accountNotFound, because: "no account of \(access.provider) was added")
        }
        try await request(access, to: accounts)
        return accounts
    }

    /// Asks the person, unless there is an answer already.
    ///
    /// - Throws: ``SystemAccountStoreError`` `permissionDenied` or `failed`.
    private func request(
        _ access: SystemAccountAccess,
        to accounts: [SystemAccount]
    ) async throws(SystemAccountStoreError) {
        let key = TokenStoreKey.accountPermission(of: access.app, at: access.provider)
        let isAllowed = try await SystemAccountStoreError.translating {
            try await store.exclusively(for: key) { try await answer(to: access, accounts, under: key) }
        }
        guard isAllowed else {
            throw SystemAccountStoreError(.permissionDenied, because: "the person does not allow \(access.app)")
        }
    }

    /// The person's answer to an app: the earlier one, or the one to a new question.
    private func answer(
        to access: SystemAccountAccess,
        _ accounts: [SystemAccount],
        under key: TokenStoreKey
    ) async throws -> Bool {
        var kept = try await store.load(json: key) ?? PermissionItem()
        if let known = kept.answer(to: access) { return known }
        let isAllowed = await question(access, accounts)
        // A withdrawn question has no answer.
        guard !Task.isCancelled else { throw CancellationError() }
        kept.add(access, isAllowed: isAllowed)
        try await store.save(json: kept, for: key)
        return isAllowed
    }

    /// Refuses an app that the person does not allow to use an account; nothing is asked.
    ///
    /// - Throws: ``SystemAccountStoreError`` `permissionDenied` or `failed`.
    func check(_ access: SystemAccountAccess, to account: SystemAccount) async throws(SystemAccountStoreError) {
        let key = TokenStoreKey.accountPermission(of: access.app, at: access.provider)
        let known: PermissionItem? = try await SystemAccountStoreError.translating { try await store.load(json: key) }
        guard account.provider == access.provider, known?.answer(to: access) == true else {
            throw SystemAccountStoreError(.permissionDenied, because: "\(access.app) is not allowed any more")
        }
    }

    /// All answers, sorted by provider and app.
    func all() async throws(TokenStoreError) -> [SystemAccountPermission] {
        var permissions: [SystemAccountPermission] = []
        for key in try await store.keys() where key.kind == .systemAccountPermission && key.names.count == 2 {
            guard let kept: PermissionItem = try await store.load(json: key) else { continue }
            permissions.append(
                SystemAccountPermission(
                    app: ClientID(key.names[1]),
                    provider: AccountProviderID(key.names[0]),
                    isAllowed: kept.isAllowed,
                    permissions: kept.permissions
                )
            )
        }
        return permissions
    }

    /// Grants an app the rights that were refused before; `nil` when it has not asked.
    func allow(_ app: ClientID, at provider: AccountProviderID) async throws(TokenStoreError) -> [String]? {
        let key = TokenStoreKey.accountPermission(of: app, at: provider)
        guard var kept: PermissionItem = try await store.load(json: key) else { return nil }
        kept.allowRefused()
        try await store.save(json: kept, for: key)
        return kept.permissions
    }

    /// Forgets an answer; the app asks again the next time.
    func forget(_ app: ClientID, at provider: AccountProviderID) async throws(TokenStoreError) {
        try await store.remove(.accountPermission(of: app, at: provider))
    }
}

extension SystemAccountStoreError {
    /// Runs work with a token store, and maps its errors.
    static func translating<Value: Sendable>(
        _ work: () async throws -> Value
    ) async throws(SystemAccountStoreError) -> Value {
        do {
            return try await work()
        } catch let error as TokenStoreError {
            throw SystemAccountStoreError(.failed, because: error.description)
        } catch {
            throw SystemAccountStoreError(.failed, because: String(describing: error))
        }
    }
}
