public import Countersign
internal import Crypto

/// What a phone states when it decides about the request of a nearby screen; it signs exactly this.
///
/// Instants are whole seconds since 1970. `Documentation/NearbyProtocol.md` has the format.
public struct NearbyDecisionClaims: DecisionClaims, Equatable {
    /// The type of the signed text (`typ`).
    public static let type = "countersign-nearby+jwt"

    /// The person's answer.
    public enum Answer: String, Sendable, Hashable, Codable, CaseIterable {
        case approve, deny
    }

    /// How the phone knows the screen at the other end of the link.
    public enum Proof: Sendable, Hashable {
        /// A person typed the digits that the screen showed.
        case code
        /// The screen holds the key that the phone has remembered since this instant.
        case paired(at: Int)
    }

    /// The issuer of the only server for which the decision is meant (`aud`).
    public var audience: String
    /// The request that is decided (`exc`).
    public var exchange: SignInRequest.ID
    /// The nonce from the look on which the person based the decision.
    public var nonce: NearbyNonce
    /// The person's answer (`dec`).
    public var answer: Answer
    /// The digest of the answer to that look, and so of what the phone showed.
    public var shown: ShownDigest
    /// The link over which the request came (`lnk`).
    public var link: NearbyLinkID
    /// How the phone knows the screen (`how`, and `pat` for a pairing).
    public var proof: Proof
    /// When the phone signed (`iat`).
    public var issued: Int
    /// Identifies this decision, 1 to 128 bytes; no two decisions have the same (`jti`).
    public var id: String

    /// Creates the claims to sign.
    ///
    /// - Parameters:
    ///   - audience: The issuer's URL, as the phone is configured with it.
    ///   - exchange: The request, from ``NearbyLookResponse/exchange``.
    ///   - nonce: The nonce, from ``NearbyLookResponse/nonce``.
    ///   - answer: The person's answer.
    ///   - shown: The digest of the look's body, byte for byte.
    ///   - link: The link over which the request came.
    ///   - proof: How the phone knows the screen.
    ///   - issued: The current time, in seconds since 1970.
    ///   - id: A new identifier, 1 to 128 bytes.
    public init(
        audience: String,
        exchange: SignInRequest.ID,
        nonce: NearbyNonce,
        answer: Answer,
        shown: ShownDigest,
        link: NearbyLinkID,
        proof: Proof,
        issued: Int,
        id: String
    ) {
        self.audience = audience
        self.exchange = exchange
        self.nonce = nonce
        self.answer = answer
        self.shown = shown
        self.link = link
        self.proof = proof
        self.issued = issued
        self.id = id
    }
}

extension NearbyDecisionClaims {
    /// The instant since which the screen is known, for a pairing.
    public var instantInThePast: Int? {
        if case .paired(at: let instant) = proof { instant } else { nil }
    }
}

/// The SHA-256 digest of the body of an answer, byte for byte as it arrived.
public struct ShownDigest: Sendable, Hashable, CustomStringConvertible {
    /// The 32 bytes of the digest.
    public let bytes: [UInt8]

    /// Computes the digest of an answer.
    ///
    /// - Parameter answer: The body as it arrived.
    public init(of answer: [UInt8]) {
        bytes = Array(SHA256.hash(data: answer))
    }

    /// Reads the wire form.
    ///
    /// - Parameter text: Base64url without padding; `nil` is returned unless it stands for 32 bytes.
    public init?(parsing text: String) {
        guard let bytes = URLSafeText.decode(text), bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A digest read back from a store.
    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The 43 characters of base64url.
    public var description: String { URLSafeText.encode(bytes) }
}

extension NearbyDecisionClaims: Codable {
    private enum CodingKeys: String, CodingKey {
        case audience = "aud"
        case exchange = "exc"
        case nonce
        case answer = "dec"
        case shown
        case link = "lnk"
        case how
        case paired = "pat"
        case issued = "iat"
        case id = "jti"
    }

    private enum How: String, Codable {
        case code, paired
    }

    /// The longest identifier that is read, in bytes.
    private static let longestID = 128

    /// Reads the claims strictly: every member must be there in its one form, and `pat` exactly with a pairing.
    ///
    /// - Throws: `DecodingError` when a member is missing or malformed.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func broken(_ key: CodingKeys) -> DecodingError {
            .dataCorruptedError(forKey: key, in: fields, debugDescription: "malformed")
        }
        audience = try fields.decode(String.self, forKey: .audience)
        exchange = try fields.decode(SignInRequest.ID.self, forKey: .exchange)
        nonce = NearbyNonce(revealing: try fields.decode(String.self, forKey: .nonce))
        answer = try fields.decode(Answer.self, forKey: .answer)
        guard let shown = ShownDigest(parsing: try fields.decode(String.self, forKey: .shown)) else {
            throw broken(.shown)
        }
        self.shown = shown
        guard let link = NearbyLinkID(parsing: try fields.decode(String.self, forKey: .link)) else {
            throw broken(.link)
        }
        self.link = link
        switch try fields.decode(How.self, forKey: .how) {
        case .code:
            guard !fields.contains(.paired) else { throw broken(.paired) }
            proof = .code
        case .paired:
            proof = .paired(at: try fields.decode(Int.self, forKey: .paired))
        }
        issued = try fields.decode(Int.self, forKey: .issued)
        id = try fields.decode(String.self, forKey: .id)
        guard (1...Self.longestID).contains(id.utf8.count) else { throw broken(.id) }
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
        try fields.encode(link.description, forKey: .link)
        switch proof {
        case .code:
            try fields.encode(How.code, forKey: .how)
        case .paired(at: let instant):
            try fields.encode(How.paired, forKey: .how)
            try fields.encode(instant, forKey: .paired)
        }
        try fields.encode(issued, forKey: .issued)
        try fields.encode(id, forKey: .id)
    }
}
