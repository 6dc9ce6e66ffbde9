public import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A signed decision about the request of a nearby screen.
public typealias UnverifiedNearbyDecision = UnverifiedDecision<NearbyDecisionClaims>

/// A signed decision about the authorization request of another app.
public typealias UnverifiedAuthorizationDecision = UnverifiedDecision<AuthorizationDecisionClaims>

/// A signed decision split into its parts, before any of it is trusted.
///
/// Standard: RFC 7515 §3.1, RFC 8725 §3.1 and §3.11 (one algorithm, one explicit type).
public struct UnverifiedDecision<Claims: DecisionClaims>: Sendable {
    /// The text as it arrived, to be kept as evidence.
    public let text: String
    /// The phone's public key, if it is in the header (`jwk`).
    public let key: ApproverKey?
    private let parts: CompactJWS

    /// Splits a decision. Nothing is verified.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when it is no JWS of this type by ES256.
    public init(_ text: String) throws(OAuthError) {
        guard text.utf8.count <= Claims.longest, let parts = CompactJWS(text),
            let header = ApproverSignatureHeader(of: Claims.type, reading: parts.headerBytes)
        else {
            throw OAuthError(.invalidRequest, "the decision is no JWS of the right type", because: "malformed decision")
        }
        self.text = text
        self.parts = parts
        key = header.key
    }

    /// Reads the decision from the parameter `decision` of a request.
    ///
    /// - Parameter form: The body of the request.
    /// - Throws: ``OAuthError`` `invalid_request` when it is missing or no JWS of this type.
    public init(form: Form) throws(OAuthError) {
        try self.init(try form.required(Self.parameter))
    }

    private static var parameter: String { "decision" }

    /// Returns the form that carries a phone's signed decision.
    ///
    /// - Parameter text: The decision, as ``text(of:by:signedBy:)`` returned it.
    public static func form(with text: String) -> Form {
        var form = Form()
        form[parameter] = text
        return form
    }

    /// Returns the claims if `key` signed them.
    ///
    /// - Parameter key: The key that the server has stored for the phone.
    /// - Throws: ``OAuthError`` `invalid_request` when the signature is wrong or a claim is missing or malformed.
    public func claims(signedBy key: ApproverKey) throws(OAuthError) -> Claims {
        guard key.verifies(parts.signature, over: parts.signedBytes) else {
            throw OAuthError(.invalidRequest, "the signature is wrong", because: "wrong signature")
        }
        guard let claims = try? JSONDecoder().decode(Claims.self, from: Data(parts.payload)) else {
            throw OAuthError(.invalidRequest, "a claim is missing or malformed", because: "malformed claims")
        }
        return claims
    }

    /// Writes a signed decision.
    ///
    /// - Parameters:
    ///   - claims: The claims of the phone.
    ///   - key: The public half of the key that signs; it is put into the header.
    ///   - sign: Returns the ES256 signature, 64 bytes, over the bytes that it receives.
    /// - Throws: The error of `sign`; `EncodingError` does not happen with these claims.
    public static func text(
        of claims: Claims,
        by key: ApproverKey,
        signedBy sign: ([UInt8]) throws -> [UInt8]
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try CompactJWS.text(
            header: Array(try encoder.encode(ApproverSignatureHeader(Claims.type, key: key))),
            payload: Array(try encoder.encode(claims)),
            signedBy: sign
        )
    }
}

/// Prints as redacted, because any party that has the text can send it.
extension UnverifiedDecision: Redacted {}
