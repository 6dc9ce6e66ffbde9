public import Countersign
internal import Crypto

/// What a phone says when it decides about the request of a screen nearby; it signs exactly this.
///
/// Instants are seconds since 1970.
public struct NearbyDecisionClaims: Sendable, Equatable {
    /// What the person answered.
    public enum Answer: String, Sendable, Hashable, Codable, CaseIterable {
        case approve, deny
    }

    /// How the phone knows the screen at the other end of the link.
    public enum Proof: Sendable, Hashable {
        /// A person typed its digits.
        case code
        /// It holds the key that was remembered at this instant.
        case paired(at: Int)
    }

    /// The issuer for whom this is meant, and nobody else.
    public var audience: String
    /// The request.
    public var exchange: SignInRequest.ID
    /// Out of the look that the person decided upon.
    public var nonce: NearbyNonce
    public var answer: Answer
    /// What that look answered.
    public var shown: ShownDigest
    /// The link over which the request came.
    public var link: NearbyLinkID
    public var proof: Proof
    public var issued: Int
    /// Names this decision, so that no two are the same.
    public var id: String

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

/// The SHA-256 digest of an answer, byte for byte as it came.
public struct ShownDigest: Sendable, Hashable, CustomStringConvertible {
    public let bytes: [UInt8]

    /// The digest of the bytes of an answer.
    public init(of answer: [UInt8]) {
        bytes = Array(SHA256.hash(data: answer))
    }

    /// Reads base64url without padding; `nil` for anything but 32 bytes.
    public init?(parsing text: String) {
        guard let bytes = URLSafeText.decode(text), bytes.count == SHA256.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A digest read back from a store.
    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }

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

    /// The longest identifier that is read.
    private static let longestID = 128

    /// Strict: every member must be there in its one form, and `pat` exactly with a pairing.
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
