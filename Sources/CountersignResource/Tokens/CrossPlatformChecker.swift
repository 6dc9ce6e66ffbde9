public import Countersign
public import CountersignWire
public import FoundationEssentialsCompat
internal import HTTPTypes

/// Asks an authorization provider of Cross-Platform Authentication what tokens for one domain are worth.
///
/// ```swift
/// let checker = try CrossPlatformChecker(
///     at: Issuer("https://id.example.com/cpa"),
///     for: Domain("radio.example.com"),
///     credential: ServiceCredential(revealing: secret)
/// )
/// ```
///
/// Answers are cached: a revoked token is refused after a minute at the latest, unless `limits` say otherwise. A token
/// that the device bound to a key is good with a proof of it only, which
/// ``ResourceGuard/acceptingProofs(at:requiring:rememberingAtLeast:)`` verifies.
///
/// Standard: ETSI TS 103 407 §9.2, §9.3; RFC 9449 §6.2 for tokens that are bound.
public struct CrossPlatformChecker: TokenChecker {
    private let domain: Domain
    private let credential: ServiceCredential
    private let provider: Provider
    private let cached: CachedTokenCheck

    /// A checker of tokens for `domain`.
    ///
    /// - Parameters:
    ///   - provider: The base address of the provider, below which `/authorized` is; at a Countersign it ends in
    ///     `/cpa`.
    ///   - domain: The domain of this service as the provider knows it: a host name, with a port if it has one.
    ///   - credential: The credential that the provider gave this service to ask with, as
    ///     `countersign admin domain add` prints it.
    ///   - transport: The network; that of this machine unless another is given.
    ///   - timeout: The timeout of the provider's whole answer.
    ///   - limits: The limits on cached answers: their age and their count.
    ///   - allowingInsecureHTTP: Whether the provider may be asked without encryption although it is another machine.
    ///     Any intermediary can read the credential then. For tests in closed networks only.
    /// - Throws: `Endpoint.ParsingError` for plain http to another machine, unless `allowingInsecureHTTP`.
    ///
    /// Standard: ETSI TS 103 407 §9.2.
    public init(
        at provider: Issuer,
        for domain: Domain,
        credential: ServiceCredential,
        over transport: any HTTPTransport = SystemTransport.make(),
        timeout: Duration = .seconds(5),
        caching limits: TokenCacheLimits = TokenCacheLimits(),
        allowingInsecureHTTP: Bool = false
    ) throws(Endpoint.ParsingError) {
        let address = provider.appending("authorized")
        let endpoint = try Endpoint(address, allowingInsecureHTTP: allowingInsecureHTTP)
        self.domain = domain
        self.credential = credential
        self.provider = Provider(endpoint: endpoint, transport: transport, timeout: timeout)
        cached = CachedTokenCheck(limits)
    }

    /// Asks the provider about a token, or takes its answer from the cache.
    ///
    /// - Returns: A good token with its client, and with its person if it has one; or why it is not good.
    /// - Throws: ``TokenCheckError`` when the provider cannot be reached, is busy, or does not accept this service.
    ///
    /// Standard: ETSI TS 103 407 §9.3.
    public func check(_ token: AccessToken, at now: Date) async throws(TokenCheckError) -> TokenVerdict {
        try await cached.verdict(on: token, at: now) { () async throws(TokenCheckError) in try await ask(about: token) }
    }

    private func ask(about token: AccessToken) async throws(TokenCheckError) -> TokenVerdict {
        let question = TokenCheckRequest(accessToken: token, domain: domain)
        guard let body = try? JSONEncoder().encode(question) else {
            throw TokenCheckError(.badAnswer, because: "the question cannot be written")
        }
        let answer = try await provider.ask(
            .post,
            sending: Array(body),
            fields: [.contentType: "application/json", .authorization: "Bearer \(credential.revealed)"]
        )
        switch answer.response.status.code {
        case 200..<300:
            return try judged(answer)
        case 404 where speaksOfTheToken(answer):
            return .notGood(because: "the provider does not know it for this domain")
        case 400, 401, 403:
            throw answer.notAccepted((try? answer.message(CrossPlatformErrorResponse.self))?.error.rawValue)
        default:
            throw answer.unexpected("not one of the standard")
        }
    }

    private func judged(_ answer: HTTPAnswer) throws(TokenCheckError) -> TokenVerdict {
        let told = try answer.message(TokenCheckResponse.self)
        guard !told.client.rawValue.isEmpty, told.user?.rawValue.isEmpty != true else {
            throw answer.unexpected("an empty name")
        }
        if let confirmation = told.confirmation, confirmation.key == nil {
            return .notGood(because: "it is bound in a way that cannot be proved here")
        }
        return .good(
            TokenFacts(
                client: told.client,
                person: told.user,
                displayName: told.displayName.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 100) },
                key: told.confirmation?.key,
                evidence: told.user == nil ? nil : told.evidence
            )
        )
    }

    /// Whether a 404 is about the token. A missing endpoint indicates a wrong address, and is a 404 too.
    private func speaksOfTheToken(_ answer: HTTPAnswer) -> Bool {
        answer.body.isEmpty || (try? answer.message(CrossPlatformErrorResponse.self))?.error == .notFound
    }
}
