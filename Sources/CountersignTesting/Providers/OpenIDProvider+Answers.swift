internal import Countersign
public import CountersignWire
internal import Crypto
internal import HTTPTypes
internal import NIOConcurrencyHelpers

extension OpenIDProvider {
    /// Answers a request, unless its step fails.
    func outcome(of request: ProviderRequest) -> LoopbackListener.Outcome {
        switch request.path {
        case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server":
            steps.outcome(of: request, at: .discovery) { .json(metadata) }
        case "/jwks": steps.outcome(of: request, at: .keys) { keySet }
        case "/authorize": steps.outcome(of: request, at: .authorization) { authorized(request.query) }
        case "/token": steps.outcome(of: request, at: .token) { token(request) }
        case "/userinfo": steps.outcome(of: request, at: .userInfo) { userInfo(request) }
        default: steps.outcome(of: request, at: nil) { .text("not found", status: 404) }
        }
    }

    /// Standard: OpenID Connect Discovery 1.0 §3.
    private var metadata: [String: JSONMember] {
        let address = { (path: String, step: Step) in
            JSONMember.string(self.steps.address("\(self.base)\(path)", of: step))
        }
        return [
            "issuer": .string(issuer),
            "authorization_endpoint": address("/authorize", .authorization),
            "token_endpoint": address("/token", .token),
            "userinfo_endpoint": address("/userinfo", .userInfo),
            "jwks_uri": address("/jwks", .keys),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256", "RS256", "EdDSA"],
            "scopes_supported": ["openid", "profile", "email"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        ]
    }

    private var keySet: ProviderReply { .json(["keys": .list(state.withLockedValue { $0.signers.map(\.published) })]) }

    /// Returns where the browser is sent when the person opens `address`: the answer to the app, as a redirect.
    ///
    /// - Parameter address: An address of the authorization endpoint, with its query.
    /// - Returns: The redirect URI with the answer in its query.
    /// - Throws: ``OAuthError`` when there is no address for the answer.
    public func answer(to address: String) throws(OAuthError) -> String {
        let query = try Form(parsing: address.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        guard let location = authorized(query).fields.first(where: { $0.0 == "Location" })?.1 else {
            throw OAuthError(.invalidRequest, because: "client or redirect URI are not registered")
        }
        return location
    }

    /// Standard: OpenID Connect Core 1.0 §3.1.2, RFC 9207 §2.
    private func authorized(_ query: Form) -> ProviderReply {
        let client = ClientID(query["client_id"] ?? "")
        guard let known = state.withLockedValue({ $0.clients[client] }), let redirect = query["redirect_uri"],
            known.allows(redirect)
        else { return .text("<!doctype html><title>Unknown app</title>", type: "text/html", status: 400) }
        var answer = Form()
        if query["response_type"] != "code" {
            answer["error"] = "unsupported_response_type"
        } else if query["code_challenge"] != nil, query["code_challenge_method"] != "S256" {
            answer["error"] = "invalid_request"
        } else if isDenying {
            answer["error"] = "access_denied"
        } else {
            let code = URLSafeText.encode(random.bytes(24))
            let grant = OpenIDGrant(
                client: client,
                redirect: redirect,
                scope: query["scope"] ?? "",
                nonce: query["nonce"],
                challenge: query["code_challenge"]
            )
            state.withLockedValue { $0.codes[code] = grant }
            answer["code"] = code
        }
        answer["state"] = query["state"]
        answer["iss"] = issuer
        return .redirect(to: answer.location(at: redirect))
    }

    /// Standard: RFC 6749 §4.1.3, RFC 7636 §4.6.
    private func token(_ request: ProviderRequest) -> ProviderReply {
        let form = request.form
        guard request.method == .post,
            let presented = try? PresentedCredentials(authorization: request.fields[.authorization], form: form),
            let known = state.withLockedValue({ $0.clients[presented.client] }), known.secret == presented.secret
        else { return .json(["error": "invalid_client"], status: 401) }
        guard form["grant_type"] == "authorization_code" else {
            return .json(["error": "unsupported_grant_type"], status: 400)
        }
        // A code is removed once presented, whatever else is wrong.
        guard let grant = state.withLockedValue({ $0.codes.removeValue(forKey: form["code"] ?? "") }),
            grant.client == presented.client, grant.redirect == form["redirect_uri"],
            grant.challenge == form["code_verifier"].map({ URLSafeText.encode(SHA256.hash(data: Array($0.utf8))) })
        else { return .json(["error": "invalid_grant"], status: 400) }
        let access = URLSafeText.encode(random.bytes(24))
        let person = person
        state.withLockedValue { $0.tokens[access] = (person, grant.scope) }
        var answer: [String: JSONMember] = [
            "access_token": .string(access), "token_type": "Bearer", "expires_in": 3600, "scope": .string(grant.scope),
        ]
        if grant.scope.split(separator: " ").contains("openid") {
            answer["id_token"] = idToken(
                for: grant, redeemedFrom: form["code"] ?? "", of: person, with: access
            ).map { .string($0) }
        }
        return .json(answer)
    }

    /// Standard: OpenID Connect Core 1.0 §5.3.
    private func userInfo(_ request: ProviderRequest) -> ProviderReply {
        guard let bearer = request.bearer, let known = state.withLockedValue({ $0.tokens[bearer] }) else {
            var reply = ProviderReply.json(["error": "invalid_token"], status: 401)
            reply.fields.append(("WWW-Authenticate", #"Bearer error="invalid_token""#))
            return reply
        }
        return .json(claims(about: known.person, for: known.scope))
    }

    /// Returns the claims about the person that a scope shows. Standard: OpenID Connect Core 1.0 §5.4.
    func claims(about person: OpenIDPerson, for scope: String) -> [String: JSONMember] {
        let words = scope.split(separator: " ")
        var claims: [String: JSONMember] = ["sub": .string(person.subject.rawValue)]
        if words.contains("profile") { claims["name"] = .string(person.name) }
        if words.contains("email"), let email = person.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(person.isEmailVerified)
        }
        return claims
    }
}
