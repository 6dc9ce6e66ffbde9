internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The claims of an access token that is a JWT.
///
/// Standard: RFC 9068 §2.2. Instants are seconds since 1970.
struct AccessTokenClaims: Sendable, Encodable {
    let issuer: String
    let expires: Int
    let audience: String
    /// The person; the client itself if the token has no person.
    let subject: String
    let client: ClientID
    let issued: Int
    let id: TokenID
    let scope: String?
    let authenticated: Int?
    /// The class of the authentication. Standard: RFC 9068 §2.2.1; RFC 9470 §5.1.
    let authenticationClass: String?
    /// The proofs of the approval; `nil` for a token without a person.
    let evidence: EvidenceClaim?
    /// The key that it is bound to. Standard: RFC 9449 §6.1.
    let confirmation: KeyConfirmation?
    /// The person's groups, and what the operator declared. Standard: RFC 9068 §2.2.3.1.
    let additional: AdditionalClaims

    enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case expires = "exp"
        case audience = "aud"
        case subject = "sub"
        case client = "client_id"
        case confirmation = "cnf"
        case issued = "iat"
        case id = "jti"
        case scope
        case authenticated = "auth_time"
        case authenticationClass = "acr"
        case evidence = "countersign_evidence"
    }
}

extension AccessTokenClaims: CompactlyWritten {
    func write(to json: inout CompactJSON) {
        json.add(CodingKeys.authenticationClass, authenticationClass)
        json.add(CodingKeys.audience, audience)
        json.add(CodingKeys.authenticated, authenticated)
        json.add(CodingKeys.client, client.rawValue)
        json.add(CodingKeys.confirmation, confirmation)
        json.add(CodingKeys.evidence, evidence)
        json.add(CodingKeys.expires, expires)
        json.add(CodingKeys.issued, issued)
        json.add(CodingKeys.issuer, issuer)
        json.add(CodingKeys.id, id.rawValue)
        json.add(CodingKeys.scope, scope)
        json.add(CodingKeys.subject, subject)
        additional.write(to: &json)
    }
}
