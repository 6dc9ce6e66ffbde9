internal import Crypto

/// The digest of a token, which ties an ID token to it: the left half of SHA-256, in base64url.
///
/// ```swift
/// let digest = TokenDigest(of: AccessToken(revealing: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"))
/// // 77QmUPtjPfzWtF2AnpK9RQ
/// ```
///
/// Standard: OpenID Connect Core 1.0 §3.1.3.6 (`at_hash`), for algorithms that end in `256`; OpenID CIBA Core 1.0
/// §10.3.1.
public struct TokenDigest: Identifier {
    /// The digest as an ID token has it.
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Computes the digest of a token.
    ///
    /// - Parameter token: An access token or a refresh token.
    public init(of token: some Secret) {
        rawValue = URLSafeText.encode(SHA256.hash(data: Array(token.revealed.utf8)).prefix(16))
    }
}

/// The identifier of a request over the back channel, as the ID token that answers the request names it.
///
/// It is no secret any more: nothing can be redeemed by it.
/// Standard: OpenID CIBA Core 1.0 §10.3.1 (`urn:openid:params:jwt:claim:auth_req_id`).
package struct AuthenticationRequestIDClaim: Identifier {
    /// The identifier as an ID token has it.
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// The identifier of a request that is answered.
    package init(_ request: AuthenticationRequestID) { rawValue = request.revealed }
}
