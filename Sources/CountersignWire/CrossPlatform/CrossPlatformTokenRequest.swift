extension GrantType {
    /// The client's own identity: for an anonymous token, or to renew the token of the person it is associated with.
    ///
    /// Standard: ETSI TS 103 407 §8.4.1.1, §8.4.1.3.
    public static let crossPlatformClientCredentials = GrantType("http://tech.ebu.ch/cpa/1.0/client_credentials")
    /// A device code, once a person has approved. Standard: ETSI TS 103 407 §8.4.1.2.
    public static let crossPlatformDeviceCode = GrantType("http://tech.ebu.ch/cpa/1.0/device_code")
}

/// A client asks for its token for one domain.
///
/// It is sent as JSON by `POST` to `/token`.
/// Standard: ETSI TS 103 407 §8.4.1.
package struct CrossPlatformTokenRequest: Sendable, Equatable {
    /// The grant that the client redeems.
    package enum Grant: Sendable, Equatable {
        /// The client's own identity.
        case clientCredentials
        /// The code from an ``AssociationResponse``, once the person has approved.
        case deviceCode(DeviceCode)
    }

    /// The client, as the provider registered it (`client_id`).
    package let client: ClientID
    /// The secret that came with the registration (`client_secret`).
    package let secret: ClientSecret
    /// The service that the token is wanted for.
    package let domain: Domain
    /// The grant that the client redeems.
    package let grant: Grant

    /// Creates a request to send.
    package init(client: ClientID, secret: ClientSecret, domain: Domain, grant: Grant) {
        self.client = client
        self.secret = secret
        self.domain = domain
        self.grant = grant
    }

    /// Reads a request.
    ///
    /// - Parameter members: The members of the body: `grant_type`, `client_id`, `client_secret`, `domain`, and
    ///   `device_code` exactly with the grant type that needs it.
    /// - Throws: ``CrossPlatformError`` `invalid_request` when a member is missing or unknown, or the grant type is
    ///   neither of the two.
    package init(members: TextMembers) throws(CrossPlatformError) {
        var names: [CodingKeys] = [.grantType, .client, .secret, .domain]
        switch members[CodingKeys.grantType.rawValue] {
        case GrantType.crossPlatformClientCredentials.rawValue: grant = .clientCredentials
        case GrantType.crossPlatformDeviceCode.rawValue:
            names.append(.deviceCode)
            grant = .deviceCode(DeviceCode(revealing: members[CodingKeys.deviceCode.rawValue] ?? ""))
        case nil:
            throw CrossPlatformError(
                .invalidRequest, "the member grant_type is missing", because: "the member grant_type is missing")
        case .some:
            throw CrossPlatformError(.invalidRequest, "the grant type is not known", because: "another grant type")
        }
        try members.require(names.map(\.rawValue))
        client = ClientID(members[CodingKeys.client.rawValue] ?? "")
        secret = ClientSecret(revealing: members[CodingKeys.secret.rawValue] ?? "")
        domain = Domain(members[CodingKeys.domain.rawValue] ?? "")
    }
}

extension CrossPlatformTokenRequest: Encodable {
    enum CodingKeys: String, CodingKey {
        case grantType = "grant_type"
        case client = "client_id"
        case secret = "client_secret"
        case deviceCode = "device_code"
        case domain
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(client, forKey: .client)
        try fields.encode(secret.revealed, forKey: .secret)
        try fields.encode(domain, forKey: .domain)
        switch grant {
        case .clientCredentials: try fields.encode(GrantType.crossPlatformClientCredentials, forKey: .grantType)
        case .deviceCode(let code):
            try fields.encode(GrantType.crossPlatformDeviceCode, forKey: .grantType)
            try fields.encode(code.revealed, forKey: .deviceCode)
        }
    }
}
