public import Countersign
public import CountersignWire
public import Foundation

/// An app as it is registered: what it may ask, and what it gets.
///
/// Standard: RFC 6749 §2, RFC 7591 §2 for the names of its properties.
public struct Client: Sendable, Equatable, Codable {
    /// How the client proves that it is itself.
    public enum Kind: Sendable, Equatable {
        /// It cannot keep a secret: anybody can name it. Standard: RFC 6749 §2.1.
        case `public`
        /// It has a secret, of which only the digest is kept.
        case confidential(SecretDigest)
    }

    /// The form of the access tokens it gets.
    public enum TokenFormat: String, Sendable, Equatable, Codable, CaseIterable {
        /// Random text, which only the server understands.
        case opaque
        /// A JWT by RFC 9068, signed by ES256.
        case es256 = "ES256"
        /// A JWT by RFC 9068, signed by RS256.
        case rs256 = "RS256"
    }

    public let id: ClientID
    /// How it came to be known.
    public var registration: Registration
    /// What people are shown as its name.
    public var name: String
    public var kind: Kind
    public var grantTypes: [GrantType]
    /// The most it may ask for.
    public var scope: Scope
    public var tokenFormat: TokenFormat
    /// For whom its access tokens are; the issuer itself when `nil`.
    public var audience: String?
    /// The audiences whose tokens it may introspect, as the resource server that honours them.
    public var serves: [String]
    public var lifetimes: Lifetimes
    public let created: Date

    public init(
        id: ClientID,
        registration: Registration = .operator,
        name: String,
        kind: Kind,
        grantTypes: [GrantType],
        scope: Scope,
        tokenFormat: TokenFormat,
        audience: String? = nil,
        serves: [String] = [],
        lifetimes: Lifetimes = Lifetimes(),
        created: Date
    ) {
        self.id = id
        self.registration = registration
        self.name = name
        self.kind = kind
        self.grantTypes = grantTypes
        self.scope = scope
        self.tokenFormat = tokenFormat
        self.audience = audience
        self.serves = serves
        self.lifetimes = lifetimes
        self.created = created
    }
}

extension Client {
    /// How a client came to be known to the server.
    public enum Registration: Sendable, Equatable, Codable {
        /// An operator registered it.
        case `operator`
        /// An app on a device registered itself, and is forgotten at `expires` unless it gets a token before.
        ///
        /// Standard: ETSI TS 103 407 §8.2. That a registration ends is an addition of ours.
        case device(ClientSoftware, expires: Date)
    }

    /// Whether it is a device that has not asked for so long that it is not known any more.
    public func hasExpired(at now: @autoclosure () -> Date) -> Bool {
        guard case .device(_, let expires) = registration else { return false }
        return expires <= now()
    }

    /// How far its name can be believed, once the client itself is as `provenance` says: a device names itself.
    public func provenanceOfName(_ provenance: Provenance) -> Provenance {
        if case .device = registration { .asserted } else { provenance }
    }
}

/// What an app on a device runs, by its own words.
///
/// Standard: ETSI TS 103 407 §8.2.
public struct ClientSoftware: Sendable, Equatable, Codable {
    /// A bundle identifier or package name, mostly.
    public let id: String
    public let version: String

    public init(id: String, version: String) {
        self.id = id
        self.version = version
    }
}

/// How long what a client gets is good, each in seconds.
public struct Lifetimes: Sendable, Equatable, Codable {
    /// The longest life of a JWT: whoever checks it locally cannot see that it was revoked.
    public static let longestJWT: TimeInterval = 300

    /// How long an ID token is good.
    public static let idToken: TimeInterval = 3600

    /// Device and user codes.
    public var code: TimeInterval
    /// Access tokens; of a JWT at most ``longestJWT``.
    public var accessToken: TimeInterval
    /// Refresh tokens, counted from their last use.
    public var refreshToken: TimeInterval

    public init(code: TimeInterval = 300, accessToken: TimeInterval = 3600, refreshToken: TimeInterval = 30 * 86_400) {
        self.code = code
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }
}

extension Client.Kind: Codable {
    private enum CodingKeys: String, CodingKey {
        case secretDigest
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard let digest = try fields.decodeIfPresent(Data.self, forKey: .secretDigest) else {
            self = .public
            return
        }
        self = .confidential(SecretDigest(restoring: Array(digest)))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        if case .confidential(let digest) = self { try fields.encode(Data(digest.bytes), forKey: .secretDigest) }
    }
}
