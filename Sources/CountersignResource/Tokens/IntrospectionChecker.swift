public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat
internal import HTTPTypes

/// Asks an authorization server what each token is worth, and so learns of revocation soon.
///
/// ```swift
/// let checker = IntrospectionChecker(
///     at: try Endpoint("https://id.example.com/introspect"),
///     as: ClientID("radio-service"),
///     secret: ClientSecret(revealing: secret),
///     audience: ResourceName("https://radio.example.com")
/// )
/// ```
///
/// Answers are cached: a revoked token is refused after a minute at the latest, unless `limits` say otherwise.
///
/// Standard: RFC 7662 §2.
public struct IntrospectionChecker: TokenChecker {
    private let audience: ResourceName
    private let allowsMissingAudience: Bool
    private let authorization: String
    private let provider: Provider
    private let cached: CachedTokenCheck

    /// A checker that accepts tokens for `audience`.
    ///
    /// - Parameters:
    ///   - endpoint: The server's introspection endpoint; `Endpoint` refuses plain http to other machines.
    ///   - client: The client id of this service at the server.
    ///   - secret: The client secret of this service; sent by `client_secret_basic`.
    ///   - audience: The name of this service, which a token must have in its `aud`.
    ///   - transport: The network; that of this machine unless another is given.
    ///   - timeout: The timeout of the server's whole answer.
    ///   - limits: The limits on cached answers: their age and their count.
    ///   - allowingMissingAudience: Whether tokens without `aud` are accepted. Every token of that server passes then,
    ///     those for other services too.
    ///
    /// Standard: RFC 7662 §2.1, §4.
    public init(
        at endpoint: Endpoint,
        as client: ClientID,
        secret: ClientSecret,
        audience: ResourceName,
        over transport: any HTTPTransport = SystemTransport.make(),
        timeout: Duration = .seconds(5),
        caching limits: TokenCacheLimits = TokenCacheLimits(),
        allowingMissingAudience: Bool = false
    ) {
        self.audience = audience
        allowsMissingAudience = allowingMissingAudience
        authorization = PresentedCredentials.basicHeader(client: client, secret: secret)
        provider = Provider(endpoint: endpoint, transport: transport, timeout: timeout)
        cached = CachedTokenCheck(limits)
    }

    /// Asks the server about a token, or takes its answer from the cache.
    ///
    /// - Returns: A good token with what the server says of it, or why it is not good.
    /// - Throws: ``TokenCheckError`` when the server cannot be reached, is busy, or does not accept this service.
    ///
    /// Standard: RFC 7662 §2.2.
    public func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        try await cached.verdict(on: token, at: now) { () async throws(TokenCheckError) in
            try await ask(about: token, at: now)
        }
    }

    private func ask(about token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        var form = IntrospectionRequest(token: PresentedToken(revealing: token.revealed)).form
        form["token_type_hint"] = "access_token"
        let answer = try await provider.ask(
            .post,
            sending: Array(form.encoded.utf8),
            fields: [.contentType: Form.mediaType, .authorization: authorization]
        )
        switch answer.response.status.code {
        case 200: return judged(try answer.message(IntrospectedToken.self), at: now)
        case 400, 401, 403:
            throw answer.notAccepted((try? answer.message(OAuthErrorResponse.self))?.error.rawValue)
        default: throw answer.unexpected("not one of the standard")
        }
    }

    private func judged(_ told: IntrospectedToken, at now: Date) -> TokenVerdict {
        guard told.active, let claims = told.claims else { return .notGood(because: "the server says that it is not") }
        if let type = told.tokenType?.lowercased(), type != "bearer", type != "dpop" || claims.key == nil {
            return .notGood(because: "it is of another type than Bearer and DPoP, or bound to no key")
        }
        guard claims.audience?.names.contains(audience.rawValue) ?? allowsMissingAudience else {
            return .notGood(because: "it is meant for another service")
        }
        if let fault = claims.fault(at: now) { return .notGood(because: fault) }
        return .good(claims.facts(username: told.username))
    }
}

/// The answer to an introspection, before it is judged; of a token that is not good nothing else is read.
///
/// Standard: RFC 7662 §2.2.
private struct IntrospectedToken: ProvingMessage {
    static let provingMembers = TokenClaims.provingMembers?.union(["active", "token_type"])

    let active: Bool
    let tokenType: String?
    let username: String?
    let claims: TokenClaims?

    private enum CodingKeys: String, CodingKey {
        case active, username
        case tokenType = "token_type"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        active = try fields.decode(Bool.self, forKey: .active)
        tokenType = active ? try fields.decodeIfPresent(String.self, forKey: .tokenType) : nil
        username = active ? try fields.decodeIfPresent(String.self, forKey: .username) : nil
        claims = active ? try TokenClaims(from: decoder) : nil
    }
}
