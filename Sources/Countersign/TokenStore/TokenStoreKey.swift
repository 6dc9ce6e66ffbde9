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

    /// The key of an item; for the kinds that exist there are methods such as `signIn(at:as:)`.
    public init(_ kind: Kind, _ names: String...) {
        self.kind = kind
        self.names = names
    }
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
}
