public import Countersign

/// A client asks to be tied to a person, for one domain.
///
/// Standard: ETSI TS 103 407 §8.3.
public struct AssociationRequest: Sendable, Equatable {
    public let client: ClientID
    public let secret: ClientSecret
    public let domain: Domain

    public init(client: ClientID, secret: ClientSecret, domain: Domain) {
        self.client = client
        self.secret = secret
        self.domain = domain
    }

    /// Reads a request. What stands for the domain is not parsed: whoever knows domains compares it.
    ///
    /// - Throws: ``CrossPlatformError`` `invalid_request`.
    public init(members: TextMembers) throws(CrossPlatformError) {
        try members.require(CodingKeys.allCases.map(\.rawValue))
        client = ClientID(members[CodingKeys.client.rawValue] ?? "")
        secret = ClientSecret(revealing: members[CodingKeys.secret.rawValue] ?? "")
        domain = Domain(members[CodingKeys.domain.rawValue] ?? "")
    }
}

extension AssociationRequest: Encodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case client = "client_id"
        case secret = "client_secret"
        case domain
    }

    /// Writes the secret in the clear: this is the message that carries it to the provider.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(client, forKey: .client)
        try fields.encode(secret.revealed, forKey: .secret)
        try fields.encode(domain, forKey: .domain)
    }
}

/// What a client that asked to be tied to a person does next, in one of three shapes.
///
/// Standard: ETSI TS 103 407 §8.3.
public struct AssociationResponse: Sendable, Equatable {
    /// Where the person comes in.
    public enum Shape: Sendable, Equatable {
        /// The person types `code` at `address`, or comes there by a link that holds it.
        case code(ShownCode, at: String, interval: Int)
        /// The person, who is known, confirms at `address`; there is nothing to type.
        case confirmation(at: String, interval: Int)
        /// Nobody is asked: the token can be fetched at once.
        case automatic
    }

    public let deviceCode: DeviceCode
    public let shape: Shape
    /// How long the codes live, in seconds.
    public let expiresIn: Int

    public init(deviceCode: DeviceCode, shape: Shape, expiresIn: Int) {
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
    }

    /// Writes the device code in the clear: this is the message that carries it to its owner.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(deviceCode.revealed, forKey: .deviceCode)
        try fields.encode(expiresIn, forKey: .expiresIn)
        switch shape {
        case .code(let code, at: let address, let interval):
            try fields.encode(code, forKey: .userCode)
            try fields.encode(address, forKey: .verificationURI)
            try fields.encode(interval, forKey: .interval)
        case .confirmation(at: let address, let interval):
            try fields.encode(address, forKey: .verificationURI)
            try fields.encode(interval, forKey: .interval)
        case .automatic:
            break
        }
    }

    /// Reads any of the three shapes; an interval that is not named is the usual one.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        deviceCode = DeviceCode(revealing: try fields.decode(String.self, forKey: .deviceCode))
        expiresIn = try fields.decode(WholeSeconds.self, forKey: .expiresIn).seconds
        let interval =
            try fields.decodeIfPresent(WholeSeconds.self, forKey: .interval)?.seconds
            ?? DeviceAuthorizationResponse.standardInterval
        let code = try fields.decodeIfPresent(ShownCode.self, forKey: .userCode)
        let address = try fields.decodeIfPresent(String.self, forKey: .verificationURI)
        switch (code, address) {
        case (let code?, let address?): shape = .code(code, at: address, interval: interval)
        case (nil, let address?): shape = .confirmation(at: address, interval: interval)
        case (nil, nil): shape = .automatic
        case (.some, nil):
            throw DecodingError.dataCorruptedError(
                forKey: .verificationURI,
                in: fields,
                debugDescription: "a code, and no place to type it"
            )
        }
    }
}
