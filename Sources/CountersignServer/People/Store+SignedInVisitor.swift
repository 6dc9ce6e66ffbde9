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

/// The browser of a person is signed in until a chosen time only, and what they want to change in it lasts longer.
struct LimitedBrowserError: Error {
    /// The end of the browser session.
    let ends: Date
}

extension SignedInVisitor {
    /// Refuses a person what outlasts their browser session, if that one ends at a time that an approver chose: the
    /// browser may be another person's. It is the one rule for all ways to sign in, and the pages of administrators.
    ///
    /// - Throws: ``LimitedBrowserError``.
    func requireLasting() throws(LimitedBrowserError) {
        if let ends = session.limit { throw LimitedBrowserError(ends: ends) }
    }
}

extension Store {
    /// Makes a change of the ways to sign in of a person at a browser. Every change of these uses this function.
    ///
    /// - Throws: ``LimitedBrowserError``; as ``change(for:at:_:)``.
    func changeWays<Value: Sendable>(
        of visitor: SignedInVisitor, at now: Date, _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try visitor.requireLasting()
        return try await change(for: visitor, at: now, body)
    }
}
