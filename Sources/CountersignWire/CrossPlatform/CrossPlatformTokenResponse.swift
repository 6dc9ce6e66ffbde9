/// The answer with the token for one domain.
///
/// Standard: ETSI TS 103 407 §8.4.2.
package struct CrossPlatformTokenResponse: Sendable, Equatable, Codable {
    /// The token to present to the service.
    @SecretMember package private(set) var accessToken: AccessToken
    /// The presentation scheme of the token: `bearer`, or `DPoP` when the request proved a key. Compare it without
    /// regard to case.
    ///
    /// `DPoP` is an addition of ours. Standard: RFC 9449 §5.
    package let tokenType: String
    /// The lifetime of the token, in seconds; `nil` if unknown.
    @OptionalSecondsMember package private(set) var expiresIn: Int?
    /// The service that the token is valid for.
    package let domain: Domain
    package let domainDisplayName: String?
    /// The display name of the token's person; it does not identify the person.
    package let userName: String?

    /// Creates an answer.
    package init(
        accessToken: AccessToken,
        tokenType: String = "bearer",
        expiresIn: Int?,
        domain: Domain,
        domainDisplayName: String?,
        userName: String?
    ) {
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expiresIn = expiresIn
        self.domain = domain
        self.domainDisplayName = domainDisplayName
        self.userName = userName
    }

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case domain
        case domainDisplayName = "domain_display_name"
        case userName = "user_name"
    }
}

extension CrossPlatformTokenResponse: CompactlyWritten {
    package func write(to json: inout CompactJSON) {
        json.add(CodingKeys.accessToken, accessToken.revealed)
        json.add(CodingKeys.domain, domain.rawValue)
        json.add(CodingKeys.domainDisplayName, domainDisplayName)
        json.add(CodingKeys.expiresIn, expiresIn)
        json.add(CodingKeys.tokenType, tokenType)
        json.add(CodingKeys.userName, userName)
    }
}
