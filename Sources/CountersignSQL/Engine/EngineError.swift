package import CountersignStorage

/// An error of a database, or of the connection to it.
package protocol EngineError: Error {
    /// The error for callers of the store; `nil` for a programming error, which they get unchanged.
    var unavailable: StoreUnavailableError? { get }
}

extension Error {
    /// Whether the database failed, and not the closure.
    private var isOfDatabase: Bool { self is any EngineError || self is StoreUnavailableError }

    /// The error that is thrown to callers of the store.
    package var forCallers: any Error { (self as? any EngineError)?.unavailable ?? self }

    fileprivate func counted(by count: () -> Void) -> any Error {
        if isOfDatabase { count() }
        return forCallers
    }
}

extension StoreMetrics {
    /// Returns the answer to a read, whose caller `add` puts in a queue; counts failures of the database.
    package func read<Value: Sendable>(_ add: (CheckedContinuation<Value, any Error>) -> Void) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation(add)
        } catch {
            throw error.counted(by: readFailed)
        }
    }

    /// The same for a change.
    package func change<Value: Sendable>(_ add: (CheckedContinuation<Value, any Error>) -> Void) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation(add)
        } catch {
            throw error.counted(by: changeFailed)
        }
    }
}
