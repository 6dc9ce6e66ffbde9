/// The unchecked public keys of a registration request.
///
/// Standard: RFC 7517 §5.
package struct SubmittedKeySet: Sendable, Equatable, Codable {
    /// The reason that a client cannot be registered with these keys.
    package enum KeySetError: Error, Sendable, Hashable {
        /// A key has its private half.
        case privateKey
        /// There is none, there are too many, or one is of another kind, too short, or has too long an identifier.
        case unusable
    }

    /// The largest number of keys that a client may have.
    package static let most = 16

    /// The longest identifier of a key (`kid`), in bytes: client registration may be open.
    package static let longestID = 256

    private let keys: JSONWebKeySet
    private let hasPrivateKey: Bool
    private let count: Int

    /// Keys that are registered already, to be sent to their client.
    package init(registered keys: JSONWebKeySet) {
        self.keys = keys
        hasPrivateKey = false
        count = keys.keys.count
    }

    /// Whether there is no key in it, usable or not.
    package var isEmpty: Bool { count == 0 && !hasPrivateKey }

    /// The keys, if a client can be registered with all of them.
    ///
    /// - Throws: ``KeySetError``.
    package func checked() throws(KeySetError) -> JSONWebKeySet {
        guard !hasPrivateKey else { throw .privateKey }
        guard (1...Self.most).contains(keys.keys.count), keys.keys.count == count,
            keys.keys.allSatisfy({ key in
                KeyThumbprint(of: key) != nil && (key.keyID?.rawValue.utf8.count ?? 0) <= Self.longestID
            })
        else { throw .unusable }
        return keys
    }

    package init(from decoder: any Decoder) throws {
        keys = try JSONWebKeySet(from: decoder)
        let whole = try RawKeySet(from: decoder)
        count = whole.keys.count
        hasPrivateKey = whole.keys.contains { $0["d"] != nil || $0["k"] != nil }
    }

    package func encode(to encoder: any Encoder) throws { try keys.encode(to: encoder) }

    private struct RawKeySet: Decodable {
        let keys: [[String: Member]]

        /// The value of a member, which does not matter here.
        struct Member: Decodable {
            init(from decoder: any Decoder) {}
        }
    }
}
