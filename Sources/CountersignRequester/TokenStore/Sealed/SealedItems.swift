#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// All items of one group: the content of an encrypted file.
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
    /// The items as they are stored.
    private struct Written: Codable {
        struct Entry: Codable {
            let key: TokenStoreKey
            let item: Data
        }

        let entries: [Entry]
    }

    /// Reads the bytes that ``written`` returned.
    init(reading bytes: [UInt8]) throws(TokenStoreError) {
        guard let written = try? JSONDecoder().decode(Written.self, from: Data(bytes)) else {
            throw TokenStoreError(.damaged, because: "what was sealed are no items of this version")
        }
        for entry in written.entries { items[entry.key] = Array(entry.item) }
    }

    /// The items as bytes.
    var written: [UInt8] {
        get throws(TokenStoreError) {
            let entries = items.keys.sorted().map { Written.Entry(key: $0, item: Data(items[$0] ?? [])) }
            guard let bytes = try? JSONEncoder().encode(Written(entries: entries)) else {
                throw TokenStoreError(.notWritten, because: "the items cannot be written as JSON")
            }
            return Array(bytes)
        }
    }
}
