extension Store {
    /// Runs an insertion that draws the keys of its records, again with other keys while these are taken; five times at
    /// most.
    ///
    /// - Returns: what `insert` returns; `nil` when the keys of all five attempts were taken.
    func retryingTakenKeys<Result>(_ insert: () async throws -> Result) async throws -> Result? {
        for _ in 0..<5 {
            do {
                return try await insert()
            } catch StoreRefusal.alreadyExists {
                continue
            }
        }
        return nil
    }
}
