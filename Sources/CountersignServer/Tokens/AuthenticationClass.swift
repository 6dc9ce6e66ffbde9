internal import Countersign

/// How surely a person proved who they are, as ID tokens say it (`acr`).
///
/// Standard: OpenID Connect Core 1.0 §2. The values are those of Countersign.
struct AuthenticationClass: Identifier {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }

    /// The person signed in with the password of their account.
    static let password = AuthenticationClass("urn:countersign:acr:password")
    /// The person signed in with the password of their account, and with a one-time password or a recovery code.
    static let secondFactor = AuthenticationClass("urn:countersign:acr:second-factor")
    /// The person signed in with a passkey, whose authenticator verified them.
    static let passkey = AuthenticationClass("urn:countersign:acr:passkey")
    /// Another provider says who the person is.
    static let federated = AuthenticationClass("urn:countersign:acr:federated")

    /// The person answered by something that they have alone. Requests that are answered so get no tokens, and so no ID
    /// tokens.
    static let possession = AuthenticationClass("urn:countersign:acr:possession")

    /// All that this server gives in ID tokens.
    static let supported = [password, secondFactor, passkey, federated]

    /// The class of what was proved last; `nil` when no person proved who they are.
    init?(of evidence: Evidence) {
        guard let how = evidence.authentication?.how else { return nil }
        self.init(of: how)
    }

    /// The class of a way to prove who one is.
    init(of how: Authentication) {
        switch how {
        case .password: self = .password
        case .passwordAnd: self = .secondFactor
        case .passkey: self = .passkey
        case .federated: self = .federated
        case .possession: self = .possession
        }
    }
}

extension Authentication {
    /// The registered names of the methods (`amr`); `nil` when this server did not see how the person authenticated.
    ///
    /// Standard: RFC 8176 §2.
    var methods: [String]? {
        switch self {
        case .password: ["pwd"]
        // A recovery code is used once, too.
        case .passwordAnd: ["pwd", "otp", "mfa"]
        // Possession of a key, and the person's presence and verification.
        case .passkey: ["pop", "user", "mfa"]
        case .federated: nil
        // Over a channel beside that of the client.
        case .possession: ["mca"]
        }
    }
}
