internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Store {
    /// Makes a change for a person who is signed in at a browser, if they still are and their account is active.
    ///
    /// The form of a request may arrive long after its head, so that the session may have ended since it was looked up.
    ///
    /// - Parameters:
    ///   - visitor: The person at their browser.
    ///   - now: The current time.
    ///   - body: Reads and writes.
    /// - Returns: The value that `body` returns.
    /// - Throws: ``SessionEndedError``; what ``change(_:)`` throws.
    func change<Value: Sendable>(
        for visitor: SignedInVisitor,
        at now: Date,
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let session = visitor.session
        return try await change { repositories in
            try Sessions(repositories).live(session, at: now)
            return try body(repositories)
        }
    }
}
