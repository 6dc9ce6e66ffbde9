internal import Countersign

/// The browser session by which a person acts has ended meanwhile.
struct SessionEnded: Error {}

extension Repositories {
    /// Checks, in the change that a person asked for, that they did not sign out of their browser since.
    ///
    /// - Throws: ``SessionEnded``.
    func require(_ session: BrowserSession) throws {
        guard try browserSessions.find(session.cookie)?.subject == session.subject else { throw SessionEnded() }
    }
}

extension Store {
    /// Makes a change for a person who is signed in at a browser, if they still are and their account is active.
    ///
    /// The form of a request may arrive long after its head, so that the session may have ended since it was looked up.
    ///
    /// - Parameters:
    ///   - visitor: The person at their browser.
    ///   - body: What to read and to write.
    /// - Returns: What `body` returns.
    /// - Throws: ``SessionEnded``; what ``change(_:)`` throws.
    func change<Value: Sendable>(
        for visitor: SignedInVisitor,
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let session = visitor.session
        return try await change { repositories in
            try repositories.require(session)
            guard try repositories.people.find(session.subject)?.standing == .active else { throw SessionEnded() }
            return try body(repositories)
        }
    }
}
