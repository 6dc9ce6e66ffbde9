/// A text whose knowledge is a right: a code, a token, a password.
///
/// It prints as redacted, compares in constant time, and is not `Codable`: whoever writes it down says so by
/// asking for ``revealed``. Stores keep its ``digest`` only.
public protocol Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Takes over a text that a party presented or that was just minted.
    init(revealing text: String)

    /// The secret itself, for the one place that sends it to its owner.
    var revealed: String { get }
}

extension Secret {
    /// What may be stored and looked up in place of the secret.
    public var digest: SecretDigest { SecretDigest(of: revealed) }

    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest
    }

    public var description: String { "\(Self.self)(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
