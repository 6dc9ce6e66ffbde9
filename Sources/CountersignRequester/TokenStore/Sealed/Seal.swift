internal import Countersign
internal import Crypto
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Encrypts and decrypts the file of one group.
///
///     "cssealed" │ key name (16) │ nonce (12) │ ciphertext │ tag (16)
///
/// Each group has a key of its own, derived from that of the store; the first bytes and the name of the group are
/// authenticated with the rest. So a file that was changed, cut, or swapped with another group's does not open.
/// Standard: RFC 8439 (ChaCha20-Poly1305), RFC 5869 (HKDF-SHA256).
struct Seal: Sendable {
    /// The first bytes of every file.
    private static let mark = Array("cssealed".utf8)
    private static let nonceLength = 12
    private static let tagLength = 16

    /// The group's key.
    private let key: SymmetricKey
    /// The mark, and a name by which the key is recognised without revealing it.
    private let head: [UInt8]
    private let group: TokenGroup

    init(by key: SealingKey, for group: TokenGroup) {
        self.key = Self.derived(from: key, for: "countersign token group \(group)", length: 32)
        let name = Self.derived(from: key, for: "countersign name of a sealing key", length: 16)
        head = Self.mark + name.withUnsafeBytes { Array($0) }
        self.group = group
    }

    /// Encrypts bytes.
    ///
    /// - Parameter nonce: 12 random bytes that are used only once.
    func sealed(_ bytes: [UInt8], drawing nonce: [UInt8]) throws(TokenStoreError) -> [UInt8] {
        guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.seal(bytes, using: key, nonce: nonce, authenticating: authenticated)
        else { throw TokenStoreError(.notWritten, because: "the items cannot be sealed") }
        return head + box.combined
    }

    /// Decrypts bytes.
    ///
    /// - Throws: ``TokenStoreError`` `wrongKey` or `damaged`.
    func opened(_ bytes: [UInt8]) throws(TokenStoreError) -> [UInt8] {
        guard bytes.starts(with: Self.mark), bytes.count >= head.count + Self.nonceLength + Self.tagLength else {
            throw TokenStoreError(.damaged, because: "the file of group \(group) is no sealed file, or is cut short")
        }
        guard bytes.starts(with: head) else {
            throw TokenStoreError(.wrongKey, because: "the file of group \(group) was sealed by another key")
        }
        guard let box = try? ChaChaPoly.SealedBox(combined: bytes.dropFirst(head.count)),
            let opened = try? ChaChaPoly.open(box, using: key, authenticating: authenticated)
        else { throw TokenStoreError(.damaged, because: "the file of group \(group) was changed") }
        return Array(opened)
    }

    /// The bytes that are authenticated but not encrypted.
    private var authenticated: [UInt8] { head + Array(group.rawValue.utf8) }

    /// A key for one purpose, derived from the store's key.
    private static func derived(from key: SealingKey, for purpose: String, length: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.revealed),
            info: Array(purpose.utf8),
            outputByteCount: length
        )
    }
}
