public import Countersign

/// Identifies a provider whose accounts a system can hold.
public struct AccountProviderID: Identifier {
    /// The identifier in lower case, such as `twitter`.
    public let rawValue: String
    /// Creates an identifier from any text; a store reports an unknown one. ``StoredAccounts`` learns one by
    /// ``StoredAccounts/register(_:as:)``.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// X, which was Twitter: accounts that sign by OAuth 1.
    public static let twitter = Self("twitter")
    /// Facebook: accounts with a bearer token.
    public static let facebook = Self("facebook")
}

/// An account that the system holds, as an app sees it: a name to show, and nothing secret.
public struct SystemAccount: Sendable, Hashable, Identifiable {
    /// Identifies the account at the provider.
    public struct ID: Identifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The provider of the account.
    public let provider: AccountProviderID
    /// Identifies it at the provider.
    public let id: ID
    /// The name that the person knows it by: a screen name, an address or a number.
    public let name: String

    /// An account.
    public init(provider: AccountProviderID, id: ID, name: String) {
        self.provider = provider
        self.id = id
        self.name = name
    }
}

/// The access to the system's accounts that an app asks for.
public struct SystemAccountAccess: Sendable, Hashable {
    /// The audience of the app's posts with the account.
    public enum Audience: String, Sendable, Hashable, CaseIterable, Codable {
        /// The person alone.
        case onlyMe = "me"
        /// The person's friends.
        case friends
        /// Everybody.
        case everyone
    }

    /// The provider of the accounts.
    public let provider: AccountProviderID
    /// The requesting app, by the provider's identifier; permission is remembered for each.
    public let app: ClientID
    /// The app's self-chosen name; it is unverified, and is shown as such.
    public let appName: String?
    /// The requested rights, in the provider's words; empty for the minimum that identifies the person.
    public let permissions: [String]
    /// The audience of its posts.
    public let audience: Audience

    /// The access that an app asks for.
    public init(
        to provider: AccountProviderID,
        for app: ClientID,
        named appName: String? = nil,
        permissions: [String] = [],
        audience: Audience = .onlyMe
    ) {
        self.provider = provider
        self.app = app
        self.appName = appName
        self.permissions = permissions
        self.audience = audience
    }
}
