public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Another provider of identities, which this server believes about people: an OpenID provider, or one whose tokens
/// apps exchange.
public struct IdentityProvider: Sendable, Equatable {
    /// Names a provider in addresses of this server, in lists and in the audit.
    public struct ID: Identifier {
        /// The name as text.
        public let rawValue: String
        /// Creates a name from text that was parsed before; nothing is checked.
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

    /// The provider's name in addresses.
    public let id: ID
    /// The provider's name as people know it.
    public var displayName: String
    /// The issuer that its tokens name, letter by letter. Providers whose tokens name none have one of our choosing:
    /// the same for all interfaces of one provider that name the same people.
    public let issuer: IdentityIssuer
    /// Its protocol, with the settings that this server needs for it.
    public var kind: Kind
    /// Whether an account is created when an unknown person first signs in.
    public var makesAccounts: Bool
    /// The clients of this server that alone may exchange its tokens; empty, the default, for every client that is
    /// registered for token exchange. A client that does not authenticate is named here, and not proved.
    public var exchangers: [ClientID]
    /// The time of its creation.
    public let created: Date

    /// Creates a provider to add, without new accounts.
    public init(id: ID, displayName: String, issuer: IdentityIssuer, kind: Kind, created: Date) {
        self.id = id
        self.displayName = displayName
        self.issuer = issuer
        self.kind = kind
        makesAccounts = false
        exchangers = []
        self.created = created
    }

    /// Whether the name of an issuer has a place for something else, as
    /// `https://login.microsoftonline.com/{tenantid}/v2.0` has one for a directory. No token names that issuer. If
    /// every issuer that fits the template were accepted, the owner of any directory could name people, so one
    /// directory has to be named.
    ///
    /// - Parameter issuer: The name as it was given.
    public static func isTemplate(_ issuer: String) -> Bool {
        issuer.utf8.contains { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }
    }

    /// Whether a client may exchange tokens of this provider, if it is registered for token exchange.
    package func isExchanged(by client: ClientID) -> Bool {
        exchangers.isEmpty || exchangers.contains(client)
    }

    /// Whether people can sign in with it on the pages of this server.
    public var isOnLoginPage: Bool {
        switch kind {
        case .openID(let settings): settings.isOnLoginPage
        case .socialGraph, .oauth1, .bearer: false
        }
    }
}

/// The identity of a person at another provider, which signs them in here.
///
/// It is found by issuer and subject together, never by a name or an e-mail address.
public struct LinkedIdentity: Sendable, Equatable {
    /// The issuer that said it.
    public let issuer: IdentityIssuer
    /// The person's identifier at that issuer.
    public let subject: String
    /// The person at this server.
    public let person: Subject
    /// The label in the list of the person's identities: the e-mail address or name that the issuer last gave.
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

/// A browser that was sent to another provider, and is expected back.
///
/// Standard: RFC 9700 §4.7.1 (`state` bound to the browser), RFC 9207 §2.4 (the issuer is remembered).
public struct ProviderVisit: Sendable, Equatable {
    /// The purpose of a visit.
    public enum Purpose: Sendable, Equatable, Codable {
        /// To sign in. With `again` they were asked to sign in anew, and the provider must have done that.
        case signIn(again: Bool)
        /// To connect the identity with this account.
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
    /// The path to open afterwards.
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
