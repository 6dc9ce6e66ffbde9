internal import FoundationEssentialsCompat

extension Store {
    /// Makes a change for a person at a browser, if their session and account are still active.
    ///
    /// The session may have ended since its look-up, because a form can arrive long after its head.
    ///
    /// - Parameters:
    ///   - visitor: The person at their browser.
    ///   - now: The current time.
    ///   - body: Reads and writes.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``SessionEndedError``; what ``change(_:)`` throws.
    func change<Value: Sendable>(
        for visitor: SignedInVisitor, at now: Date, _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let session = visitor.session
        return try await change { repositories in
            try Sessions(repositories).live(session, at: now)
            return try body(repositories)
        }
    }
}
