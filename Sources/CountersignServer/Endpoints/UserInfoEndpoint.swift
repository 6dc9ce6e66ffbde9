internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `GET /userinfo`, `POST /userinfo`: who the person behind an access token is.
///
/// Standard: OpenID Connect Core 1.0 §5.3; RFC 6750 §2, §3.
struct UserInfoEndpoint: Sendable {
    let store: any Store
    let policy: Policy
    let clock: ServerClock

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("userinfo", [.get: answer, .post: answer])
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let headers = request.headers[values: .authorization]
        guard let header = headers.first, headers.count == 1, let token = BearerHeader.token(in: header) else {
            return Self.challenge()
        }
        do {
            return try .json(try await store.read { try describe(token, in: $0) })
        } catch let error as OAuthError where error.code == .invalidToken || error.code == .insufficientScope {
            return Self.challenge(error)
        }
    }

    private func describe(_ token: AccessToken, in repositories: any Repositories) throws -> UserInfo {
        let invalid = OAuthError(.invalidToken, "the access token is not good", because: "unknown, expired or revoked")
        guard let found = try repositories.accessTokens.find(token.digest), clock.now() < found.expires,
            let subject = found.subject, let person = try repositories.people.find(subject)
        else { throw invalid }
        do {
            try policy.authorize(
                .redemption,
                client: found.client,
                subject: subject,
                evidence: Evidence(),
                in: repositories
            )
        } catch is Policy.Refusal {
            throw invalid
        }
        guard found.scope.contains(.openid) else {
            throw OAuthError(.insufficientScope, "the scope openid is needed", because: "no openid")
        }
        return UserInfo(person, allowing: found.scope)
    }

    /// Standard: RFC 6750 §3: without a token no error is named.
    private static func challenge(_ error: OAuthError? = nil) -> Response {
        var value = "Bearer realm=\"countersign\""
        if let error {
            value += ", error=\"\(error.code)\""
            if let description = error.description { value += ", error_description=\"\(description)\"" }
            if error.code == .insufficientScope { value += ", scope=\"openid\"" }
        }
        return Response(
            status: error?.code.status ?? .unauthorized,
            headers: [.wwwAuthenticate: value, .cacheControl: "no-store"]
        )
    }
}
