public import FoundationEssentialsCompat

/// The screens that were signed in: one record for each redeemed grant, which owns all of its tokens.
public protocol SignInRecordRepository {
    /// Adds the record of a grant that was redeemed.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the grant has one.
    func insert(_ record: SignInRecord) throws
    /// Finds the record of a grant, also one that was revoked; `nil` when there is none.
    func find(_ grant: Grant.ID) throws -> SignInRecord?
    /// Returns the records of a person that are not revoked, newest first, at most 1,000.
    func all(of subject: Subject) throws -> [SignInRecord]
    /// Returns the records of a person that are not revoked and older than another one, newest first, at most 1,000.
    ///
    /// - Parameters:
    ///   - subject: The person.
    ///   - last: The other one: the last of the page before, which may have been revoked since.
    func all(of subject: Subject, after last: Grant.ID) throws -> [SignInRecord]
    /// Returns the records of a person at one client that are not revoked, newest first, at most 1,000.
    func all(of subject: Subject, at client: ClientID) throws -> [SignInRecord]
    /// Replaces the mutable fields of the record of the same grant: all but the grant and the request.
    func update(_ record: SignInRecord) throws
    /// Returns the records of a client that are not revoked, newest first, at most `limit`.
    func all(of client: ClientID, limit: Int) throws -> [SignInRecord]
    /// Finds the newest record of a client for one domain that is not revoked; `nil` when there is none.
    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord?
    /// Returns the records for a domain that are not revoked, at most `limit`.
    func all(of domain: Domain, limit: Int) throws -> [SignInRecord]
    /// Returns the records of a browser session that are not revoked, in the order of their insertion, at most 1,000.
    func all(of session: ApproverID) throws -> [SignInRecord]
    /// Returns the records of a browser session that are not revoked and were inserted after another one, in that
    /// order, at most 1,000.
    ///
    /// - Parameters:
    ///   - session: The session of a person in one browser.
    ///   - last: The other one: the last of the page before, which may have been revoked since.
    func all(of session: ApproverID, after last: Grant.ID) throws -> [SignInRecord]
    /// Returns the records that are not revoked and end with a browser session or app, at most 1,000.
    func all(endingWith approver: ApproverID) throws -> [SignInRecord]
    /// Removes at most `limit` records that ended before `instant`, with their refresh tokens; returns how many
    /// records.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The access tokens that were not revoked: revoking one removes it.
public protocol AccessTokenRepository {
    /// Adds a token that was minted.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its digest is taken.
    func insert(_ token: AccessTokenRecord) throws
    /// Finds a token by its digest, whether or not it has expired; `nil` when it is unknown or was revoked.
    func find(_ token: SecretDigest) throws -> AccessTokenRecord?
    /// Removes one token, if it exists.
    func remove(_ token: SecretDigest) throws
    /// Removes every token of one grant.
    func removeAll(of grant: Grant.ID) throws
    /// Removes at most `limit` tokens of one client, whatever their audience; returns how many.
    func removeAll(of client: ClientID, limit: Int) throws -> Int
    /// Removes every token of one client for one audience.
    func removeAll(of client: ClientID, for audience: String) throws
    /// Removes at most `limit` tokens that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The refresh tokens: the newest of each family, which reveals the reuse of those before it.
///
/// They are swept with the sign-in that they belong to, which ends after them. An index of their own for the sweep
/// would move with each refresh.
public protocol RefreshTokenRepository {
    /// Adds the first token of a family.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when its family or its digest is taken.
    func insert(_ token: RefreshTokenRecord) throws
    /// Finds the newest token of a family, whether or not it has expired; `nil` when there is none.
    func find(_ family: SecretDigest) throws -> RefreshTokenRecord?
    /// Replaces the newest token of the same family; its grant and client stay.
    func update(_ token: RefreshTokenRecord) throws
    /// Removes every token of one grant.
    func removeAll(of grant: Grant.ID) throws
}

/// The newest token answer of each grant, for as long as it may be repeated.
public protocol RepeatableAnswerRepository {
    /// Stores an answer in place of an earlier one of the same grant.
    func keep(_ answer: RepeatableAnswer) throws
    /// Finds the newest answer of a grant; `nil` when there is none.
    func find(_ grant: Grant.ID) throws -> RepeatableAnswer?
    /// Removes the answer of one grant, if there is one.
    func remove(_ grant: Grant.ID) throws
    /// Removes at most `limit` answers that ended before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
