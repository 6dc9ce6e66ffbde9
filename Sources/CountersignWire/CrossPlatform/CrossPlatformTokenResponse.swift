public import Countersign

/// The token for one domain.
///
/// Standard: ETSI TS 103 407 §8.4.2.
public struct CrossPlatformTokenResponse: Sendable, Equatable {
    public let accessToken: AccessToken
    /// How a service is shown the token: `bearer`. Compared without regard to case.
    public let tokenType: String
    /// How long the token lives, in seconds, when the provider says so.
    public let expiresIn: Int?
    public let domain: Domain
    /// What people are shown as the service's name.
    public let domainDisplayName: String?
    /// The person for whom the token is; `nil` for the token of an anonymous client. It is shown, and identifies nobody.
    public let userName: String?

    public init(
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
}

extension CrossPlatformTokenResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case domain
        case domainDisplayName = "domain_display_name"
        case userName = "user_name"
    }

    /// Writes the token in the clear: this is the message that carries it to its owner.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(accessToken.revealed, forKey: .accessToken)
        try fields.encode(tokenType, forKey: .tokenType)
        try fields.encodeIfPresent(expiresIn, forKey: .expiresIn)
        try fields.encode(domain, forKey: .domain)
        try fields.encodeIfPresent(domainDisplayName, forKey: .domainDisplayName)
        try fields.encodeIfPresent(userName, forKey: .userName)
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = AccessToken(revealing: try fields.decode(String.self, forKey: .accessToken))
        tokenType = try fields.decode(String.self, forKey: .tokenType)
        expiresIn = try fields.decodeIfPresent(WholeSeconds.self, forKey: .expiresIn)?.seconds
        domain = try fields.decode(Domain.self, forKey: .domain)
        domainDisplayName = try fields.decodeIfPresent(String.self, forKey: .domainDisplayName)
        userName = try fields.decodeIfPresent(String.self, forKey: .userName)
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
