extension Store {
    /// Runs an insertion that generates random keys. Retries with new keys on a collision, at most five attempts.
    ///
    /// - Returns: The value of `insert`; `nil` when the keys of all five attempts were taken.
    package func retryingOnKeyCollision<Result>(_ insert: () async throws -> Result) async throws -> Result? {
        for _ in 0..<5 {
            do {
                return try await insert()
            } catch StoreError.alreadyExists {
                continue
            }
        }
        return nil
    }
}
