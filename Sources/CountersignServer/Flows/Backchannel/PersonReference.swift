internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The person whom a client names, before they are looked up.
///
/// Standard: OpenID CIBA Core 1.0 §7.1, §7.2.
enum PersonReference: Sendable {
    /// By the server's identifier for them.
    case subject(Subject)
    /// By the name that they sign in with, or their e-mail address.
    case name(PersonName)

    /// Reads the hint of a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for a hint that is not good, `expired_login_hint_token`.
    init(
        _ hint: PersonHint,
        of client: Client,
        for issuer: Issuer,
        trusting keys: Keys,
        at now: Date
    ) throws(OAuthError) {
        switch hint {
        case .login(let name):
            self = .name(PersonName(name))
        case .idToken(let token):
            // Expired or not: the client keeps it for such requests.
            guard let claims = keys.claims(ofHint: token.revealed, from: issuer, at: now),
                claims.audience.names.contains(client.id.rawValue)
            else {
                throw OAuthError(.invalidRequest, "the id_token_hint is not good", because: "another's id_token_hint")
            }
            self = .subject(claims.subject)
        case .token(let text):
            guard let registered = client.signingKeys else {
                throw OAuthError(
                    .invalidRequest,
                    "login_hint_token needs a client with registered keys",
                    because: "\(client.id) has no keys for a login_hint_token"
                )
            }
            let person = try UnverifiedLoginHintToken(text).person(
                signedBy: registered,
                of: client.id,
                for: issuer.text,
                by: client.rules.algorithms,
                at: now
            )
            switch person {
            case .subject(let subject): self = .subject(subject)
            case .login(let name): self = .name(PersonName(name))
            }
        }
    }

    /// The person, if there is one and they are not locked.
    func find(in repositories: any Repositories) throws -> Person? {
        let person =
            switch self {
            case .subject(let subject): try repositories.people.find(subject)
            case .name(let name): try name.find(in: repositories)
            }
        guard let person, person.isActive else { return nil }
        return person
    }
}
