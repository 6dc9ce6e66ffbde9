public import Countersign

/// Under which an item is kept: what kind of thing it is, and the names that tell it from others of the kind.
public struct TokenStoreKey: Sendable, Hashable, Codable {
    /// What kind of thing an item is; each kind is written and read in one place.
    public struct Kind: Identifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public let kind: Kind
    /// The names, in the order that the kind lays down.
    public let names: [String]

    /// The key of a thing; apps use those that are ready, such as ``signIn(at:as:)``.
    public init(_ kind: Kind, _ names: String...) {
        self.kind = kind
        self.names = names
    }
}

extension TokenStoreKey.Kind {
    /// A sign-in: issuer, client id.
    public static let signIn = Self("sign-in")
    /// As what this device is registered with an authorization provider: the provider's address.
    ///
    /// Standard: ETSI TS 103 407 §8.2.
    public static let crossPlatformIdentity = Self("cross-platform-identity")
    /// A token for a service: the provider's address, domain.
    ///
    /// Standard: ETSI TS 103 407 §8.4.
    public static let crossPlatformToken = Self("cross-platform-token")
}

extension TokenStoreKey: Comparable, CustomStringConvertible {
    public static func < (left: Self, right: Self) -> Bool {
        ([left.kind.rawValue] + left.names).lexicographicallyPrecedes([right.kind.rawValue] + right.names)
    }

    /// The key in words; it holds no secret.
    public var description: String {
        ([kind.rawValue] + names).joined(separator: " ")
    }

    /// A text that no other key has, whatever characters the names hold.
    var unambiguous: String {
        ([kind.rawValue] + names).map { "\($0.utf8.count):\($0)" }.joined()
    }

    /// A name for files that no other key has.
    var fileName: String {
        URLSafeText.encode(SecretDigest(of: unambiguous).bytes.prefix(18))
    }
}
