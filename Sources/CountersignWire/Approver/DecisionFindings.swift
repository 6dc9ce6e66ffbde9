/// The statement of a decision about the link to a screen nearby.
package struct NearbyFinding: Sendable, Equatable {
    /// The way the phone knows the screen at the other end of the link.
    package enum Proof: Sendable, Hashable {
        /// A person typed the digits that the screen showed.
        case code
        /// The screen holds the key that the phone has remembered since this instant, in seconds since 1970.
        case paired(at: Int)
    }

    /// The link of the request (`lnk`).
    package var link: NearbyLinkID
    /// The way the phone knows the screen (`how`, and `pat` for a pairing).
    package var proof: Proof
    /// The number that is shown where the person started, as they typed it (`num`); `nil` when they typed none, which a
    /// screen nearby does not need.
    package var number: String?

    /// Creates the statement; without a number by default.
    package init(link: NearbyLinkID, proof: Proof, number: String? = nil) {
        self.link = link
        self.proof = proof
        self.number = number
    }
}

/// The statement of a decision about the authorization request of another app.
///
/// It holds everything that the decision is about, and the digest of the request itself, so that a signed decision is
/// self-contained.
package struct AuthorizationFinding: Sendable, Equatable {
    /// The digest of the parameters that the app was opened with (`req`).
    package var parameters: AnswerDigest
    /// The requesting app (`client_id`).
    package var client: ClientID
    /// The address of the answer (`redirect_uri`).
    package var redirectURI: String
    package var scope: Scope
    /// The challenge that the code is bound to (`code_challenge`).
    package var challenge: CodeChallenge

    /// Creates the statement about the answer to a look.
    package init(_ look: ApproverLook<AuthorizationLook>, to parameters: String) {
        self.parameters = AnswerDigest(of: Array(parameters.utf8))
        client = look.client.value
        redirectURI = look.details.redirectURI
        scope = look.scope
        challenge = look.details.challenge
    }
}

/// The statement of a decision about the request of a screen on the same device.
package struct ActivationFinding: Sendable, Equatable {
    /// The address of the answer (`redirect_uri`).
    package var redirectURI: RedirectURI

    /// Creates the statement.
    package init(returningTo redirectURI: RedirectURI) { self.redirectURI = redirectURI }
}

/// The statement of a decision about a request in the inbox of a device.
package struct InboxFinding: Sendable, Equatable {
    /// The number that is shown where the person started, as they typed it (`num`); `nil` when none was requested.
    package var number: String?
    /// The person's words about a report, at most 200 bytes; `nil` for nothing.
    package var reason: String?
    /// Whether the device verified the person, by a biometric or a PIN, for this signature (`uv`).
    package var isUserVerified: Bool

    /// Creates the statement.
    package init(number: String? = nil, reason: String? = nil, isUserVerified: Bool = false) {
        self.number = number
        self.reason = reason
        self.isUserVerified = isUserVerified
    }
}

extension NearbyFinding: Codable {
    private enum CodingKeys: String, CodingKey {
        case link = "lnk"
        case how
        case paired = "pat"
        case number = "num"
    }

    private enum Method: String, Codable {
        case code, paired
    }

    /// Reads the members; `pat` must be present exactly with a pairing, and `num` is a ``VerificationNumber``.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        link = try fields.parsed(.link) { NearbyLinkID(parsing: $0) }
        number = try fields.decodeIfPresent(String.self, forKey: .number)
        guard number.map({ VerificationNumber(parsing: $0) != nil }) ?? true else {
            throw DecodingError.malformed(.number, in: fields)
        }
        switch try fields.decode(Method.self, forKey: .how) {
        case .code:
            guard !fields.contains(.paired) else { throw DecodingError.malformed(.paired, in: fields) }
            proof = .code
        case .paired: proof = .paired(at: try fields.decode(Int.self, forKey: .paired))
        }
    }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(link.description, forKey: .link)
        switch proof {
        case .code: try fields.encode(Method.code, forKey: .how)
        case .paired(at: let instant):
            try fields.encode(Method.paired, forKey: .how)
            try fields.encode(instant, forKey: .paired)
        }
        try fields.encodeIfPresent(number, forKey: .number)
    }
}

extension AuthorizationFinding: Codable {
    private enum CodingKeys: String, SnakeCaseKey {
        case redirectURI, scope
        case parameters = "req"
        case client = "client_id"
        case challenge = "code_challenge"
    }

    /// Reads the members.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        parameters = try fields.parsed(.parameters) { AnswerDigest(parsing: $0) }
        client = try fields.decode(ClientID.self, forKey: .client)
        redirectURI = try fields.decode(String.self, forKey: .redirectURI)
        scope = try fields.parsed(.scope) { Scope(parsing: $0) }
        challenge = try fields.decode(CodeChallenge.self, forKey: .challenge)
    }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(parameters.description, forKey: .parameters)
        try fields.encode(client, forKey: .client)
        try fields.encode(redirectURI, forKey: .redirectURI)
        try fields.encode(scope.description, forKey: .scope)
        try fields.encode(challenge, forKey: .challenge)
    }
}

extension ActivationFinding: Codable {
    private enum CodingKeys: String, SnakeCaseKey { case redirectURI }
}

extension InboxFinding: Codable {
    private enum CodingKeys: String, CodingKey {
        case number = "num"
        case reason
        case isUserVerified = "uv"
    }

    /// The longest reason that is read, in bytes.
    package static let longestReason = 200

    /// Reads the members, each in its one form: `num` as a ``VerificationNumber``, `uv` as `true` or not at all.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func checked<Value: Decodable>(_ key: CodingKeys, _ isGood: (Value) -> Bool) throws -> Value? {
            let value = try fields.decodeIfPresent(Value.self, forKey: key)
            guard value.map(isGood) ?? true else { throw DecodingError.malformed(key, in: fields) }
            return value
        }
        number = try checked(.number) { (number: String) in VerificationNumber(parsing: number) != nil }
        reason = try checked(.reason) { (reason: String) in reason.utf8.count <= Self.longestReason }
        isUserVerified = try checked(.isUserVerified) { (isTrue: Bool) in isTrue } ?? false
    }

    /// Writes the members.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(number, forKey: .number)
        try fields.encodeIfPresent(reason, forKey: .reason)
        if isUserVerified { try fields.encode(true, forKey: .isUserVerified) }
    }
}
