internal import FoundationEssentialsCompat

/// A signed decision split into its parts, before any of it is trusted.
///
/// Standard: RFC 7515 §3.1, RFC 8725 §3.1 and §3.11 (one algorithm, one explicit type).
package struct UnverifiedDecision: Sendable {
    /// The received text, for storage as evidence.
    package let text: String
    /// The app's public key, if it is in the header (`jwk`).
    package let key: ApproverKey?
    private let parts: CompactJWS

    /// Splits a decision. Nothing is verified.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when it is no JWS of this type by ES256.
    package init(_ text: String) throws(OAuthError) {
        guard text.utf8.count <= DecisionClaims.longest, let parts = CompactJWS(text),
            let header = ApproverSignatureHeader(of: DecisionClaims.type, reading: parts.headerBytes)
        else {
            throw OAuthError(.invalidRequest, "the decision is no JWS of the right type", because: "malformed decision")
        }
        self.text = text
        self.parts = parts
        key = header.key
    }

    /// Returns the claims if `key` signed them.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the signature is wrong or a claim is missing or malformed.
    package func claims(signedBy key: ApproverKey) throws(OAuthError) -> DecisionClaims {
        guard key.verifies(parts.signature, over: parts.signedBytes) else {
            throw OAuthError(.invalidRequest, "the signature is wrong", because: "wrong signature")
        }
        guard let claims = try? JSONDecoder().decode(DecisionClaims.self, from: Data(parts.payload)) else {
            throw OAuthError(.invalidRequest, "a claim is missing or malformed", because: "malformed claims")
        }
        return claims
    }

    /// Writes a signed decision.
    ///
    /// - Parameter sign: Returns the ES256 signature, 64 bytes, over the bytes that it receives.
    /// - Throws: The error of `sign`; `EncodingError` does not happen with these claims.
    package static func text(
        of claims: DecisionClaims,
        by key: ApproverKey,
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try CompactJWS.text(
            header: Array(try encoder.encode(ApproverSignatureHeader(DecisionClaims.type, key: key))),
            payload: Array(try encoder.encode(claims)),
            signedBy: sign
        )
    }
}

/// Prints as redacted, because any party that has the text can send it.
extension UnverifiedDecision: Redacted {}
