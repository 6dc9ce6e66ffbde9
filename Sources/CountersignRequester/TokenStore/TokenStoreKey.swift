public import Countersign

/// Identifies a stored item: its kind, and the names that distinguish it from others of that kind.
///
/// ```swift
/// let key = TokenStoreKey.signIn(at: issuer, as: client)
/// let stored = try await store.signedIn(for: key)
/// ```
///
/// An app that stores something of its own defines a kind, and an extension of ``TokenStore`` that reads and writes it.
public struct TokenStoreKey: Sendable, Hashable, Codable {
    /// The kind of an item; each kind is written and read in one place.
    public struct Kind: Identifier {
        /// The kind as text, such as `sign-in`.
        public let rawValue: String
        /// Creates a kind from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the item.
    public let kind: Kind
    /// The names, in the order that the kind defines.
    public let names: [String]

    /// Creates a key; apps use the ready ones, such as ``signIn(at:as:)``.
    ///
    /// - Parameters:
    ///   - kind: The kind of the item.
    ///   - names: The names, in the order that the kind defines.
    public init(_ kind: Kind, _ names: String...) {
        self.kind = kind
        self.names = names
    }
}

extension TokenStoreKey.Kind {
    /// A sign-in: issuer, client identifier.
    public static let signIn = Self("sign-in")
    /// This device's registration with an authorization provider: the provider's address.
    ///
    /// Standard: ETSI TS 103 407 §8.2.
    public static let crossPlatformIdentity = Self("cross-platform-identity")
    /// A token for a service: the provider's address, domain.
    ///
    /// Standard: ETSI TS 103 407 §8.4.
    public static let crossPlatformToken = Self("cross-platform-token")
}

extension TokenStoreKey: Comparable, CustomStringConvertible {
    /// Compares kind and names, for a stable order.
    public static func < (left: Self, right: Self) -> Bool {
        ([left.kind.rawValue] + left.names).lexicographicallyPrecedes([right.kind.rawValue] + right.names)
    }

    /// The key as text; it has no secret.
    public var description: String {
        ([kind.rawValue] + names).joined(separator: " ")
    }

    /// A text that no other key has, whatever characters the names have.
    var unambiguous: String {
        ([kind.rawValue] + names).map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// A file name that no other key has.
    var fileName: String {
        URLSafeText.encode(SecretDigest(of: unambiguous).bytes.prefix(18))
    }
}
