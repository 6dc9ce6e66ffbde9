public import Countersign
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The requests for sign-in, open and decided, until some time after their deadline.
public protocol SignInExchangeRepository {
    /// Adds a new exchange.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when another one has the same request code, user code or identifier.
    func insert(_ exchange: SignInExchangeRecord) throws
    /// Finds the exchange that a requester polls for; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ requestCode: SecretDigest) throws -> SignInExchangeRecord?
    /// Finds the exchange whose code a person typed; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ userCode: UserCodeDigest) throws -> SignInExchangeRecord?
    /// Finds an exchange by the identifier of its request; `nil` when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func find(_ id: SignInRequest.ID) throws -> SignInExchangeRecord?
    /// Replaces the state, the grant, the interval, the terms, and the digits of the method of the exchange with the same
    /// request identifier; does nothing when there is none.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func update(_ exchange: SignInExchangeRecord) throws
    /// Returns the exchanges that a person approved and whose grant can be redeemed, newest first, at most 100.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - now: The current time.
    ///   - last: The last one of the page before, which is still approved; `nil` for the newest.
    /// - Throws: The database's error, as ``Repositories`` says.
    func approved(
        by subject: Subject,
        at now: Date,
        after last: SignInRequest.ID?
    ) throws -> [SignInExchangeRecord]
    /// Returns the exchanges that only `subject` may take and that wait for their decision at `now`, the oldest first:
    /// of each client the newest 20, and of all the newest 100.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func waiting(for subject: Subject, at now: Date) throws -> [SignInExchangeRecord]
    /// Removes every exchange that a client asked for, whatever its state.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func removeAll(of client: ClientID) throws
    /// Removes at most `limit` exchanges whose deadline is before `instant`; returns how many. Requests of sites
    /// stay while a delivery about them waits.
    ///
    /// - Throws: The database's error, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

extension SignInExchangeRepository {
    /// All exchanges that a person approved, whose grant can be redeemed and that `include` accepts, however many there
    /// are; nothing is changed meanwhile.
    package func approved(
        by subject: Subject,
        at now: Date,
        where include: (SignInExchangeRecord) -> Bool
    ) throws -> [SignInExchangeRecord] {
        var found: [SignInExchangeRecord] = []
        var page = try approved(by: subject, at: now, after: nil)
        while let last = page.last {
            found += page.filter(include)
            page = try approved(by: subject, at: now, after: last.id)
        }
        return found
    }
}
