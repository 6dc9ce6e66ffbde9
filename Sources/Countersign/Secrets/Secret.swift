/// A text that gives rights to the party that knows it: a code, a token, a password.
///
/// It prints as redacted, compares in constant time, and is not `Codable`: code that writes it down must ask for
/// ``revealed``. Stores keep only its ``digest``.
public protocol Secret: Sendable, Equatable, Redacted {
    /// Creates a secret from the text that a party presented or that was just minted.
    ///
    /// - Parameter text: The secret in the clear, in its wire form.
    init(revealing text: String)

    /// The text in the clear, for the one message that sends it to its owner.
    var revealed: String { get }

    /// The digest that may be stored and looked up in place of the secret.
    var digest: SecretDigest { get }
}

extension Secret {
    /// The SHA-256 digest of the text.
    public var digest: SecretDigest { SecretDigest(of: revealed) }

    /// Compares the digests of both in constant time.
    public static func == (left: Self, right: Self) -> Bool { left.digest == right.digest }
}
