public import Countersign

/// A service provider asks what a token is worth that somebody showed it.
///
/// Standard: ETSI TS 103 407 §9.2.
public struct TokenCheckRequest: Sendable, Equatable {
    public let accessToken: AccessToken
    public let domain: Domain

    public init(accessToken: AccessToken, domain: Domain) {
        self.accessToken = accessToken
        self.domain = domain
    }

    /// Reads a request.
    ///
    /// - Throws: ``CrossPlatformError`` `invalid_request`.
    public init(members: TextMembers) throws(CrossPlatformError) {
        try members.require(CodingKeys.allCases.map(\.rawValue))
        accessToken = AccessToken(revealing: members[CodingKeys.accessToken.rawValue] ?? "")
        domain = Domain(members[CodingKeys.domain.rawValue] ?? "")
    }
}

extension TokenCheckRequest: Encodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case accessToken = "access_token"
        case domain
    }

    /// Writes the token in the clear: this is the message that carries it to its provider.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(accessToken.revealed, forKey: .accessToken)
        try fields.encode(domain, forKey: .domain)
    }
}

/// For which client and person a token is good.
///
/// Standard: ETSI TS 103 407 §9.3. `display_name` is an addition that the reference provider made.
public struct TokenCheckResponse: Sendable, Equatable {
    public let client: ClientID
    /// The person; `nil` for the token of an anonymous client.
    public let user: Subject?
    /// What the person is called; it identifies nobody.
    public let displayName: String?

    public init(client: ClientID, user: Subject? = nil, displayName: String? = nil) {
        self.client = client
        self.user = user
        self.displayName = displayName
    }
}

extension TokenCheckResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case client = "client_id"
        case user = "user_id"
        case displayName = "display_name"
    }

    /// Writes a client that is named by a number as a number: so does the reference provider, and its services keep it
    /// in columns of numbers.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        if let number = Int(client.rawValue), number.description == client.rawValue {
            try fields.encode(number, forKey: .client)
        } else {
            try fields.encode(client, forKey: .client)
        }
        try fields.encodeIfPresent(user, forKey: .user)
        try fields.encodeIfPresent(displayName, forKey: .displayName)
    }

    /// Reads a client and a person that are named by texts or by numbers.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func name(_ key: CodingKeys) throws -> String? {
            if let number = try? fields.decodeIfPresent(Int.self, forKey: key) { return number.description }
            return try fields.decodeIfPresent(String.self, forKey: key)
        }
        guard let client = try name(.client) else {
            throw DecodingError.dataCorruptedError(forKey: .client, in: fields, debugDescription: "no client")
        }
        self.client = ClientID(client)
        user = try name(.user).map { Subject($0) }
        displayName = try fields.decodeIfPresent(String.self, forKey: .displayName)
    }
}
