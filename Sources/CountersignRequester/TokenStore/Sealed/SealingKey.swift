public import Countersign

/// The key that seals the items of a store: 32 random bytes.
public struct SealingKey: Sendable, Equatable, Redacted {
    /// The number of bytes.
    public static let length = 32

    /// The key in the clear, for the place that stores it.
    public let revealed: [UInt8]

    /// Adopts a stored or new key; `nil` when it has another length.
    public init?(revealing bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        revealed = bytes
    }

    /// Whether two keys are the same, compared in constant time.
    public static func == (left: SealingKey, right: SealingKey) -> Bool {
        var difference: UInt8 = 0
        for place in left.revealed.indices { difference |= left.revealed[place] ^ right.revealed[place] }
        return difference == 0
    }
}

/// The place of a store's key, apart from what the key seals.
///
/// ``KeyFile`` keeps it in a file. An app with a secure element or a key server writes another:
///
/// ```swift
/// struct SecureElementKey: SealingKeyStore {
///     func find() async throws(TokenStoreError) -> SealingKey? {
///         await element.read().flatMap(SealingKey.init(revealing:))
///     }
///
///     func keep(_ key: SealingKey) async throws(TokenStoreError) -> SealingKey {
///         if let first = try await find() { return first }
///         await element.write(key.revealed)
///         return key
///     }
/// }
/// ```
public protocol SealingKeyStore: Sendable {
    /// Looks for the key.
    ///
    /// - Returns: The key; `nil` when none was ever stored.
    /// - Throws: ``TokenStoreError`` when it cannot be found out whether there is one.
    func find() async throws(TokenStoreError) -> SealingKey?

    /// Stores a new key, unless one exists by now, which stays.
    ///
    /// - Parameter key: The key that the store has drawn.
    /// - Returns: The stored key, which may be another process's.
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    func keep(_ key: SealingKey) async throws(TokenStoreError) -> SealingKey
}

/// Keeps the key of a store in a file that only this user can read.
public struct KeyFile: SealingKeyStore {
    /// The beginning of the file's line.
    private static let label = "countersign-sealing-key-1 "

    private let directory: PrivateDirectory
    private let name: String

    /// The key in a file.
    ///
    /// - Parameter path: The file; it is created with mode 0600 when a key is first stored, and its directory too.
    public init(at path: String) {
        (directory, name) = PrivateDirectory.containing(fileAt: path)
    }

    /// Reads the key.
    ///
    /// - Returns: The key; `nil` when there is no file.
    /// - Throws: ``TokenStoreError`` `keyUnfit` when the file holds no key or other users can read it, `notRead` when
    ///   it cannot be read.
    public func find() throws(TokenStoreError) -> SealingKey? {
        let bytes = try TokenStoreError.translating(exposed: .keyUnfit) { () throws(PrivateFileError) in
            try directory.read(name, refusesExposed: true)
        }
        guard let bytes else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        guard line.hasPrefix(Self.label),
            let key = URLSafeText.decode(String(line.dropFirst(Self.label.count))).flatMap(SealingKey.init(revealing:))
        else { throw TokenStoreError(.keyUnfit, because: "\(directory.at(name)) holds no key") }
        return key
    }

    /// Writes the key, unless the file exists by now: the first of several processes creates it, and the others use its
    /// key.
    ///
    /// - Throws: ``TokenStoreError`` `notWritten`, or what ``find()`` throws.
    public func keep(_ key: SealingKey) throws(TokenStoreError) -> SealingKey {
        let line = "\(Self.label)\(URLSafeText.encode(key.revealed))\n"
        let isNew = try TokenStoreError.translating { () throws(PrivateFileError) in
            try directory.create(name, holding: Array(line.utf8))
        }
        if isNew { return key }
        guard let first = try find() else {
            throw TokenStoreError(.keyMissing, because: "\(directory.at(name)) was there and is gone")
        }
        return first
    }
}
