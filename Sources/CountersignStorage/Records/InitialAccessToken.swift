public import FoundationEssentialsCompat

/// A token that allows the registration of clients.
///
/// Standard: RFC 7591 §1.2, §3 (initial access token).
public struct InitialAccessToken: Sendable, Equatable {
    /// The name of such a token in lists and in the audit; no secret.
    public struct ID: Identifier {
        /// The identifier as text.
        public let rawValue: String
        /// Creates an identifier from any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// Its name in lists and in the audit.
    public let id: ID
    /// The digest of the token.
    public let token: SecretDigest
    /// The allowance of its clients in addition to that of every self-registered client.
    public let allowance: RegistrationAllowance
    /// The number of clients that may still be registered with it.
    public var uses: Int
    /// The time of its creation.
    public let created: Date
    /// From this instant on it is refused.
    public let expires: Date

    /// Creates a token to store.
    public init(
        id: ID, token: SecretDigest, allowance: RegistrationAllowance, uses: Int, created: Date, expires: Date
    ) {
        self.id = id
        self.token = token
        self.allowance = allowance
        self.uses = uses
        self.created = created
        self.expires = expires
    }
}
