public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat

/// Verifies access tokens that are JWTs by the public keys of their issuer, without a request for each token.
///
/// Such a token is accepted until it expires: the checker does not learn that it was revoked.
///
/// ```swift
/// let checker = SignedTokenChecker(
///     issuer: IssuerName("https://id.example.com"),
///     keysAt: try Endpoint("https://id.example.com/jwks"),
///     audience: ResourceName("https://radio.example.com")
/// )
/// ```
///
/// The keys are fetched when a token names one that is not known, and again when a token comes and they are five
/// minutes old. No token waits for the latter: until the new keys arrive the old ones are used, for an hour at most. So
/// a key that the issuer removed is accepted for five minutes, and for up to an hour when the issuer cannot be reached
/// or no token has come meanwhile.
///
/// Standard: RFC 9068 §4, RFC 8725 §3.
public struct SignedTokenChecker: TokenChecker {
    private let issuer: IssuerName
    private let audience: ResourceName
    private let keys: JWKSFetcher<TokenCheckError>

    /// A checker that accepts tokens of `issuer` for `audience`.
    ///
    /// - Parameters:
    ///   - issuer: The server's name, which a token must have in its `iss`, letter by letter.
    ///   - endpoint: The address of the server's published keys, its `jwks_uri`.
    ///   - audience: The name of this service, which a token must have in its `aud`.
    ///   - transport: The network; that of this machine unless another is given.
    ///   - timeout: The timeout of the whole answer with the keys.
    ///
    /// Standard: RFC 9068 §4, RFC 7517 §5.
    public init(
        issuer: IssuerName,
        keysAt endpoint: Endpoint,
        audience: ResourceName,
        over transport: any HTTPTransport = SystemTransport.make(),
        timeout: Duration = .seconds(5)
    ) {
        self.issuer = issuer
        self.audience = audience
        keys = JWKSFetcher(Provider(endpoint: endpoint, transport: transport, timeout: timeout))
    }

    /// Verifies a token: its type, algorithm, signature, issuer, audience and times.
    ///
    /// - Returns: A good token with its claims, or why it is not good.
    /// - Throws: ``TokenCheckError`` when the issuer's keys are not known and cannot be fetched.
    ///
    /// Standard: RFC 9068 §4.
    public func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        guard let parts = CompactJWS(token.revealed), parts.headerBytes.count <= Self.longestHeader,
            let header = CompactJWS.Header(reading: parts.headerBytes)
        else { return .notGood(because: "it is no signed token") }
        guard header.critical == nil else { return .notGood(because: "it needs extensions that are not known here") }
        guard Self.types.contains(header.type?.lowercased() ?? "") else {
            return .notGood(because: "it is no access token")
        }
        guard let algorithm = SigningAlgorithm(rawValue: header.algorithm) else {
            return .notGood(because: "its algorithm is not accepted")
        }
        guard let key = try await keys.key(for: algorithm, named: header.keyID, at: now) else {
            return .notGood(because: "its key is not known")
        }
        guard algorithm.verifies(parts.signature, over: parts.signedBytes, by: key) else {
            return .notGood(because: "its signature is wrong")
        }
        guard let claims = try? ForeignMessage.read(TokenClaims.self, from: parts.payload) else {
            return .notGood(because: "its claims cannot be read")
        }
        return judged(claims, at: now)
    }

    /// The longest header that is read, in bytes: it is read before anything is proved.
    private static let longestHeader = 2048

    /// Standard: RFC 9068 §2.1, §4; another kind of token of the same issuer (an ID token) must not pass.
    private static let types: Set = ["at+jwt", "application/at+jwt"]

    private func judged(_ claims: TokenClaims, at now: Date) -> TokenVerdict {
        guard claims.issuer == issuer.rawValue else { return .notGood(because: "it is from another issuer") }
        guard claims.audience?.names.contains(audience.rawValue) == true else {
            return .notGood(because: "it is meant for another service")
        }
        guard claims.expires != nil else { return .notGood(because: "it has no end") }
        if let fault = claims.fault(at: now) { return .notGood(because: fault) }
        guard claims.subject?.isEmpty == false, claims.client?.isEmpty == false else {
            return .notGood(because: "it has no subject or no client")
        }
        return .good(claims.facts())
    }
}
