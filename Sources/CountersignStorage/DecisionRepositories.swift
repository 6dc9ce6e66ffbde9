public import FoundationEssentialsCompat

/// The nonces of signed decisions. Each is stored until its request is decided or expires.
public protocol DecisionNonceRepository {
    /// Adds a new nonce.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when it is taken.
    func insert(_ record: DecisionNonceRecord) throws
    /// Finds a nonce, whether or not it has expired; `nil` when there is none.
    func find(_ nonce: SecretDigest) throws -> DecisionNonceRecord?
    /// Removes every nonce of one request, because it is decided.
    func removeAll(of request: SignInRequest.ID) throws
    /// Removes at most `limit` nonces that expired before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}

/// The signed decisions of apps, unchanged, with the lifetime of the audit.
public protocol SignedDecisionRepository {
    /// Adds a decision.
    ///
    /// - Throws: ``StoreError/alreadyExists`` when the request has one.
    func insert(_ decision: SignedDecisionRecord) throws
    /// Finds the decision on a request; `nil` when there is none.
    func find(_ request: SignInRequest.ID) throws -> SignedDecisionRecord?
    /// Removes at most `limit` decisions that were made before `instant`; returns how many.
    func sweep(before instant: Date, limit: Int) throws -> Int
}
