internal import Countersign
internal import CountersignWire

/// The demands of an authorization request by its `claims`, and by `acr_values`.
///
/// Requesting a claim about the person is treated as requesting the scope value that contains it: people are asked
/// about scope values, and clients are registered for them. Claims that the server does not have are ignored.
/// Standard: OpenID Connect Core 1.0 §5.5, §5.5.1.1.
struct RequestedClaims: Sendable {
    private let claims: ClaimsRequest?
    private let preferred: [String]

    private static let words: [String: ScopeWord] = [
        "preferred_username": .profile, "updated_at": .profile, "locale": .profile, "zoneinfo": .profile,
        "email": .email, "email_verified": .email, "groups": .groups,
    ]

    init(of request: AuthorizationRequest) {
        claims = request.claims
        preferred = request.authenticationClasses
    }

    /// The words that give the claims.
    var words: [ScopeWord] {
        (claims?.names ?? []).compactMap { Self.words[$0] }.sorted { $0.rawValue < $1.rawValue }
    }

    /// The people whom the client accepts; `nil` for any.
    var subjects: Set<Subject>? {
        let wanted = [claims?.idToken["sub"], claims?.userInfo["sub"]].compactMap { $0?.values.map(Set.init) }
        guard let first = wanted.first else { return nil }
        return Set(wanted.reduce(first) { $0.intersection($1) }.map { Subject($0) })
    }

    /// The classes of authentication that the client demands, the best first: by an essential `acr` with values,
    /// otherwise by `acr_values`.
    ///
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`acr_values`), §5.5.1.1; RFC 9470 §5.
    var classes: [AuthenticationClass] {
        guard let claim = claims?.idToken["acr"], claim.isEssential, let values = claim.values else {
            return AuthenticationClass.known(among: preferred)
        }
        return AuthenticationClass.known(among: values)
    }

    /// The classes of authentication that the client would like, the best first: by an `acr` with values that is not
    /// essential. A person who cannot reach them is signed in all the same.
    ///
    /// Standard: OpenID Connect Core 1.0 §5.5.1.1.
    var wishedClasses: [AuthenticationClass] {
        guard let claim = claims?.idToken["acr"], !claim.isEssential, let values = claim.values else { return [] }
        return AuthenticationClass.known(among: values)
    }

    /// Refuses a request that demands a class of authentication that this server does not give.
    ///
    /// - Throws: ``OAuthError`` `unmet_authentication_requirements`.
    func requireKnownAuthenticationClass() throws(OAuthError) {
        guard let claim = claims?.idToken["acr"], claim.isEssential, let values = claim.values else { return }
        guard AuthenticationClass.supported.contains(where: { values.contains($0.rawValue) }) else {
            throw OAuthError(
                .unmetAuthenticationRequirements,
                "no acr of the request is supported",
                because: "acr \(values) is essential"
            )
        }
    }
}
