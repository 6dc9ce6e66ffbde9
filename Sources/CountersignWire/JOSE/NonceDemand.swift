/// The demand on the `nonce` of an ID token.
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.7 (11).
package enum NonceDemand: Sendable, Equatable {
    /// The request had none, so the token's nonce is not checked.
    case none
    /// The token must have none.
    case absent
    /// The token must repeat one of these.
    case oneOf([String])

    /// Creates the demand of a request with this `nonce`.
    ///
    /// - Parameter nonce: The value that the token must repeat; `nil` when the request had none.
    package init(repeating nonce: String?) { self = nonce.map { .oneOf([$0]) } ?? .none }

    /// Whether the claim of a token is as demanded.
    func fits(_ claim: String?) -> Bool {
        switch self {
        case .none: return true
        case .absent: return claim == nil
        case .oneOf(let accepted):
            guard let claim else { return false }
            return accepted.reduce(false) { ConstantTime.areSame(claim, $1) || $0 }
        }
    }
}
