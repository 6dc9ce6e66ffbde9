extension Store {
    /// Runs what draws the keys of new records and writes these, until its keys are free; five times at most.
    ///
    /// - Returns: What `attempt` returns; `nil` when the keys of all five were taken.
    func drawing<Result>(_ attempt: () async throws -> Result) async throws -> Result? {
        for _ in 0..<5 {
            do {
                return try await attempt()
            } catch StoreRefusal.alreadyExists {
                continue
            }
        }
        return nil
    }
}
