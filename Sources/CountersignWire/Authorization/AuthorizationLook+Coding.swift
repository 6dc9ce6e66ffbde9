internal import Countersign

extension AuthorizationLookResponse: Codable {
    private enum CodingKeys: String, CodingKey {
        case outcome
        case location
        case redirectURI = "redirect_uri"
    }

    private enum Outcome: String, Codable {
        case decide, browser, answer, unanswerable
    }

    /// Reads an answer.
    ///
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        switch try fields.decode(Outcome.self, forKey: .outcome) {
        case .decide:
            self = .decide(try AuthorizationLook(from: decoder))
        case .browser:
            self = .browser
        case .answer:
            let location = AuthorizationAnswerAddress(revealing: try fields.decode(String.self, forKey: .location))
            self = .answer(location, redirectURI: try fields.decode(String.self, forKey: .redirectURI))
        case .unanswerable:
            self = .unanswerable
        }
    }

    /// Writes the nonce and the address in the clear: this is the message that carries them to their app.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .decide(let look):
            try fields.encode(Outcome.decide, forKey: .outcome)
            try look.encode(to: encoder)
        case .browser:
            try fields.encode(Outcome.browser, forKey: .outcome)
        case .answer(let location, redirectURI: let redirectURI):
            try fields.encode(Outcome.answer, forKey: .outcome)
            try fields.encode(location.revealed, forKey: .location)
            try fields.encode(redirectURI, forKey: .redirectURI)
        case .unanswerable:
            try fields.encode(Outcome.unanswerable, forKey: .outcome)
        }
    }
}

extension AuthorizationLook: Codable {
    private enum CodingKeys: String, CodingKey {
        case exchange, nonce
        case client = "client_id"
        case clientProvenance = "client_provenance"
        case clientName = "client_name"
        case clientNameProvenance = "client_name_provenance"
        case redirectURI = "redirect_uri"
        case permissions
        case challenge = "code_challenge"
        case accountName = "account_name"
        case isAllowedBefore = "allowed_before"
        case mustAsk = "must_ask"
        case expires
    }

    /// Reads what is shown.
    ///
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        nonce = DecisionNonce(revealing: try fields.decode(String.self, forKey: .nonce))
        client = Fact(
            try fields.decode(ClientID.self, forKey: .client),
            try fields.decode(Provenance.self, forKey: .clientProvenance)
        )
        clientName = Fact(
            try fields.decode(String.self, forKey: .clientName),
            try fields.decode(Provenance.self, forKey: .clientNameProvenance)
        )
        redirectURI = try fields.decode(String.self, forKey: .redirectURI)
        permissions = try fields.decode([Permission].self, forKey: .permissions)
        guard let challenge = CodeChallenge(parsing: try fields.decode(String.self, forKey: .challenge)) else {
            throw DecodingError.dataCorruptedError(forKey: .challenge, in: fields, debugDescription: "no challenge")
        }
        self.challenge = challenge
        accountName = try fields.decode(String.self, forKey: .accountName)
        isAllowedBefore = try fields.decode(Bool.self, forKey: .isAllowedBefore)
        mustAsk = try fields.decode(Bool.self, forKey: .mustAsk)
        expires = try fields.decode(Int.self, forKey: .expires)
    }

    /// Writes the nonce in the clear: this is the message that carries it to its app.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(nonce.revealed, forKey: .nonce)
        try fields.encode(client.value, forKey: .client)
        try fields.encode(client.provenance, forKey: .clientProvenance)
        try fields.encode(clientName.value, forKey: .clientName)
        try fields.encode(clientName.provenance, forKey: .clientNameProvenance)
        try fields.encode(redirectURI, forKey: .redirectURI)
        try fields.encode(permissions, forKey: .permissions)
        try fields.encode(challenge.description, forKey: .challenge)
        try fields.encode(accountName, forKey: .accountName)
        try fields.encode(isAllowedBefore, forKey: .isAllowedBefore)
        try fields.encode(mustAsk, forKey: .mustAsk)
        try fields.encode(expires, forKey: .expires)
    }
}
