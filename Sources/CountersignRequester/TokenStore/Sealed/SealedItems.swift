internal import Countersign
internal import Crypto
internal import FoundationEssentialsCompat

/// Everything that one group keeps: the content of a sealed file.
struct SealedItems: Sendable, Equatable {
    private var items: [TokenStoreKey: [UInt8]] = [:]

    /// No items.
    init() {}

    subscript(key: TokenStoreKey) -> [UInt8]? {
        get { items[key] }
        set { items[key] = newValue }
    }

    /// All keys, sorted.
    var keys: [TokenStoreKey] { items.keys.sorted() }

    /// The keys whose items differ.
    func differences(from others: SealedItems) -> [TokenStoreKey] {
        Set(items.keys).union(others.items.keys).filter { items[$0] != others.items[$0] }.sorted()
    }
}

extension SealedItems {
    /// The JSON that is sealed.
    private struct Contents: Codable {
        struct Entry: Codable {
            let key: TokenStoreKey
            let item: Data
        }

        let entries: [Entry]
    }

    /// Reads the bytes that ``written`` returned.
    init(reading bytes: [UInt8]) throws(TokenStoreError) {
        guard let written = try? JSONDecoder().decode(Contents.self, from: Data(bytes)) else {
            throw TokenStoreError(.damaged, because: "what was sealed are no items of this version")
        }
        for entry in written.entries { items[entry.key] = Array(entry.item) }
    }

    /// The items as bytes.
    var written: [UInt8] {
        get throws(TokenStoreError) {
            let entries = items.keys.sorted().map { Contents.Entry(key: $0, item: Data(items[$0] ?? [])) }
            guard let bytes = try? JSONEncoder().encode(Contents(entries: entries)) else {
                throw TokenStoreError(.notWritten, because: "the items cannot be written as JSON")
            }
            return Array(bytes)
        }
    }
}

/// Seals the file of one group, and opens it again.
///
///     "cssealed" │ which key (16) │ nonce (12) │ ciphertext │ tag (16)
///
/// Each group has its own key, derived from that of the store; the bytes in front and the name of the group are
/// authenticated with the rest. So a file that was changed, cut, or put in place of another group's does not open.
/// Standard: RFC 8439 (ChaCha20-Poly1305), RFC 5869 (HKDF-SHA256).
struct Seal: Sendable {
    private static let mark = Array("cssealed".utf8)
    private static let nonceLength = 12
    private static let tagLength = 16

    private let key: SymmetricKey
    /// The mark, and a name that identifies the key and does not reveal it.
    private let head: [UInt8]
    private let group: TokenGroup

    /// Derives the key of a group from that of the store.
    init(by key: SealingKey, for group: TokenGroup) {
        self.key = Self.derived(from: key, for: "countersign token group \(group)", length: 32)
        let name = Self.derived(from: key, for: "countersign name of a sealing key", length: 16)
        head = Self.mark + name.withUnsafeBytes { Array($0) }
        self.group = group
    }

    /// - Parameter nonce: 12 random bytes, for this one time.
    func sealed(_ bytes: [UInt8], drawing nonce: [UInt8]) throws(TokenStoreError) -> [UInt8] {
        guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
            let box = try? ChaChaPoly.seal(bytes, using: key, nonce: nonce, authenticating: authenticated)
        else { throw TokenStoreError(.notWritten, because: "the items cannot be sealed") }
        return head + box.combined
    }

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

    private var authenticated: [UInt8] { head + Array(group.rawValue.utf8) }

    private static func derived(from key: SealingKey, for purpose: String, length: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.revealed), info: Array(purpose.utf8), outputByteCount: length)
    }
}
