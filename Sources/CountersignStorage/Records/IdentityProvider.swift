public import FoundationEssentialsCompat

/// Another provider whose identities this server accepts: an OpenID provider, or one whose tokens apps exchange.
public struct IdentityProvider: Sendable, Equatable {
    /// The name of a provider in paths of this server, in lists and in the audit.
    public struct ID: Identifier {
        /// The name as text.
        public let rawValue: String
        /// Creates a name without validation.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Reads a name.
        ///
        /// - Parameter text: `nil` is returned unless it is 1 to 32 small letters, digits and hyphens, and begins with
        ///   a letter.
        public init?(parsing text: String) {
            let small = UInt8(ascii: "a")...UInt8(ascii: "z")
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            guard (1...32).contains(text.utf8.count), text.utf8.first.map(small.contains) == true,
                text.utf8.allSatisfy({ small.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") })
            else { return nil }
            rawValue = text
        }
    }

    /// The provider's name in paths.
    public let id: ID
    /// The provider's name on pages.
    public var displayName: String
    /// The exact issuer of its tokens. For providers without issuers in tokens the operator chooses one: the same for
    /// all APIs with the same subjects.
    public let issuer: IdentityIssuer
    /// Its protocol, with its settings.
    public var kind: Kind
    /// Whether the first sign-in of an unknown person creates an account.
    public var makesAccounts: Bool
    /// The clients of this server that may exchange its tokens; empty, the default, for every client with the grant
    /// type token exchange. The identifier of a public client is not authenticated.
    public var exchangers: [ClientID]
    /// The time of its creation.
    public let created: Date

    /// Creates a provider that creates no accounts.
    public init(id: ID, displayName: String, issuer: IdentityIssuer, kind: Kind, created: Date) {
        self.id = id
        self.displayName = displayName
        self.issuer = issuer
        self.kind = kind
        makesAccounts = false
        exchangers = []
        self.created = created
    }

    /// Whether an issuer is a template, such as `https://login.microsoftonline.com/{tenantid}/v2.0`. The owner of any
    /// tenant can assert identities, so a provider needs the issuer of one tenant.
    ///
    /// - Parameter issuer: The issuer as text.
    public static func isTemplate(_ issuer: String) -> Bool {
        issuer.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
    }

    /// Whether a client with the grant type token exchange may exchange tokens of this provider.
    package func isExchanged(by client: ClientID) -> Bool {
        exchangers.isEmpty || exchangers.contains(client)
    }

    /// Whether people can sign in with it on the pages of this server.
    public var isOnLoginPage: Bool { kind.openID?.isOnLoginPage ?? false }
}

/// The identity of a person at another provider.
///
/// Its key is issuer and subject, never a name or an e-mail address.
public struct LinkedIdentity: Sendable, Equatable {
    /// The issuer.
    public let issuer: IdentityIssuer
    /// The person's identifier at that issuer.
    public let subject: String
    /// The person at this server.
    public let person: Subject
    /// The label in lists: the e-mail address or name that the issuer last stated.
    public var label: String?
    /// The time of the connection.
    public let linked: Date

    /// Creates an identity to store.
    public init(issuer: IdentityIssuer, subject: String, person: Subject, label: String?, linked: Date) {
        self.issuer = issuer
        self.subject = subject
        self.person = person
        self.label = label
        self.linked = linked
    }
}

/// The visit of a browser at another provider.
///
/// Standard: RFC 9700 §4.7.1 (`state` bound to the browser), RFC 9207 §2.4 (the issuer is remembered).
public struct ProviderVisit: Sendable, Equatable {
    /// The purpose of a visit.
    public enum Purpose: Sendable, Equatable, Codable {
        /// The sign-in of a person; with `again` the provider must have authenticated them anew.
        case signIn(again: Bool)
        /// The connection of the identity with this account.
        case link(Subject)
    }

    /// The digest of `state`.
    public let state: SecretDigest
    /// The digest of the browser's cookie.
    public let browser: SecretDigest
    /// The provider that the browser was sent to.
    public let provider: IdentityProvider.ID
    /// The purpose of the visit.
    public let purpose: Purpose
    /// The path of the page after the visit.
    public let target: String
    /// The start of the visit.
    public let started: Date
    /// The expiry of the visit.
    public let expires: Date

    /// Creates a record to store.
    public init(
        state: SecretDigest,
        browser: SecretDigest,
        provider: IdentityProvider.ID,
        purpose: Purpose,
        target: String,
        started: Date,
        expires: Date
    ) {
        self.state = state
        self.browser = browser
        self.provider = provider
        self.purpose = purpose
        self.target = target
        self.started = started
        self.expires = expires
    }
}
