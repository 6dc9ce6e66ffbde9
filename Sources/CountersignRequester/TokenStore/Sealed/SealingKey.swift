/// The key by which a store seals what it keeps: 32 random bytes.
public struct SealingKey: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// How many bytes a key has.
    public static let length = 32

    /// The key itself, for the one place that keeps it.
    public let revealed: [UInt8]

    /// Takes over a key that was kept or just drawn; `nil` when it has another length.
    public init?(revealing bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        revealed = bytes
    }

    public static func == (left: SealingKey, right: SealingKey) -> Bool {
        var difference: UInt8 = 0
        for place in left.revealed.indices { difference |= left.revealed[place] ^ right.revealed[place] }
        return difference == 0
    }

    public var description: String { "SealingKey(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Where the key of a store is kept, apart from what it seals.
public protocol SealingKeyPlace: Sendable {
    /// The key; `nil` when none was ever made.
    func find() async throws(TokenStoreError) -> SealingKey?
    /// Keeps `key`, unless there is one by now, which stays; gives the one that is kept.
    func keep(_ key: SealingKey) async throws(TokenStoreError) -> SealingKey
}
