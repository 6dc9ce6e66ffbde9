internal import Countersign
internal import CountersignWire

extension TokenExchangeNonceRule {
    /// The demand on the token's nonce, given the nonce that the client presents.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the client presents none and needs one.
    func demand(of presented: SubjectTokenNonce?) throws(OAuthError) -> NonceDemand {
        guard let presented else {
            switch self {
            case .matching: return .absent
            case .unchecked: return .none
            case .hashed:
                throw OAuthError(
                    .invalidRequest,
                    "present the nonce whose digest the token has",
                    because: "no nonce"
                )
            case .issued:
                throw OAuthError(
                    .invalidRequest,
                    "get a nonce at exchange_nonce_endpoint, sign in with its digest as nonce, and present it",
                    because: "no nonce"
                )
            }
        }
        switch self {
        case .matching, .unchecked: return .oneOf([presented.revealed] + presented.challenges)
        case .hashed, .issued: return .oneOf(presented.challenges)
        }
    }
}
