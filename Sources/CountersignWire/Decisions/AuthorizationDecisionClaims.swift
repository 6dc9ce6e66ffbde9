public import Countersign

/// The claims that the provider's own app states when its person decides about the authorization request of another
/// app; it signs exactly this.
///
/// It names everything that the decision is about, beside the digest of the request itself, so that a signed decision
/// says by itself what was decided. `Documentation/AppToApp.md` has the format.
public struct AuthorizationDecisionClaims: DecisionClaims, Equatable {
    /// The type of the signed text (`typ`).
    public static let type = "countersign-authorization+jwt"
    /// A redirect URI may have 2,048 bytes by itself.
    public static let longest = 16_384

    /// The origin of the answer.
    public enum Answer: String, Sendable, Hashable, Codable, CaseIterable {
        /// The person approved, and is asked again the next time.
        case approve
        /// The person approved, and what they allow is remembered.
        case remember
        /// The person was not asked, because of what they allowed before.
        case unasked
        /// The person denied.
        case deny

        /// Whether it lets the other app in.
        public var isApproval: Bool { self != .deny }
    }

    /// The claims that every signed decision has.
    public var common: CommonDecisionClaims
    /// The answer (`dec`).
    public var answer: Answer
    /// The digest of the parameters that the app was opened with (`req`).
    public var parameters: ShownDigest
    /// The app that asks (`client_id`).
    public var client: ClientID
    /// The address of the answer (`redirect_uri`).
    public var redirectURI: String
    /// The scope that is given.
    public var scope: Scope
    /// The challenge that the code is bound to (`code_challenge`).
    public var challenge: CodeChallenge

    /// Creates the claims to sign about what a look has shown.
    ///
    /// - Parameters:
    ///   - answer: The person's answer, or that they were not asked.
    ///   - look: The server's answer to the look.
    ///   - bytes: The body of that answer, byte for byte.
    ///   - parameters: The parameters that the app was opened with, as they stood in the address.
    ///   - audience: The issuer's URL, as the app is configured with it.
    ///   - issued: The current time, in seconds since 1970.
    ///   - id: A new identifier, 1 to 128 bytes.
    public init(
        _ answer: Answer,
        on look: AuthorizationLook,
        answered bytes: [UInt8],
        to parameters: String,
        audience: String,
        issued: Int,
        id: String
    ) {
        common = CommonDecisionClaims(
            audience: audience,
            exchange: look.exchange,
            nonce: look.nonce,
            shown: ShownDigest(of: bytes),
            issued: issued,
            id: id
        )
        self.answer = answer
        self.parameters = ShownDigest(of: Array(parameters.utf8))
        client = look.client.value
        redirectURI = look.redirectURI
        scope = look.scope
        challenge = look.challenge
    }
}

extension AuthorizationDecisionClaims: Codable {
    private enum CodingKeys: String, CodingKey {
        case answer = "dec"
        case parameters = "req"
        case client = "client_id"
        case redirectURI = "redirect_uri"
        case scope
        case challenge = "code_challenge"
    }

    /// Reads the claims strictly: every member must be there in its one form.
    ///
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func parsed<Value>(_ key: CodingKeys, _ parse: (String) -> Value?) throws -> Value {
            guard let value = parse(try fields.decode(String.self, forKey: key)) else {
                throw DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: "malformed")
            }
            return value
        }
        common = try CommonDecisionClaims(from: decoder)
        answer = try fields.decode(Answer.self, forKey: .answer)
        parameters = try parsed(.parameters) { ShownDigest(parsing: $0) }
        client = try fields.decode(ClientID.self, forKey: .client)
        redirectURI = try fields.decode(String.self, forKey: .redirectURI)
        scope = try parsed(.scope) { Scope(parsing: $0) }
        challenge = try parsed(.challenge) { CodeChallenge(parsing: $0) }
    }

    /// Writes the claims.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try common.encode(to: encoder)
        try fields.encode(answer, forKey: .answer)
        try fields.encode(parameters.description, forKey: .parameters)
        try fields.encode(client, forKey: .client)
        try fields.encode(redirectURI, forKey: .redirectURI)
        try fields.encode(scope.description, forKey: .scope)
        try fields.encode(challenge.description, forKey: .challenge)
    }
}
