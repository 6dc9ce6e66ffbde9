public import FoundationEssentialsCompat

/// The status of a request that the service sends to the customer's server, through the browser or a webhook.
///
/// It is a JWT by HS256 with the site's secret. Compare the request with the pending one: a token of another
/// request proves nothing about it.
///
/// Standard: RFC 7515 §3.1; the protocol of CM Authenticator SDK 4.0.
public struct StatusToken: Sendable, Equatable {
    /// The request that it is about.
    public let request: AuthenticationRequest.ID
    /// The status of the request.
    public let status: AuthenticationRequest.Status

    private struct Claims: Codable, CompactlyWritten {
        var issued: Int
        var expires: Int
        var request: String
        var status: String

        enum CodingKeys: String, CodingKey {
            case issued = "iat"
            case expires = "exp"
            case request = "auth_id"
            case status = "auth_status"
        }

        func write(to json: inout CompactJSON) {
            json.add(CodingKeys.request, request)
            json.add(CodingKeys.status, status)
            json.add(CodingKeys.expires, expires)
            json.add(CodingKeys.issued, issued)
        }
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - text: The token, at most 4,096 bytes.
    ///   - secret: The site's secret.
    ///   - now: The current time; clocks may differ by ``CustomerSiteToken/leeway``.
    /// - Throws: ``CustomerSiteToken/VerificationError``.
    public init(_ text: String, by secret: CustomerSiteSecret, at now: Date) throws(CustomerSiteToken.VerificationError)
    {
        let claims = try SharedSecretToken.payload(of: text, by: secret, as: Claims.self, at: now) {
            ($0.issued, $0.expires)
        }
        guard let status = AuthenticationRequest.Status(rawValue: claims.status) else { throw .malformed }
        request = AuthenticationRequest.ID(claims.request)
        self.status = status
    }

    /// Writes a token.
    ///
    /// - Parameters:
    ///   - request: The request that it is about.
    ///   - status: The status of the request.
    ///   - secret: The site's secret.
    ///   - now: The current time.
    ///   - lifetime: The lifetime, in seconds; 60 by default.
    public static func text(
        about request: AuthenticationRequest.ID,
        being status: AuthenticationRequest.Status,
        by secret: CustomerSiteSecret,
        at now: Date,
        lifetime: Int = 60
    ) -> String {
        let issued = Int(now.timeIntervalSince1970)
        let claims = Claims(
            issued: issued, expires: issued + lifetime, request: request.rawValue, status: status.rawValue)
        return SharedSecretToken.text(of: CompactJSON.bytes(of: claims), by: secret)
    }
}
