internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `GET /userinfo`, `POST /userinfo`: the claims about the person of an access token.
///
/// Standard: OpenID Connect Core 1.0 §5.3; RFC 6750 §2.1, §2.2, §3; RFC 9449 §7; RFC 8705 §3. A token in the query
/// (§2.3) is ignored.
struct UserInfoEndpoint: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let tokens: TokenServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        let answer = tokens.proofs.givingNonces(answer)
        router.endpoint(Self.path, [.get: answer, .post: answer], from: clients.origins)
    }

    static let path = "userinfo"

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        do {
            guard let token = try await token(in: request, over: context.certificate) else {
                return .tokenChallenge(to: request)
            }
            let keys = try await core.keys.current()
            let shown = try await core.store.read { try describe(token, trusting: keys, in: $0) }
            try await tokens.firstUses.settle()
            return try .json(shown)
        } catch let error as OAuthError {
            return .tokenChallenge(error, to: request, scope: .openid)
        }
    }

    /// The token that a request presents, in its header or its form; `nil` where there is none.
    private func token(
        in request: Request,
        over certificate: PresentedCertificate?
    ) async throws -> PresentedAccessToken? {
        let isForm = request.method == .post && request.hasBody(of: Form.mediaType)
        let presented = isForm ? try await request.form()["access_token"] : nil
        guard let presented else {
            return try await PresentedAccessToken(
                in: request,
                over: certificate,
                at: Self.path,
                of: core,
                tokens
            )
        }
        guard request.headers[values: .authorization].isEmpty else {
            throw OAuthError(.invalidRequest, "the token is presented twice", because: "in header and form")
        }
        return PresentedAccessToken(bearer: AccessToken(revealing: presented), over: certificate)
    }

    private func describe(
        _ token: PresentedAccessToken,
        trusting keys: Keys,
        in repositories: any Repositories
    ) throws -> UserInfo {
        guard
            let token = try AccessTokens(repositories).verified(
                token, trusting: keys, under: core.policy, at: core.clock.now()),
            let person = token.person
        else {
            throw OAuthError(.invalidToken, "the access token is not good", because: "unknown, expired or revoked")
        }
        guard token.scope.contains(.openid) else {
            throw OAuthError(.insufficientScope, "the scope openid is needed", because: "no openid")
        }
        tokens.firstUses.note(token.record)
        return try PersonClaims(repositories).about(person, allowing: token.scope)
    }
}
