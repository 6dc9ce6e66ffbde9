internal import Countersign
internal import CountersignWire

/// The person who shall sign in for an authorization request, as far as the client says it.
///
/// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`id_token_hint`), §5.5.1 (`sub` with a value).
struct ExpectedPerson: Sendable {
    /// The people whom the client accepts; `nil` for any.
    private let subjects: Set<Subject>?
    /// The name that the person may want to sign in with, which the client knows.
    let username: String?

    /// Reads the hints of a request.
    ///
    /// - Parameter hint: Returns the claims of an ID token that this server gave.
    /// - Throws: ``OAuthError`` `invalid_request` for a hint that is no ID token of this server for this client.
    init(of request: AuthorizationRequest, hint: (String) -> IDTokenClaims?) throws(OAuthError) {
        let claimed = RequestedClaims(of: request).subjects
        guard let token = request.idTokenHint else {
            subjects = claimed
            username = request.loginHint
            return
        }
        guard let claims = hint(token.revealed), claims.audience.names.contains(request.client.rawValue) else {
            throw OAuthError(.invalidRequest, "the id_token_hint is not good", because: "another's id_token_hint")
        }
        subjects = claimed?.intersection([claims.subject]) ?? [claims.subject]
        username = request.loginHint ?? claims.preferredUsername
    }

    /// Whether the client accepts a person.
    func isMet(by subject: Subject) -> Bool {
        subjects?.contains(subject) ?? true
    }
}
