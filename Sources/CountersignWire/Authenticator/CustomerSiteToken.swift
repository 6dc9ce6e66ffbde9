internal import Crypto
public import FoundationEssentialsCompat

/// The token that authenticates a call of a legacy device or a customer's server for a site: a JWT by HS256
/// with the site's secret.
///
/// It lives for a minute. Calls that change something name the request (`auth_id`) and a keyed digest of the body
/// (`sig`).
///
/// Standard: RFC 7515 §3.1; RFC 7518 §3.2; the protocol of CM Authenticator SDK 4.0.
public struct CustomerSiteToken: Sendable {
    /// The reason that a token is not accepted.
    public enum VerificationError: String, Error, Sendable, Hashable, CaseIterable {
        /// It is no JWT by HS256, or a claim is missing or malformed.
        case malformed
        /// It was made with another secret.
        case signature
        /// It has expired, or is not yet valid.
        case time
        /// It lives longer than such a token may.
        case lifetime
        /// It is for another request, or for none.
        case request
        /// It is for another body, or for none.
        case body
    }

    /// The conditions that a valid token must meet for a call.
    public struct Demands: Sendable, Equatable {
        /// The request that the call is about; `nil` for calls that are about none.
        public var request: String?
        /// The body, byte for byte; `nil` for calls without one.
        public var body: [UInt8]?
        /// The longest time from `iat` to `exp`, in seconds.
        public var longestLife: Int

        /// Demands of one call.
        public init(request: String? = nil, body: [UInt8]? = nil, longestLife: Int = 120) {
            self.request = request
            self.body = body
            self.longestLife = longestLife
        }
    }

    /// The greatest difference between clocks that is tolerated, in seconds.
    public static let leeway = 60
    /// The longest token that is read, in bytes.
    static let longest = 4096

    /// The claims of a token that is written.
    private struct Claims: Encodable, CompactlyWritten {
        var issued: Int
        var notBefore: Int
        var expires: Int
        var request: String?
        var bodyDigest: String?

        enum CodingKeys: String, CodingKey {
            case issued = "iat"
            case notBefore = "nbf"
            case expires = "exp"
            case request = "auth_id"
            case bodyDigest = "sig"
        }

        func write(to json: inout CompactJSON) {
            json.add(CodingKeys.request, request)
            json.add(CodingKeys.expires, expires)
            json.add(CodingKeys.issued, issued)
            json.add(CodingKeys.notBefore, notBefore)
            json.add(CodingKeys.bodyDigest, bodyDigest)
        }
    }

    /// The claims of a token that is read, whose instants may have fractions of a second.
    ///
    /// Standard: RFC 7519 §2 (NumericDate).
    private struct ParsedClaims {
        let issued: Double
        let notBefore: Double
        let expires: Double
        let request: String?
        let bodyDigest: String?

        /// Reads claims; `nil` when one is missing, occurs twice, or is of another kind.
        init?(reading payload: [UInt8]) {
            typealias Keys = Claims.CodingKeys
            do {
                guard let members = JSONMembers(payload),
                    let issued = try members.real(Keys.issued.rawValue),
                    let notBefore = try members.real(Keys.notBefore.rawValue),
                    let expires = try members.real(Keys.expires.rawValue)
                else { return nil }
                (self.issued, self.notBefore, self.expires) = (issued, notBefore, expires)
                request = try members.text(Keys.request.rawValue)
                bodyDigest = try members.text(Keys.bodyDigest.rawValue)
            } catch {
                return nil
            }
        }
    }

    private let parts: CompactJWS
    private let claims: ParsedClaims

    /// The request that it names, which nothing proves yet.
    public var unverifiedRequest: String? { claims.request }
    package var isForBody: Bool { claims.bodyDigest != nil }
    /// The digest of the signed text, which identifies the token.
    package var digest: SecretDigest { SecretDigest(of: String(decoding: parts.signedBytes, as: UTF8.self)) }
    /// The earliest time of its possible use, according to its claims.
    package var made: Date { Date(timeIntervalSince1970: claims.issued - Double(Self.leeway)) }

    /// Splits a token. Nothing is verified.
    ///
    /// - Parameter text: The text after `Bearer` in the `Authorization` header.
    /// - Throws: ``VerificationError`` `malformed`.
    public init(_ text: String) throws(VerificationError) {
        guard text.utf8.count <= Self.longest, let parts = CompactJWS(text),
            let header = CompactJWS.Header(reading: parts.headerBytes), header.algorithm == "HS256",
            header.critical == nil, (header.type ?? "JWT").uppercased() == "JWT",
            let claims = ParsedClaims(reading: parts.payload)
        else { throw .malformed }
        self.parts = parts
        self.claims = claims
    }

    /// Verifies the token.
    ///
    /// - Parameters:
    ///   - secret: The site's secret.
    ///   - demands: The conditions that the token must meet for the call.
    ///   - now: The current time.
    /// - Throws: ``VerificationError`` with the first thing that is wrong.
    public func verify(by secret: CustomerSiteSecret, meeting demands: Demands, at now: Date) throws(VerificationError)
    {
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        guard HMAC<SHA256>.isValidAuthenticationCode(parts.signature, authenticating: parts.signedBytes, using: key)
        else { throw .signature }
        let seconds = now.timeIntervalSince1970
        guard claims.expires > seconds - Double(Self.leeway),
            claims.notBefore <= seconds + Double(Self.leeway),
            claims.issued <= seconds + Double(Self.leeway)
        else { throw .time }
        // The difference of two instants with fractions may be a hair more than was added.
        let life = (claims.expires - claims.issued).rounded(.down)
        guard claims.expires > claims.issued, life <= Double(demands.longestLife) else { throw .lifetime }
        if let request = demands.request {
            guard claims.request == request else { throw .request }
        }
        if let body = demands.body {
            guard let sent = claims.bodyDigest,
                SecretDigest(of: sent) == SecretDigest(of: Self.digest(of: body, by: secret))
            else { throw .body }
        }
    }

    /// Writes a token.
    ///
    /// - Parameters:
    ///   - secret: The site's secret.
    ///   - request: The request that the call is about; `nil`, the default, for none.
    ///   - body: The body, byte for byte; `nil`, the default, for calls without one.
    ///   - now: The current time.
    ///   - lifetime: The lifetime, in seconds; 60 by default.
    /// - Returns: The text after `Bearer` in the `Authorization` header.
    public static func text(
        by secret: CustomerSiteSecret,
        request: String? = nil,
        body: [UInt8]? = nil,
        at now: Date,
        lifetime: Int = 60
    ) -> String {
        let issued = Int(now.timeIntervalSince1970)
        let claims = Claims(
            issued: issued,
            notBefore: issued,
            expires: issued + lifetime,
            request: request,
            bodyDigest: body.map { digest(of: $0, by: secret) }
        )
        return SharedSecretToken.text(of: CompactJSON.bytes(of: claims), by: secret)
    }

    /// The keyed digest of a body (`sig`): HMAC-SHA256 in small hexadecimal digits.
    ///
    /// - Parameters:
    ///   - body: The body, byte for byte.
    ///   - secret: The site's secret.
    public static func digest(of body: [UInt8], by secret: CustomerSiteSecret) -> String {
        let key = SymmetricKey(data: Array(secret.revealed.utf8))
        return HexadecimalText.encode(HMAC<SHA256>.authenticationCode(for: body, using: key))
    }
}
