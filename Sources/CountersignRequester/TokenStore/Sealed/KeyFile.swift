internal import Countersign

/// Keeps the key of a store in a file that only this user can read.
public struct KeyFile: SealingKeyPlace {
    /// What the line of the file begins with.
    private static let label = "countersign-sealing-key-1 "

    private let directory: PrivateDirectory
    private let name: String

    /// The file at `path`; the directory is made with it when there is none.
    public init(at path: String) {
        let slash = path.lastIndex(of: "/")
        directory = PrivateDirectory(path: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// - Throws: ``TokenStoreError`` `keyUnfit` when the file holds no key or is open to others.
    public func find() throws(TokenStoreError) -> SealingKey? {
        guard let bytes = try directory.read(name, refusingExposedAs: .keyUnfit) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.hasSuffix("\n") ? text.dropLast() : text[...]
        guard line.hasPrefix(Self.label),
            let key = URLSafeText.decode(String(line.dropFirst(Self.label.count))).flatMap(SealingKey.init(revealing:))
        else { throw TokenStoreError(.keyUnfit, because: "\(directory.at(name)) holds no key") }
        return key
    }

    /// Whoever comes first of several processes makes the file, and the others take what is in it.
    public func keep(_ key: SealingKey) throws(TokenStoreError) -> SealingKey {
        let line = "\(Self.label)\(URLSafeText.encode(key.revealed))\n"
        if try directory.create(name, holding: Array(line.utf8)) { return key }
        guard let first = try find() else {
            throw TokenStoreError(.keyMissing, because: "\(directory.at(name)) was there and is gone")
        }
        return first
    }
}
