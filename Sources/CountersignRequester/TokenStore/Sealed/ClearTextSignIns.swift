internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The files in which earlier versions kept sign-ins, each of its own and in the clear.
struct ClearTextSignIns: Sendable {
    let directory: PrivateDirectory

    /// The names of the files that are there.
    func names() throws(TokenStoreError) -> [String] {
        try directory.names().filter(Self.isName)
    }

    /// What one file holds.
    struct Found {
        let name: String
        let key: TokenStoreKey
        let kept: KeptSignIn
        /// The same as it is kept now.
        let item: [UInt8]
    }

    /// Reads a file; `nil` when it cannot be read.
    func read(_ name: String) -> Found? {
        guard let bytes = try? directory.read(name), let file = try? JSONDecoder().decode(File.self, from: Data(bytes)),
            let kept = try? JSONDecoder().decode(KeptSignIn.self, from: Data(bytes)), let item = try? kept.item
        else { return nil }
        let key = TokenStoreKey(.signIn, file.issuer, file.client)
        guard Self.name(of: key) == name else { return nil }
        return Found(name: name, key: key, kept: kept, item: item)
    }

    /// Whether the file for `key` is there; once all that can be read are taken over, it cannot be read.
    func hasFile(for key: TokenStoreKey) -> Bool {
        Self.name(of: key).map(directory.has) ?? false
    }

    /// Removes the file for `key`, if there is one.
    func removeFile(for key: TokenStoreKey) throws(TokenStoreError) {
        guard let name = Self.name(of: key), directory.has(name) else { return }
        try directory.remove(name)
    }

    private struct File: Decodable {
        let issuer: String
        let client: String
    }

    private static func name(of key: TokenStoreKey) -> String? {
        guard key.kind == .signIn, key.names.count == 2 else { return nil }
        let digest = SecretDigest(of: "\(key.names[0])\n\(key.names[1])")
        return "\(URLSafeText.encode(digest.bytes.prefix(18))).json"
    }

    private static func isName(_ name: String) -> Bool {
        guard name.hasSuffix(".json") else { return false }
        return URLSafeText.decode(name.dropLast(5))?.count == 18
    }
}

extension KeptSignIn {
    /// Whether this sign-in was renewed or made later than another, as far as the ends of their tokens tell.
    func isLater(than item: [UInt8]) -> Bool {
        guard let other = try? JSONDecoder().decode(KeptSignIn.self, from: Data(item)) else { return false }
        guard let expires, let otherExpires = other.expires else { return false }
        return expires > otherExpires
    }
}
