/// A text that gives rights to the party that knows it: a code, a token, a password.
///
/// It prints as redacted, compares in constant time, and is not `Codable`: code that writes it down must ask for
/// ``revealed``. Stores keep only its ``digest``.
public protocol Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Creates a secret from the text that a party presented or that was just minted.
    ///
    /// - Parameter text: The secret in the clear, as it stands in a message.
    init(revealing text: String)

    /// The text in the clear, for the one message that sends it to its owner.
    var revealed: String { get }

    /// What may be stored and looked up in place of the secret.
    var digest: SecretDigest { get }
}

extension Secret {
    /// The SHA-256 digest of the text.
    public var digest: SecretDigest { SecretDigest(of: revealed) }

    /// Compares the digests of both in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest
    }

    /// The type's name and `redacted`: a secret is never printed.
    public var description: String { "\(Self.self)(redacted)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror that shows nothing of the secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
