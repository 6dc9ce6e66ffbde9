internal import Countersign
internal import CountersignWire

/// Chooses the providers whose token a request may present: by `subject_issuer` where the client names one, otherwise
/// by the kind of token.
struct SubjectTokenChoice: Sendable {
    private let configured: [IdentityProvider]

    init(among configured: [IdentityProvider]) {
        self.configured = configured
    }

    /// The client has to say which provider it means.
    static var ambiguous: OAuthError {
        OAuthError(
            .invalidRequest,
            "several providers have tokens of this subject_token_type: say which by subject_issuer",
            because: "no subject_issuer"
        )
    }

    /// The providers that the request can mean; at least one.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the provider or the kind of token is not supported.
    func providers(for asked: TokenExchangeRequest) throws(OAuthError) -> [IdentityProvider] {
        let named = configured.filter { asked.subjectIssuer == nil || $0.id.rawValue == asked.subjectIssuer }
        guard asked.subjectIssuer == nil || !named.isEmpty else {
            throw OAuthError(
                .invalidRequest,
                "this subject_issuer is not supported",
                because: "no provider of that name"
            )
        }
        let possible = named.filter { $0.kind.exchanged == asked.subjectTokenType }
        guard !possible.isEmpty else {
            throw OAuthError(
                .invalidRequest,
                asked.subjectIssuer == nil
                    ? "tokens of this subject_token_type are not exchanged"
                    : "tokens of this subject_token_type are not exchanged for that subject_issuer",
                because: "another subject_token_type"
            )
        }
        return possible
    }
}
