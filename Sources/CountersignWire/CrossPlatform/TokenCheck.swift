/// A service provider asks what a token is worth that a client presented to it.
///
/// It is sent as JSON by `POST` to `/authorized`, with the service's ``Countersign/ServiceCredential`` in the header.
/// Standard: ETSI TS 103 407 §9.2.
package struct TokenCheckRequest: Sendable, Equatable, Encodable {
    /// The token that the client presented.
    @SecretMember package private(set) var accessToken: AccessToken
    package let domain: Domain

    /// Creates a request to send.
    package init(accessToken: AccessToken, domain: Domain) {
        self.accessToken = accessToken
        self.domain = domain
    }

    /// Reads a request.
    ///
    /// - Throws: ``CrossPlatformError`` `invalid_request` when a member is missing or unknown.
    package init(members: TextMembers) throws(CrossPlatformError) {
        try members.require(CodingKeys.allCases.map(\.rawValue))
        accessToken = AccessToken(revealing: members[CodingKeys.accessToken.rawValue] ?? "")
        domain = Domain(members[CodingKeys.domain.rawValue] ?? "")
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case accessToken = "access_token"
        case domain
    }
}

/// The client and the person that a token is valid for.
///
/// Standard: ETSI TS 103 407 §9.3. `display_name` is an addition that the reference provider made; `cnf` and
/// `countersign_evidence` are ours.
package struct TokenCheckResponse: Sendable, Equatable {
    /// The client that the token was issued to.
    package let client: ClientID
    /// The person, as the provider identifies them; `nil` for the token of an anonymous client.
    package let user: Subject?
    /// The person's display name; it does not identify the person.
    package let displayName: String?
    /// The key that the token is bound to (`cnf`); `nil` for a token that its bearer may use.
    ///
    /// Standard: RFC 9449 §6.2.
    package let confirmation: KeyConfirmation?
    /// The proofs of the approval (`countersign_evidence`); `nil` for the token of an anonymous client.
    package let evidence: EvidenceClaim?

    /// Creates an answer.
    package init(
        client: ClientID,
        user: Subject? = nil,
        displayName: String? = nil,
        confirmation: KeyConfirmation? = nil,
        evidence: EvidenceClaim? = nil
    ) {
        self.client = client
        self.user = user
        self.displayName = displayName
        self.confirmation = confirmation
        self.evidence = evidence
    }
}

extension TokenCheckResponse: ProvingMessage {
    package static let provingMembers: Set<String>? = ["client_id", "user_id", "cnf"]
}

extension TokenCheckResponse: Codable {
    enum CodingKeys: String, CodingKey {
        case client = "client_id"
        case user = "user_id"
        case displayName = "display_name"
        case confirmation = "cnf"
        case evidence = "countersign_evidence"
    }

    /// Writes the answer. A client identifier that is a decimal number is written as a JSON number, because the
    /// reference provider does so and its services store it in numeric columns.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        if let number = Int(client.rawValue), number.description == client.rawValue {
            try fields.encode(number, forKey: .client)
        } else {
            try fields.encode(client, forKey: .client)
        }
        try fields.encodeIfPresent(user, forKey: .user)
        try fields.encodeIfPresent(displayName, forKey: .displayName)
        try fields.encodeIfPresent(confirmation, forKey: .confirmation)
        try fields.encodeIfPresent(evidence, forKey: .evidence)
    }

    /// Reads a client and a person that are identified by strings or by numbers.
    package init(from decoder: any Decoder) throws {
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
        confirmation = try fields.decodeIfPresent(KeyConfirmation.self, forKey: .confirmation)
        evidence = try fields.decodeIfPresent(EvidenceClaim.self, forKey: .evidence)
    }
}
