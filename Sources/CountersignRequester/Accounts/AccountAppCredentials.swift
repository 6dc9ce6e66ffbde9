public import Countersign
public import CountersignWire

/// An app's registrations at providers of accounts, shared by all its attempts.
///
/// ```swift
/// let recipes = AccountAppCredentials(named: "Recipes", twitter: client, facebook: ClientID("1234"))
/// let credentials = try await recipes.socialGraph(with: accounts).perform { account in
///     await screen.ask("Continue as \(account.name)?")
/// }
/// ```
///
/// Attempts at a provider without credentials end as `unconfigured`.
public struct AccountAppCredentials: Sendable, Equatable {
    /// The app's name in the question for permission; `nil` for none.
    public let name: String?
    private var apps: [AccountProviderID: SystemAccountApp] = [:]

    /// An app.
    ///
    /// - Parameters:
    ///   - name: The app's name in the question for permission; `nil`, the default, for none.
    ///   - twitter: The app's credentials at X; none by default.
    ///   - facebook: The app's identifier at Facebook; none by default.
    public init(named name: String? = nil, twitter: ClientCredentials? = nil, facebook: ClientID? = nil) {
        self.name = name
        if let twitter { set(SystemAccountApp(at: .twitter, client: twitter.client, secret: twitter.secret)) }
        if let facebook { set(SystemAccountApp(at: .facebook, client: facebook)) }
    }

    /// Sets the app's registration at another provider.
    ///
    /// - Parameter app: The app, as that provider knows it.
    public mutating func set(_ app: SystemAccountApp) { apps[app.provider] = app }

    /// An attempt to sign in at a provider of OAuth 1.
    ///
    /// - Parameters:
    ///   - provider: The provider; X by default.
    ///   - accounts: The system's accounts.
    /// - Returns: The attempt, to be performed once.
    public func reverseAuth(
        at provider: ReverseAuthProvider = .twitter,
        with accounts: any SystemAccountStore
    ) -> ReverseAuth {
        let client = apps[provider.id].flatMap { app in
            app.secret.map { ClientCredentials(client: app.client, secret: $0) }
        }
        return ReverseAuth(at: provider, as: client, named: name, with: accounts)
    }

    /// An attempt to sign in at a provider of the social-graph kind.
    ///
    /// - Parameters:
    ///   - provider: The provider; Facebook by default.
    ///   - permissions: The rights that it asks for; ``SocialGraphSignIn/minimalPermissions`` by default.
    ///   - accounts: The system's accounts.
    /// - Returns: The attempt, to be performed once.
    public func socialGraph(
        at provider: SocialGraphProvider = .facebook,
        permissions: [String] = SocialGraphSignIn.minimalPermissions,
        with accounts: any SystemAccountStore
    ) -> SocialGraphSignIn {
        SocialGraphSignIn(
            at: provider, as: apps[provider.id]?.client, named: name, permissions: permissions, with: accounts)
    }
}
