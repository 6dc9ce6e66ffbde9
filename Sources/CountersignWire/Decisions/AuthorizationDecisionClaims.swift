public import Countersign

/// What the provider's own app states when its person decides about the authorization request of another app; it signs
/// exactly this.
///
/// It names everything that the decision is about, beside the digest of the request itself, so that a signed decision
/// says by itself what was decided. `Documentation/AppToApp.md` has the format.
public struct AuthorizationDecisionClaims: DecisionClaims, Equatable {
    /// The type of the signed text (`typ`).
    public static let type = "countersign-authorization+jwt"
    /// A redirect URI may have 2,048 bytes by itself.
    public static let longest = 16_384

    /// How the answer came about.
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

    /// The issuer of the only server for which the decision is meant (`aud`).
    public var audience: String
    /// The request that is decided, as the look named it (`exc`).
    public var exchange: SignInRequest.ID
    /// The nonce from the look.
    public var nonce: NearbyNonce
    /// The answer (`dec`).
    public var answer: Answer
    /// The digest of the answer to the look, and so of what the app showed.
    public var shown: ShownDigest
    /// The digest of the parameters with which the app was opened (`req`).
    public var parameters: ShownDigest
    /// The app that asks (`client_id`).
    public var client: ClientID
    /// Where the answer goes (`redirect_uri`).
    public var redirectURI: String
    /// What is given.
    public var scope: Scope
    /// The challenge to which the code is bound (`code_challenge`).
    public var challenge: CodeChallenge
    /// When the app signed (`iat`).
    public var issued: Int
    /// Identifies this decision, 1 to 128 bytes (`jti`).
    public var id: String

    /// Creates the claims to sign about what a look has shown.
    ///
    /// - Parameters:
    ///   - answer: What the person said, or that they were not asked.
    ///   - look: What the server answered to the look.
    ///   - bytes: The body of that answer, byte for byte.
    ///   - parameters: The parameters with which the app was opened, as they stood in the address.
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
        self.audience = audience
        exchange = look.exchange
        nonce = look.nonce
        self.answer = answer
        shown = ShownDigest(of: bytes)
        self.parameters = ShownDigest(of: Array(parameters.utf8))
        client = look.client.value
        redirectURI = look.redirectURI
        scope = look.scope
        challenge = look.challenge
        self.issued = issued
        self.id = id
    }
}

extension AuthorizationDecisionClaims: Codable {
    private enum CodingKeys: String, CodingKey {
        case audience = "aud"
        case exchange = "exc"
        case nonce
        case answer = "dec"
        case shown
        case parameters = "req"
        case client = "client_id"
        case redirectURI = "redirect_uri"
        case scope
        case challenge = "code_challenge"
        case issued = "iat"
        case id = "jti"
    }

    /// The longest identifier that is read, in bytes.
    private static let longestID = 128

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
        audience = try fields.decode(String.self, forKey: .audience)
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        nonce = NearbyNonce(revealing: try fields.decode(String.self, forKey: .nonce))
        answer = try fields.decode(Answer.self, forKey: .answer)
        shown = try parsed(.shown) { ShownDigest(parsing: $0) }
        parameters = try parsed(.parameters) { ShownDigest(parsing: $0) }
        client = try fields.decode(ClientID.self, forKey: .client)
        redirectURI = try fields.decode(String.self, forKey: .redirectURI)
        scope = try parsed(.scope) { Scope(parsing: $0) }
        challenge = try parsed(.challenge) { CodeChallenge(parsing: $0) }
        issued = try fields.decode(Int.self, forKey: .issued)
        id = try parsed(.id) { (1...Self.longestID).contains($0.utf8.count) ? $0 : nil }
    }

    /// Writes the claims.
    ///
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(audience, forKey: .audience)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(nonce.revealed, forKey: .nonce)
        try fields.encode(answer, forKey: .answer)
        try fields.encode(shown.description, forKey: .shown)
        try fields.encode(parameters.description, forKey: .parameters)
        try fields.encode(client, forKey: .client)
        try fields.encode(redirectURI, forKey: .redirectURI)
        try fields.encode(scope.description, forKey: .scope)
        try fields.encode(challenge.description, forKey: .challenge)
        try fields.encode(issued, forKey: .issued)
        try fields.encode(id, forKey: .id)
    }
}
