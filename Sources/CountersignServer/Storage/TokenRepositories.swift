public import Countersign
public import Foundation

/// The screens that were signed in: one record for each redeemed grant, to which all of its tokens belong.
public protocol SignInRecordRepository {
    func insert(_ record: SignInRecord) throws
    func find(_ grant: Grant.ID) throws -> SignInRecord?
    /// The records of a person that are not revoked, newest first, at most 1,000.
    func all(of subject: Subject) throws -> [SignInRecord]
    /// Replaces what can change in the record of the same grant: everything but the grant and the request.
    func update(_ record: SignInRecord) throws
    /// The records of a client that are not revoked, newest first, at most `limit`.
    func all(of client: ClientID, limit: Int) throws -> [SignInRecord]
    /// The newest record of a client for one domain that is not revoked.
    func find(_ client: ClientID, _ domain: Domain) throws -> SignInRecord?
    /// The records for a domain that are not revoked, at most `limit`.
    func all(of domain: Domain, limit: Int) throws -> [SignInRecord]
    /// Removes at most `limit` records that ended before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// Every access token that is good: revoking one removes it.
public protocol AccessTokenRepository {
    func insert(_ token: AccessTokenRecord) throws
    func find(_ token: SecretDigest) throws -> AccessTokenRecord?
    /// Removes one token, if it exists.
    func remove(_ token: SecretDigest) throws
    /// Removes every token of one grant.
    func removeAll(of grant: Grant.ID) throws
    /// Removes every token of one client.
    func removeAll(of client: ClientID, limit: Int) throws -> Int
    /// Removes every token of one client for one audience.
    func removeAll(of client: ClientID, for audience: String) throws
    /// Removes at most `limit` tokens that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The refresh tokens, those that were replaced too, so that their reuse is noticed.
public protocol RefreshTokenRepository {
    func insert(_ token: RefreshTokenRecord) throws
    func find(_ token: SecretDigest) throws -> RefreshTokenRecord?
    /// Replaces the record of the same token.
    func update(_ token: RefreshTokenRecord) throws
    /// Removes every token of one grant.
    func removeAll(of grant: Grant.ID) throws
    /// Removes at most `limit` tokens that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The newest token answer of each grant, for as long as it may be repeated.
public protocol RepeatableAnswerRepository {
    /// Keeps an answer, in place of the one that the same grant had.
    ///
    /// - Throws: Errors of the database.
    func keep(_ answer: RepeatableAnswer) throws
    /// The answer of a grant, if there is one.
    ///
    /// - Throws: Errors of the database.
    func find(_ grant: Grant.ID) throws -> RepeatableAnswer?
    /// Removes the answer of one grant, if there is one.
    ///
    /// - Throws: Errors of the database.
    func remove(_ grant: Grant.ID) throws
    /// Removes at most `limit` answers that were given before `instant`, the oldest first; returns how many.
    ///
    /// - Throws: Errors of the database.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
