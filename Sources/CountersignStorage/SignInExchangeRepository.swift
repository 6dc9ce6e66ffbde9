public import FoundationEssentialsCompat

/// The requests for sign-in, open and decided, until some time after their deadline.
public protocol SignInExchangeRepository {
    /// Adds a new exchange.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when another one has the same request code, user code or identifier.
    func insert(_ exchange: SignInExchangeRecord) throws
    /// Finds an exchange by its request code; `nil` when there is none.
    func find(_ requestCode: SecretDigest) throws -> SignInExchangeRecord?
    /// Finds an exchange by its user code; `nil` when there is none.
    func find(_ userCode: UserCodeDigest) throws -> SignInExchangeRecord?
    /// Finds an exchange by the identifier of its request; `nil` when there is none.
    func find(_ id: SignInRequest.ID) throws -> SignInExchangeRecord?
    /// Replaces the state, the grant, the interval, the terms, and the digits of the method of the exchange with the
    /// same request identifier; does nothing when there is none.
    func update(_ exchange: SignInExchangeRecord) throws
    /// Returns the exchanges of a person with a redeemable grant, newest first, at most 100.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - now: The current time.
    ///   - last: The last one of the page before, which is still approved; `nil` for the newest.
    func approved(by subject: Subject, at now: Date, after last: SignInRequest.ID?) throws -> [SignInExchangeRecord]
    /// Returns the undecided exchanges at `now` whose addressee is `subject`, the oldest first: the newest 20 of each
    /// client, and the newest 100 of all.
    func waiting(for subject: Subject, at now: Date) throws -> [SignInExchangeRecord]
    /// Returns the requests that were put to a person and that their asking side gave up, the newest first, at most 20
    /// whose deadline is after `now`.
    func cancelled(for subject: Subject, at now: Date) throws -> [SignInRequest.ID]
    /// Returns the identifiers of the requests that begin with a prefix, in order, at most `limit`.
    func requests(beginningWith prefix: String, limit: Int) throws -> [SignInRequest.ID]
    /// Removes every exchange that a client asked for, whatever its state.
    func removeAll(of client: ClientID) throws
    /// Removes at most `limit` exchanges whose deadline is before `instant`; returns how many. Requests of sites
    /// stay while a delivery about them waits.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

extension SignInExchangeRepository {
    /// All exchanges of a person with a redeemable grant that `include` accepts. The caller changes none meanwhile.
    package func approved(
        by subject: Subject, at now: Date, where include: (SignInExchangeRecord) -> Bool
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
