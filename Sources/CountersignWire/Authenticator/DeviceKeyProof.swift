internal import FoundationEssentialsCompat

/// Proves that a device holds the key that will sign its answers, before any of it is trusted; it is sent when the
/// device registers.
///
/// It names the server and the access token that it is sent with, so it is of no use at another server, or with the
/// token of another sign-in. `Documentation/Authenticator.md` has the format.
/// Standard: RFC 7515 §3.1; `ath` as in RFC 9449 §4.2.
package struct UnverifiedDeviceKeyProof: Sendable {
    /// The type of the signed text (`typ`).
    package static let type = "countersign-device-key+jwt"
    /// The longest signed text that is read, in bytes.
    package static let longest = 2048

    private struct Claims: Codable {
        let audience: String
        let tokenDigest: String

        enum CodingKeys: String, CodingKey {
            case audience = "aud"
            case tokenDigest = "ath"
        }
    }

    private let key: ApproverKey
    private let parts: CompactJWS

    /// Splits a proof. Nothing is verified.
    ///
    /// - Parameter text: A compact JWS of at most ``longest`` bytes, with the public key in its header.
    /// - Throws: ``OAuthError`` `invalid_request` when it is no JWS of this type by ES256, or has no key.
    package init(_ text: String) throws(OAuthError) {
        guard text.utf8.count <= Self.longest, let parts = CompactJWS(text),
            let key = ApproverSignatureHeader(of: Self.type, reading: parts.headerBytes)?.key
        else { throw OAuthError(.invalidRequest, "key_proof is no JWS of the right type", because: "malformed proof") }
        self.key = key
        self.parts = parts
    }

    /// The key, if its holder made this proof for this server and this token.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the signature is wrong, or the proof is for another request.
    package func key(for issuer: String, presenting token: AccessToken) throws(OAuthError) -> ApproverKey {
        guard key.verifies(parts.signature, over: parts.signedBytes),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload)),
            claims.audience == issuer, claims.tokenDigest == DPoPProofClaims.digest(of: token)
        else {
            throw OAuthError(
                .invalidRequest, "key_proof does not prove the key", because: "another signature, server or token")
        }
        return key
    }

    /// Writes a proof.
    ///
    /// - Parameter sign: Returns the ES256 signature, 64 bytes, over the bytes that it receives.
    /// - Throws: The error of `sign`; `EncodingError` does not happen with these claims.
    package static func text(
        of key: ApproverKey,
        for issuer: String,
        presenting token: AccessToken,
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try CompactJWS.text(
            header: Array(try encoder.encode(ApproverSignatureHeader(type, key: key))),
            payload: Array(
                try encoder.encode(Claims(audience: issuer, tokenDigest: DPoPProofClaims.digest(of: token)))),
            signedBy: sign
        )
    }
}
