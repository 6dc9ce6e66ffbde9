/// A client asks to be associated with a person, for one domain.
///
/// It is sent as JSON by `POST` to `/associate`.
/// Standard: ETSI TS 103 407 §8.3.
package struct AssociationRequest: Sendable, Equatable, Encodable {
    /// The client, as the provider registered it (`client_id`).
    package let client: ClientID
    /// The secret that came with the registration (`client_secret`).
    @SecretMember package private(set) var secret: ClientSecret
    /// The service that a token is wanted for.
    package let domain: Domain

    /// Creates a request to send.
    package init(client: ClientID, secret: ClientSecret, domain: Domain) {
        self.client = client
        self.secret = secret
        self.domain = domain
    }

    /// Reads a request.
    ///
    /// The domain is not normalized; the server compares it with the known ones.
    ///
    /// - Throws: ``CrossPlatformError`` `invalid_request` when a member is missing or unknown.
    package init(members: TextMembers) throws(CrossPlatformError) {
        try members.require(CodingKeys.allCases.map(\.rawValue))
        client = ClientID(members[CodingKeys.client.rawValue] ?? "")
        secret = ClientSecret(revealing: members[CodingKeys.secret.rawValue] ?? "")
        domain = Domain(members[CodingKeys.domain.rawValue] ?? "")
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case client = "client_id"
        case secret = "client_secret"
        case domain
    }
}

/// The next step of a client that asked for an association, in one of three shapes.
///
/// Standard: ETSI TS 103 407 §8.3.
package struct AssociationResponse: Sendable, Equatable {
    /// The step that the person has to take.
    package enum Shape: Sendable, Equatable {
        /// The person types the code at the address, or opens a link that contains it; `interval` is in seconds.
        case code(UserCodeText, at: String, interval: Int)
        /// The provider already knows the person, who confirms at the address without a code; `interval` is in seconds.
        case confirmation(at: String, interval: Int)
        /// The person has to do nothing: the token can be fetched at once.
        case automatic
    }

    /// The client's secret for polling for the token.
    package let deviceCode: DeviceCode
    /// The step that the person has to take.
    package let shape: Shape
    /// The lifetime of the codes, in seconds.
    package let expiresIn: Int
    /// The mark of the link with the code, for a device that shows a new one each minute; `nil` for others. An addition
    /// of Countersign.
    package let link: LinkMark?

    /// Creates an answer.
    package init(deviceCode: DeviceCode, shape: Shape, expiresIn: Int, link: LinkMark? = nil) {
        self.link = link
        self.deviceCode = deviceCode
        self.shape = shape
        self.expiresIn = expiresIn
    }
}

extension AssociationResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case interval
        case expiresIn = "expires_in"
        case link = "link_mark"
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(deviceCode.revealed, forKey: .deviceCode)
        try fields.encode(expiresIn, forKey: .expiresIn)
        try fields.encodeIfPresent(link, forKey: .link)
        switch shape {
        case .code(let code, at: let address, let interval):
            try fields.encode(code, forKey: .userCode)
            try fields.encode(address, forKey: .verificationURI)
            try fields.encode(interval, forKey: .interval)
        case .confirmation(at: let address, let interval):
            try fields.encode(address, forKey: .verificationURI)
            try fields.encode(interval, forKey: .interval)
        case .automatic: break
        }
    }

    /// Reads any of the three shapes; an interval that is missing is 5 seconds.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        deviceCode = DeviceCode(revealing: try fields.decode(String.self, forKey: .deviceCode))
        expiresIn = try fields.decode(SecondsMember.self, forKey: .expiresIn).wrappedValue
        link = (try? fields.decodeIfPresent(String.self, forKey: .link)).flatMap(\.self).flatMap {
            LinkMark(parsing: $0)
        }
        let interval =
            try fields.decode(OptionalSecondsMember.self, forKey: .interval).wrappedValue
            ?? DeviceAuthorizationResponse.standardInterval
        let code = try fields.decodeIfPresent(UserCodeText.self, forKey: .userCode)
        let address = try fields.decodeIfPresent(String.self, forKey: .verificationURI)
        switch (code, address) {
        case (let code?, let address?): shape = .code(code, at: address, interval: interval)
        case (nil, let address?): shape = .confirmation(at: address, interval: interval)
        case (nil, nil): shape = .automatic
        case (.some, nil):
            throw DecodingError.dataCorruptedError(
                forKey: .verificationURI, in: fields, debugDescription: "a code, and no place to type it")
        }
    }
}
