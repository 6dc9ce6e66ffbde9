internal import FoundationEssentialsCompat

extension TokenStore {
    /// Reads an item stored as JSON.
    ///
    /// - Throws: ``TokenStoreError``, `damaged` if the item is of another kind.
    func load<Kept: Decodable>(json key: TokenStoreKey) async throws(TokenStoreError) -> Kept? {
        guard let item = try await load(key) else { return nil }
        guard let kept = try? JSONDecoder().decode(Kept.self, from: Data(item)) else {
            throw TokenStoreError(.damaged, because: "\(key) is no \(Kept.self)")
        }
        return kept
    }

    /// Keeps an item as JSON.
    ///
    /// - Throws: ``TokenStoreError`` when it could not be stored.
    func save(json kept: some Encodable, for key: TokenStoreKey) async throws(TokenStoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let bytes = try? encoder.encode(kept) else {
            throw TokenStoreError(.notWritten, because: "the item cannot be written as JSON")
        }
        try await save(Array(bytes), for: key)
    }
}
