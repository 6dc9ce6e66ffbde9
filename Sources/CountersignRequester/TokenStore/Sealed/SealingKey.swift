/// The key with which a token store encrypts its items: 32 random bytes.
public struct SealingKey: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The number of bytes.
    public static let length = 32

    /// The key in the clear, for the place that stores it.
    public let revealed: [UInt8]

    /// Creates a key.
    ///
    /// - Parameter bytes: The key as it was stored or drawn; `nil` is returned unless there are exactly 32 bytes.
    public init?(revealing bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        revealed = bytes
    }

    /// Compares in constant time.
    public static func == (left: SealingKey, right: SealingKey) -> Bool {
        var difference: UInt8 = 0
        for place in left.revealed.indices { difference |= left.revealed[place] ^ right.revealed[place] }
        return difference == 0
    }

    public var description: String { "SealingKey(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A place where the key of a token store is stored, apart from the items that it encrypts.
///
/// ``KeyFile`` uses a file, `SecretServiceKey` the keyring of a Linux desktop. An app's own place can ask a TPM or a
/// vault. The first of several processes that call ``keep(_:)`` decides; the others get its key.
public protocol SealingKeyPlace: Sendable {
    /// Returns the key; `nil` when none was ever created.
    ///
    /// - Throws: ``TokenStoreError`` `keyUnfit` or `keyringUnavailable` when there is a key that cannot be used.
    func find() async throws(TokenStoreError) -> SealingKey?
    /// Stores a key unless there is one already, and returns the one that is stored.
    ///
    /// - Parameter key: The new key.
    /// - Throws: ``TokenStoreError`` `notWritten` or `keyringUnavailable` when it cannot be stored.
    func keep(_ key: SealingKey) async throws(TokenStoreError) -> SealingKey
}
