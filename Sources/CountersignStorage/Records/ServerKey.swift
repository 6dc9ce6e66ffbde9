public import FoundationEssentialsCompat

/// A key of the server, created on first start.
public struct ServerKey: Sendable, Equatable, CustomStringConvertible {
    /// The use of a key.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Signs tokens by ES256.
        case signES256
        /// Signs tokens by RS256.
        case signRS256
        /// Digests user codes in the database.
        case userCodes
        /// Binds forms to browsers.
        case forms
        /// Seals the secrets of people's one-time passwords in the database.
        case secondFactors
        /// Verifies ID token hints: the public half of a removed signing key.
        case verifyHints

        /// The purposes of the keys that sign tokens.
        public static let signing: [Purpose] = [.signES256, .signRS256]
    }

    /// The `kid` of the published public half.
    public let id: JSONWebKey.ID
    /// The use of the key.
    public let purpose: Purpose
    /// The private key: raw for ES256, DER (PKCS #1) for RS256, random bytes for the others; for
    /// ``Purpose/verifyHints`` the public key as a JSON Web Key.
    public let secretBytes: [UInt8]
    /// The time of the key's creation.
    public let created: Date
    /// The start of its use for signing; earlier it is only published.
    public package(set) var activates: Date
    /// The end of its use for signing; it stays published until its last token has expired.
    public var retired: Date?

    /// Creates a key to store.
    public init(
        id: JSONWebKey.ID, purpose: Purpose, secretBytes: [UInt8], created: Date, activates: Date, retired: Date? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.secretBytes = secretBytes
        self.created = created
        self.activates = activates
        self.retired = retired
    }

    /// Identifier and purpose; never the secret.
    public var description: String { "ServerKey(\(id), \(purpose.rawValue), redacted)" }
}
