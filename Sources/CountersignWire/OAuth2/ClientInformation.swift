internal import FoundationEssentialsCompat

/// The answer to a registration, or to reading or replacing one: the registered metadata, and the credentials for
/// managing it.
///
/// Standard: RFC 7591 §3.2.1; RFC 7592 §3.
package struct ClientInformation: Sendable, Equatable {
    /// The identifier of the client (`client_id`).
    package var client: ClientID
    /// The secret of the client, where it was just minted (`client_secret`); it never expires.
    package var secret: ClientSecret?
    /// The time when the client was registered, in seconds since 1970 (`client_id_issued_at`).
    package var issued: Int?
    /// The address where the client reads, replaces and removes its registration (`registration_client_uri`).
    package var configurationURI: String
    /// The token for access to that address (`registration_access_token`).
    package var token: AccessToken
    /// The registered metadata, which may differ from the requested ones.
    package var metadata: ClientMetadata

    /// Creates an answer without a secret.
    package init(
        client: ClientID,
        issued: Int,
        configurationURI: String,
        token: AccessToken,
        metadata: ClientMetadata
    ) {
        self.client = client
        self.issued = issued
        self.configurationURI = configurationURI
        self.token = token
        self.metadata = metadata
    }
}

extension ClientInformation: Codable {
    enum CodingKeys: String, CodingKey {
        case client = "client_id"
        case secret = "client_secret"
        case secretExpires = "client_secret_expires_at"
        case issued = "client_id_issued_at"
        case configurationURI = "registration_client_uri"
        case token = "registration_access_token"
    }

    package func encode(to encoder: any Encoder) throws {
        try metadata.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(client, forKey: .client)
        try fields.encodeIfPresent(secret?.revealed, forKey: .secret)
        if secret != nil { try fields.encode(0, forKey: .secretExpires) }
        try fields.encodeIfPresent(issued, forKey: .issued)
        try fields.encode(configurationURI, forKey: .configurationURI)
        try fields.encode(token.revealed, forKey: .token)
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        client = try fields.decode(ClientID.self, forKey: .client)
        secret = try fields.decodeIfPresent(String.self, forKey: .secret).map { ClientSecret(revealing: $0) }
        issued = try fields.decodeIfPresent(Int.self, forKey: .issued)
        configurationURI = try fields.decode(String.self, forKey: .configurationURI)
        token = AccessToken(revealing: try fields.decode(String.self, forKey: .token))
        metadata = try ClientMetadata(from: decoder)
    }
}

/// A client that replaces its registration: its new metadata, and what proves that it means itself.
///
/// Standard: RFC 7592 §2.2.
package struct ClientUpdateRequest: Sendable, Equatable {
    /// The identifier of the client, which has to be its own (`client_id`).
    package let client: ClientID
    /// The current secret, where the client repeats it (`client_secret`).
    package let secret: ClientSecret?
    package let metadata: ClientMetadata

    /// The members that only a server sets.
    private static let reserved = [
        "registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at",
    ]

    /// Reads the body of a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_client_metadata` as ``ClientMetadata/init(parsing:)`` has it, without a
    ///   `client_id`, and for a member that only a server sets.
    package init(parsing bytes: some Sequence<UInt8>) throws(OAuthError) {
        let body = Data(bytes)
        metadata = try ClientMetadata(parsing: body)
        let named: Identification
        do {
            named = try JSONDecoder().decode(Identification.self, from: body)
        } catch {
            let problem = Self.problem(error)
            throw OAuthError(.invalidClientMetadata, problem, because: problem)
        }
        if let name = Self.reserved.first(where: named.members.contains) {
            throw OAuthError(.invalidClientMetadata, "\(name) is set by the server", because: "a reserved member")
        }
        client = ClientID(named.client)
        secret = named.secret.map { ClientSecret(revealing: $0) }
    }

    /// Names the member of the two that is missing or has another form.
    private static func problem(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound: "client_id is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.first?.stringValue == "client_secret" ? "client_secret" : "client_id") is no string"
        default: "client_id is no string"
        }
    }

    private struct Identification: Decodable {
        let client: String
        let secret: String?
        let members: Set<String>

        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            client = try fields.decode(String.self, forKey: Key(stringValue: "client_id"))
            secret = try fields.decodeIfPresent(String.self, forKey: Key(stringValue: "client_secret"))
            members = Set(fields.allKeys.map(\.stringValue))
        }
    }
}
