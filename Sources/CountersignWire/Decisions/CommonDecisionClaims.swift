public import Countersign

/// The claims that every signed decision has, whatever it is about: the server that it is meant for, the request that
/// it answers, the content that its person was shown, and the time when it was signed.
///
/// Instants are whole seconds since 1970.
public struct CommonDecisionClaims: Sendable, Equatable {
    /// The issuer of the only server that the decision is meant for (`aud`).
    public var audience: String
    /// The request that is decided (`exc`).
    public var exchange: SignInRequest.ID
    /// The nonce from the look that the person based the decision on.
    public var nonce: DecisionNonce
    /// The digest of the answer to that look, and so of what was shown.
    public var shown: ShownDigest
    /// The time when the app signed (`iat`).
    public var issued: Int
    /// Identifies this decision, 1 to 128 bytes; no two decisions have the same (`jti`).
    public var id: String

    /// Creates the claims.
    public init(
        audience: String,
        exchange: SignInRequest.ID,
        nonce: DecisionNonce,
        shown: ShownDigest,
        issued: Int,
        id: String
    ) {
        self.audience = audience
        self.exchange = exchange
        self.nonce = nonce
        self.shown = shown
        self.issued = issued
        self.id = id
    }
}

extension CommonDecisionClaims: Codable {
    private enum CodingKeys: String, CodingKey {
        case audience = "aud"
        case exchange = "exc"
        case nonce
        case shown
        case issued = "iat"
        case id = "jti"
    }

    /// The longest identifier that is read, in bytes.
    private static let longestID = 128

    /// Reads the claims strictly: every member must be there in its one form.
    ///
    /// - Parameter decoder: The payload of the signed text, which may have further members.
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        audience = try fields.decode(String.self, forKey: .audience)
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        nonce = DecisionNonce(revealing: try fields.decode(String.self, forKey: .nonce))
        guard let shown = ShownDigest(parsing: try fields.decode(String.self, forKey: .shown)) else {
            throw DecodingError.dataCorruptedError(forKey: .shown, in: fields, debugDescription: "malformed")
        }
        self.shown = shown
        issued = try fields.decode(Int.self, forKey: .issued)
        id = try fields.decode(String.self, forKey: .id)
        guard (1...Self.longestID).contains(id.utf8.count) else {
            throw DecodingError.dataCorruptedError(forKey: .id, in: fields, debugDescription: "malformed")
        }
    }

    /// Writes the claims beside those that the encoder has already.
    ///
    /// - Parameter encoder: The encoder of the whole payload.
    /// - Throws: `EncodingError` from the encoder.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(audience, forKey: .audience)
        try fields.encode(exchange, forKey: .exchange)
        try fields.encode(nonce.revealed, forKey: .nonce)
        try fields.encode(shown.description, forKey: .shown)
        try fields.encode(issued, forKey: .issued)
        try fields.encode(id, forKey: .id)
    }
}
