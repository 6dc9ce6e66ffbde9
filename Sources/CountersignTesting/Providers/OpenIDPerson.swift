public import Countersign

/// The person of a fake provider.
public struct OpenIDPerson: Sendable, Hashable {
    /// The identifier at the provider.
    public var subject = Subject("248289761001")
    /// The name.
    public var name = "Anna Beispiel"
    /// The e-mail address; `nil` for none.
    public var email: String? = "anna@example.com"
    /// Whether the provider has verified the address.
    public var isEmailVerified = true

    /// Anna, with a verified address.
    public init() {}
}

/// A defect in the ID tokens of a fake provider.
public enum IDTokenDefect: Sendable, Hashable, CaseIterable {
    /// `iss` is another issuer.
    case otherIssuer
    /// `aud` is another client.
    case otherAudience
    /// `aud` has two clients, and `azp` names the other one.
    case otherParty
    /// `nonce` is another one.
    case otherNonce
    /// There is no `nonce`.
    case noNonce
    /// `exp` has passed.
    case expired
    /// `iat` lies ahead.
    case fromTheFuture
    /// `nbf` lies ahead.
    case notYetValid
    /// There is no `auth_time`. Such a token is valid unless the request asked for the time of the sign-in.
    case noAuthTime
    /// `at_hash` is that of another access token.
    case otherTokenHash
    /// `c_hash` is that of another code.
    case otherCodeHash
    /// `alg` is `none`, and there is no signature.
    case unsigned
    /// Signed by HS256, with the public key as the secret.
    case signedByPublicKey
    /// Signed by a key that is not published, under the name of one that is.
    case otherKey
    /// The signature is damaged.
    case damaged
    /// There is no `sub`.
    case noSubject
    /// There is no ID token.
    case missing
}

/// The registration of a client at a fake provider.
struct OpenIDRegistration: Sendable {
    let secret: ClientSecret?
    let redirects: [String]

    /// Whether an answer may go to `address`. Standard: RFC 8252 §7.3.
    func allows(_ address: String) -> Bool {
        redirects.contains { registered in
            if registered == address { return true }
            guard registered.hasPrefix("http://127.0.0.1/"), address.hasPrefix("http://127.0.0.1:") else {
                return false
            }
            let rest = address.dropFirst("http://127.0.0.1:".count).drop { $0.isNumber }
            return rest == registered.dropFirst("http://127.0.0.1".count)
        }
    }
}

/// An issued code, and its grant.
struct OpenIDGrant: Sendable {
    let client: ClientID
    let redirect: String
    let scope: String
    let nonce: String?
    let challenge: String?
}
