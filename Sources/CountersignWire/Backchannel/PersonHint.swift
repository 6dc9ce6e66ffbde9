/// The way a request over the back channel identifies its person.
///
/// Standard: OpenID CIBA Core 1.0 §7.1.
public enum PersonHint: Sendable, Equatable {
    /// The name that the person signs in with (`login_hint`).
    case login(String)
    /// The same in a statement that the client signed (`login_hint_token`).
    case token(String)
    /// An ID token that the client has of the person, not verified yet (`id_token_hint`).
    case idToken(UnverifiedIDToken)

    /// Reads the one hint of a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when there is none, or more than one.
    init(form: Form) throws(OAuthError) {
        let hints = [
            form["login_hint"].map { PersonHint.login($0) },
            form["login_hint_token"].map { PersonHint.token($0) },
            form["id_token_hint"].map { PersonHint.idToken(UnverifiedIDToken(revealing: $0)) },
        ].compactMap(\.self)
        guard let hint = hints.first, hints.count == 1 else {
            throw OAuthError(
                .invalidRequest,
                "exactly one of login_hint, login_hint_token and id_token_hint is needed",
                because: "\(hints.count) hints"
            )
        }
        self = hint
    }

    /// The name and the value of the parameter.
    var parameter: (name: String, value: String) {
        switch self {
        case .login(let name): ("login_hint", name)
        case .token(let text): ("login_hint_token", text)
        case .idToken(let token): ("id_token_hint", token.revealed)
        }
    }
}

/// Prints which kind of hint it is and nothing of it: it names a person, or is a secret.
extension PersonHint: Redacted {
    /// The type, with the parameter of the hint.
    public var description: String { "PersonHint(\(parameter.name))" }
}
