public import Countersign
public import Foundation

/// What phones were shown of the requests of nearby screens. Each look is kept until the request is decided or expires.
public protocol NearbyLookRepository {
    /// Adds a new look.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when its nonce is taken.
    func insert(_ look: NearbyLook) throws
    /// Finds the look of a nonce, whether or not it has expired; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ nonce: SecretDigest) throws -> NearbyLook?
    /// Removes every look at one request, because it is decided.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func removeAll(of request: SignInRequest.ID) throws
    /// Removes at most `limit` looks that expired before `instant`; returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The signed decisions of phones, unchanged, kept as long as the audit.
public protocol NearbyDecisionRepository {
    /// Adds a decision.
    ///
    /// - Throws: ``StoreRefusal/alreadyExists`` when the request has one.
    func insert(_ decision: NearbyDecisionRecord) throws
    /// Finds the decision on a request; `nil` when there is none.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func find(_ request: SignInRequest.ID) throws -> NearbyDecisionRecord?
    /// Removes at most `limit` decisions that were made before `instant`; returns how many.
    ///
    /// - Throws: What the database reports, as ``Repositories`` says.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
