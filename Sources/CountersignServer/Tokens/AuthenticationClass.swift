internal import Countersign

/// How surely a person proved who they are, as ID tokens say it (`acr`).
///
/// Standard: OpenID Connect Core 1.0 §2. The values are those of Countersign.
struct AuthenticationClass: Identifier {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }

    /// The person signed in with the password of their account.
    static let password = AuthenticationClass("urn:countersign:acr:password")

    /// All that this server gives.
    static let supported = [password]

    /// The class of what was proved; `nil` when no person proved who they are.
    init?(of evidence: Evidence) {
        guard evidence.authenticated != nil else { return nil }
        self = .password
    }
}
