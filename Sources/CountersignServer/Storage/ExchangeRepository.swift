public import Countersign
public import Foundation

/// The requests for sign-in, open and decided, until some time after their deadline.
public protocol ExchangeRepository {
    /// Adds a new exchange.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when another one has the same device code, user code or identifier.
    func insert(_ exchange: StoredExchange) throws
    func find(_ deviceCode: SecretDigest) throws -> StoredExchange?
    func find(_ userCode: UserCodeDigest) throws -> StoredExchange?
    func find(_ id: SignInRequest.ID) throws -> StoredExchange?
    /// Replaces the exchange of the same request identifier.
    func update(_ exchange: StoredExchange) throws
    /// The exchanges that `subject` approved and whose grant was not redeemed yet, newest first, at most 100.
    func approved(by subject: Subject) throws -> [StoredExchange]
    /// The exchanges that only `subject` may take, which wait for their decision at `now`, newest first, at most 100.
    func waiting(for subject: Subject, at now: Date) throws -> [StoredExchange]
    /// Removes every exchange that a client asked for, in any state.
    ///
    /// - Parameter client: The client that is removed.
    /// - Throws: Errors of the database.
    func removeAll(of client: ClientID) throws
    /// Removes at most `limit` exchanges whose deadline is before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
