internal import Countersign

/// Stores the key of a token store in a file that only this user can read.
///
/// ```swift
/// let store = SealedFileTokenStore(
///     directory: "/var/lib/radio/tokens",
///     sealedBy: KeyFile(at: "/run/credentials/radio.service/key")
/// )
/// ```
public struct KeyFile: SealingKeyPlace {
    /// The beginning of the file's line.
    private static let label = "countersign-sealing-key-1 "

    private let directory: PrivateDirectory
    private let name: String

    /// Creates the place of a key.
    ///
    /// - Parameter path: The file; its directory is created with it when there is none.
    public init(at path: String) {
        let slash = path.lastIndex(of: "/")
        directory = PrivateDirectory(path: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Reads the key; `nil` when there is no file.
    ///
    /// - Throws: ``TokenStoreError`` `keyUnfit` when the file has no key or other users can read it, `notRead`
    ///   otherwise.
    public func find() throws(TokenStoreError) -> SealingKey? {
        guard let bytes = try directory.read(name, refusingExposedAs: .keyUnfit) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        guard line.hasPrefix(Self.label),
            let key = URLSafeText.decode(String(line.dropFirst(Self.label.count))).flatMap(SealingKey.init(revealing:))
        else { throw TokenStoreError(.keyUnfit, because: "\(directory.at(name)) holds no key") }
        return key
    }

    /// Writes the key to a new file. The first of several processes creates the file, and the others use its key.
    ///
    /// - Parameter key: The new key.
    /// - Throws: ``TokenStoreError`` `notWritten`, `keyUnfit` or `keyMissing`.
    public func keep(_ key: SealingKey) throws(TokenStoreError) -> SealingKey {
        let line = "\(Self.label)\(URLSafeText.encode(key.revealed))\n"
        if try directory.create(name, holding: Array(line.utf8)) { return key }
        guard let first = try find() else {
            throw TokenStoreError(.keyMissing, because: "\(directory.at(name)) was there and is gone")
        }
        return first
    }
}
