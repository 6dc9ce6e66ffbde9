public import Countersign

/// Identifies an item of a ``TokenStore``: its kind, and the names that identify it within the kind.
///
/// ```swift
/// let key = TokenStoreKey.signIn(at: try Issuer("https://id.example.com"), as: ClientID("kitchen-radio"))
/// let signedIn = try await store.signedIn(for: key)
/// ```
public struct TokenStoreKey: Sendable, Hashable, Codable {
    /// The kind of an item; each kind is written and read in one place.
    public struct Kind: Identifier {
        /// The stored kind.
        public let rawValue: String

        /// A kind of an app's own.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of the item.
    public let kind: Kind
    /// The names, in the order that the kind defines.
    public let names: [String]

    /// The key of an item; for the kinds that exist there are methods such as ``signIn(at:as:)``.
    public init(_ kind: Kind, _ names: String...) {
        self.kind = kind
        self.names = names
    }
}

extension TokenStoreKey.Kind {
    /// A sign-in: issuer, client identifier.
    public static let signIn = Self("sign-in")
    /// A request that was sent through a browser or another app and waits for its answer: provider, client identifier,
    /// a digest of its state.
    public static let pendingSignIn = Self("pending-sign-in")
    /// The identity of this device at an authorization provider: the provider's address.
    ///
    /// Standard: ETSI TS 103 407 §8.2.
    public static let crossPlatformIdentity = Self("cross-platform-identity")
    /// A token for a service: the provider's address, domain.
    ///
    /// Standard: ETSI TS 103 407 §8.4.
    public static let crossPlatformToken = Self("cross-platform-token")
}

extension TokenStoreKey: Comparable, CustomStringConvertible {
    /// Whether `left` comes before `right` in the order of kinds and names.
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

/// The name of a store that apps of one person share; apps with another name do not see its items.
public struct TokenGroup: Identifier {
    /// The name.
    public let rawValue: String

    /// A group by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The group of an app that names none.
    public static let standard = Self("default")
}

extension TokenGroup {
    /// A name for files that no other group has, whatever characters this one's name holds.
    var fileName: String {
        let isPlain =
            (1...64).contains(rawValue.utf8.count) && rawValue.first != "."
            && rawValue.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2D, 0x2E, 0x5F].contains(byte)
            }
        // Other names become their digest, behind a character that no plain name has.
        return isPlain ? rawValue : "~\(URLSafeText.encode(SecretDigest(of: rawValue).bytes.prefix(18)))"
    }
}
