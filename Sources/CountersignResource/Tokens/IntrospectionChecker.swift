public import Countersign
public import CountersignWire
internal import HTTPTypes
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Asks an authorization server what each token is worth, and so learns of revocation at once, or nearly.
///
///     IntrospectionChecker(
///         at: try Endpoint("https://id.example.com/introspect"),
///         as: ClientID("radio-service"),
///         secret: ClientSecret(revealing: secret),
///         audience: ResourceName("https://radio.example.com")
///     )
///
/// Standard: RFC 7662 §2.
public struct IntrospectionChecker: TokenChecker {
    private let audience: ResourceName
    private let allowsMissingAudience: Bool
    private let authorization: String
    private let provider: Provider
    private let verdicts: VerdictKeeper

    /// A checker that takes tokens for `audience`.
    ///
    /// - Parameter allowingMissingAudience: Takes tokens of which the server does not say for whom they are. Then
    ///   every token of that server passes, also those that were meant for another service.
    public init(
        at endpoint: Endpoint,
        as client: ClientID,
        secret: ClientSecret,
        audience: ResourceName,
        over transport: any ProviderTransport = AsyncHTTPProviderTransport(),
        waiting patience: Duration = .seconds(5),
        remembering limits: MemoryLimits = MemoryLimits(),
        allowingMissingAudience: Bool = false
    ) {
        self.audience = audience
        allowsMissingAudience = allowingMissingAudience
        authorization = PresentedCredentials.basicHeader(client: client, secret: secret)
        provider = Provider(endpoint: endpoint, transport: transport, patience: patience)
        verdicts = VerdictKeeper(limits)
    }

    public func check(_ token: AccessToken, at now: Date) async throws(CheckFailure) -> TokenVerdict {
        try await verdicts.verdict(on: token, at: now) { () async throws(CheckFailure) in
            try await ask(about: token, at: now)
        }
    }

    private func ask(about token: AccessToken, at now: Date) async throws(CheckFailure) -> TokenVerdict {
        var form = IntrospectionRequest(token: PresentedToken(revealing: token.revealed)).form
        form["token_type_hint"] = "access_token"
        let answer = try await provider.ask(
            .post,
            sending: Array(form.encoded.utf8),
            fields: [.contentType: "application/x-www-form-urlencoded", .authorization: authorization]
        )
        switch answer.response.status.code {
        case 200: return judged(try answer.decoded(IntrospectedToken.self), at: now)
        case 400, 401, 403:
            throw answer.notAccepted((try? answer.decoded(OAuthErrorResponse.self))?.error.rawValue)
        default: throw answer.unexpected("not one of the standard")
        }
    }

    private func judged(_ told: IntrospectedToken, at now: Date) -> TokenVerdict {
        guard told.active, let claims = told.claims else { return .notGood(because: "the server says that it is not") }
        if let type = told.tokenType, type.lowercased() != "bearer" {
            return .notGood(because: "it is no bearer token")
        }
        guard claims.audience?.names.contains(audience.rawValue) ?? allowsMissingAudience else {
            return .notGood(because: "it is meant for another service")
        }
        if let fault = claims.fault(at: now) { return .notGood(because: fault) }
        let name = told.username.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 100) }
        return .good(claims.facts(displayName: name))
    }
}

/// The answer to an introspection, before it is judged; of a token that is not good nothing else is read.
///
/// Standard: RFC 7662 §2.2.
private struct IntrospectedToken: Decodable {
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
