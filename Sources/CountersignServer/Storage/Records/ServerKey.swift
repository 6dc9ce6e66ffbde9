public import CountersignWire
public import Foundation

/// A key of the server itself, created on first start.
public struct ServerKey: Sendable, Equatable, CustomStringConvertible {
    /// What a key is for.
    public enum Purpose: String, Sendable, CaseIterable {
        /// Signs tokens by ES256.
        case signES256
        /// Signs tokens by RS256.
        case signRS256
        /// Hides user codes in the database.
        case userCodes
        /// Ties forms to browsers.
        case forms

        /// The purposes of the keys that sign tokens.
        public static let signing: [Purpose] = [.signES256, .signRS256]
    }

    public let id: JSONWebKey.ID
    public let purpose: Purpose
    /// The private key: raw for ES256, DER (PKCS #1) for RS256, random bytes for the others.
    public let secretBytes: [UInt8]
    public let created: Date
    /// From when it signs; before that it is published only, so that everybody has seen it when it does.
    public let activates: Date
    /// When it stopped signing; from then on it is published until the last token it signed has ended.
    public var retired: Date?

    public init(
        id: JSONWebKey.ID,
        purpose: Purpose,
        secretBytes: [UInt8],
        created: Date,
        activates: Date,
        retired: Date? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.secretBytes = secretBytes
        self.created = created
        self.activates = activates
        self.retired = retired
    }

    public var description: String { "ServerKey(\(id), \(purpose.rawValue), redacted)" }
}
