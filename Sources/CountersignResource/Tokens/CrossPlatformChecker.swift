public import Countersign
public import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Asks an authorization provider of Cross-Platform Authentication what tokens for one domain are worth.
///
///     CrossPlatformChecker(
///         at: try Issuer("https://id.example.com/cpa"),
///         for: Domain("radio.example.com"),
///         credential: ServiceCredential(revealing: secret)
///     )
///
/// Standard: ETSI TS 103 407 §9.2, §9.3.
public struct CrossPlatformChecker: TokenChecker {
    private let domain: Domain
    private let credential: ServiceCredential
    private let provider: Provider
    private let verdicts: VerdictKeeper

    /// A checker of tokens for `domain`, which asks below the address `provider`: that ends with `/cpa` at a Countersign.
    ///
    /// - Throws: `Endpoint.Refusal` for plain http to another machine, unless `allowingInsecureHTTP`.
    public init(
        at provider: Issuer,
        for domain: Domain,
        credential: ServiceCredential,
        over transport: any ProviderTransport = AsyncHTTPProviderTransport(),
        waiting patience: Duration = .seconds(5),
        remembering limits: MemoryLimits = MemoryLimits(),
        allowingInsecureHTTP: Bool = false
    ) throws(Endpoint.Refusal) {
        let address = provider.appending("authorized")
        let endpoint = try Endpoint(address, allowingInsecureHTTP: allowingInsecureHTTP)
        self.domain = domain
        self.credential = credential
        self.provider = Provider(endpoint: endpoint, transport: transport, patience: patience)
        verdicts = VerdictKeeper(limits)
    }

    public func check(_ token: AccessToken, at now: Date) async throws(CheckFailure) -> TokenVerdict {
        try await verdicts.verdict(on: token, at: now) { () async throws(CheckFailure) in try await ask(about: token) }
    }

    private func ask(about token: AccessToken) async throws(CheckFailure) -> TokenVerdict {
        let question = TokenCheckRequest(accessToken: token, domain: domain)
        guard let body = try? JSONEncoder().encode(question) else {
            throw CheckFailure(.badAnswer, because: "the question cannot be written")
        }
        let answer = try await provider.ask(
            .post,
            sending: Array(body),
            fields: [.contentType: "application/json", .authorization: "Bearer \(credential.revealed)"]
        )
        switch answer.response.status.code {
        case 200..<300:
            return .good(try facts(in: answer))
        case 404 where speaksOfTheToken(answer):
            return .notGood(because: "the provider does not know it for this domain")
        case 400, 401, 403:
            throw answer.notAccepted((try? answer.decoded(CrossPlatformErrorResponse.self))?.error.rawValue)
        default:
            throw answer.unexpected("not one of the standard")
        }
    }

    private func facts(in answer: ProviderAnswer) throws(CheckFailure) -> TokenFacts {
        let told = try answer.decoded(TokenCheckResponse.self)
        guard !told.client.rawValue.isEmpty, told.user?.rawValue.isEmpty != true else {
            throw answer.unexpected("an empty name")
        }
        return TokenFacts(
            client: told.client,
            person: told.user,
            displayName: told.displayName.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 100) }
        )
    }

    /// Whether a 404 speaks of the token. A page that is not there says so too, and then the address is wrong.
    private func speaksOfTheToken(_ answer: ProviderAnswer) -> Bool {
        answer.body.isEmpty || (try? answer.decoded(CrossPlatformErrorResponse.self))?.error == .notFound
    }
}
