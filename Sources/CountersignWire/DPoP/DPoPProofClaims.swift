internal import FoundationEssentialsCompat

/// Identifies a proof among those of its key (`jti`).
///
/// Standard: RFC 9449 §4.2.
package struct DPoPProofID: Identifier {
    /// The longest identifier that is read, in bytes.
    static let longest = 256

    /// The wire form of the identifier.
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// The claims of a proof.
///
/// Standard: RFC 9449 §4.2.
struct DPoPProofClaims: Sendable, Equatable {
    /// The unique identifier of this proof (`jti`).
    let id: DPoPProofID
    /// The method of the request (`htm`).
    let method: String
    /// The URL of the request as the client wrote it (`htu`).
    let uri: String
    /// The creation time of the proof, by the client's clock, in seconds since 1970 (`iat`).
    let issued: TimeInterval
    /// The expiry, by the client's clock (`exp`); `nil` if unknown. Standard: RFC 7519 §4.1.4.
    var expires: TimeInterval?
    /// The beginning of its validity, by the client's clock (`nbf`); `nil` if unknown. Standard: RFC 7519 §4.1.5.
    var begins: TimeInterval?
    /// The newest nonce of the server; `nil` when it gave none.
    let nonce: DPoPNonce?
    /// The digest of the access token that is presented (`ath`); `nil` when none is.
    let tokenDigest: String?

    /// The value of `ath` for a token: its SHA-256 digest in base64url.
    ///
    /// It is not ``TimeOrderedSecret/digest``, which is what a store of ours finds a token by.
    static func digest(of token: AccessToken) -> String { URLSafeText.encode(SecretDigest(of: token.revealed).bytes) }
}

extension DPoPProofClaims: Codable {
    enum CodingKeys: String, CodingKey {
        case id = "jti"
        case method = "htm"
        case uri = "htu"
        case issued = "iat"
        case expires = "exp"
        case begins = "nbf"
        case nonce
        case tokenDigest = "ath"
    }

    /// Reads claims that have the right types and lengths; nothing of them is judged.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(DPoPProofID.self, forKey: .id)
        method = try fields.decode(String.self, forKey: .method)
        uri = try fields.decode(String.self, forKey: .uri)
        issued = try fields.decode(TimeInterval.self, forKey: .issued)
        expires = try fields.decodeIfPresent(TimeInterval.self, forKey: .expires)
        begins = try fields.decodeIfPresent(TimeInterval.self, forKey: .begins)
        tokenDigest = try fields.decodeIfPresent(String.self, forKey: .tokenDigest)
        let text = try fields.decodeIfPresent(String.self, forKey: .nonce)
        nonce = text.flatMap { DPoPNonce(parsing: $0) }
        guard (1...DPoPProofID.longest).contains(id.rawValue.utf8.count),
            [issued, expires ?? 0, begins ?? 0].allSatisfy({ abs($0) < 1e12 }),
            (text == nil) == (nonce == nil)
        else { throw DecodingError.dataCorruptedError(forKey: .id, in: fields, debugDescription: "a malformed claim") }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(method, forKey: .method)
        try fields.encode(uri, forKey: .uri)
        try fields.encode(Int(issued), forKey: .issued)
        try fields.encodeIfPresent(expires.map { Int($0) }, forKey: .expires)
        try fields.encodeIfPresent(begins.map { Int($0) }, forKey: .begins)
        try fields.encodeIfPresent(nonce, forKey: .nonce)
        try fields.encodeIfPresent(tokenDigest, forKey: .tokenDigest)
    }
}
