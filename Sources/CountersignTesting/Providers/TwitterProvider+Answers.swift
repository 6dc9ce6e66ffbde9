internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import NIOConcurrencyHelpers
internal import FoundationEssentialsCompat

extension TwitterProvider {
    /// Answers a request, unless its step fails.
    func outcome(of request: ProviderRequest) -> LoopbackListener.Outcome {
        switch (request.method, request.path) {
        case (.post, "/oauth/request_token"): steps.outcome(of: request, at: .requestToken) { requestToken(request) }
        case (.post, "/oauth/access_token"): steps.outcome(of: request, at: .accessToken) { accessToken(request) }
        case (.get, "/1.1/account/verify_credentials.json"):
            steps.outcome(of: request, at: .profile) { profile(request) }
        case (.get, "/i/oauth2/authorize"):
            steps.outcome(of: request, at: .authorization) { authorized(request.query, by: TwitterPerson()) }
        case (.post, "/2/oauth2/token"): steps.outcome(of: request, at: .token) { token(request) }
        case (.get, "/2/users/me"): steps.outcome(of: request, at: .bearerProfile) { bearerProfile(request) }
        case (.post, "/1.1/statuses/update.json"):
            // One more call with the app's tokens.
            steps.outcome(of: request, at: nil) {
                signer(of: request).map { .json(["user": .string($0.screenName), "text": "said"]) } ?? unauthorized
            }
        default: steps.outcome(of: request, at: nil) { error(34, "Sorry, that page does not exist.", 404) }
        }
    }

    private func error(_ code: Int, _ message: String, _ status: Int) -> ProviderReply {
        .json(["errors": [.object(["code": .number(code), "message": .string(message)])]], status: status)
    }

    private var unauthorized: ProviderReply { error(32, "Could not authenticate you.", 401) }

    /// Temporary credentials, or a header for the system's account to sign.
    private func requestToken(_ request: ProviderRequest) -> ProviderReply {
        if IndependentSignature(request, at: base)?.header["oauth_callback"] != nil {
            guard isSigned(request, by: app, nil) else { return unauthorized }
            let minted = TokenCredentials(
                token: OAuth1Token(URLSafeText.encode(random.bytes(12))),
                secret: OAuth1Secret(revealing: URLSafeText.encode(random.bytes(24)))
            )
            return .text(TemporaryCredentials(minted).form.encoded, type: "text/html; charset=utf-8")
        }
        guard isSigned(request, by: app, nil), request.form["x_auth_mode"] == "reverse_auth" else {
            return unauthorized
        }
        let nonce = URLSafeText.encode(random.bytes(16))
        let special = URLSafeText.encode(random.bytes(16))
        let header = """
            OAuth oauth_nonce="\(nonce)", oauth_signature_method="HMAC-SHA1", \
            oauth_timestamp="\(Int(clock.now().timeIntervalSince1970))", oauth_consumer_key="\(app.client)", \
            oauth_token="\(special)", oauth_signature="\(nonce.prefix(8))%3D", oauth_version="1.0"
            """
        state.withLockedValue { _ = $0.headers.insert(header) }
        return .text(header)
    }

    /// Tokens of the app for the account that signs.
    private func accessToken(_ request: ProviderRequest) -> ProviderReply {
        let token = IndependentSignature(request, at: base)?.header["oauth_token"] ?? ""
        let known = state.withLockedValue { $0.people[token] }
        guard let known, isSigned(request, by: system, known.secret) else {
            return error(215, "Bad Authentication data.", 400)
        }
        switch suspension {
        case .errorCode?:
            return error(64, "Your account is suspended and is not permitted to access this feature.", 403)
        case .page?:
            let page = "<!DOCTYPE html><html><body>\(String(repeating: "<p>Suspended.</p>", count: 400))</body></html>"
            return .text(page, type: "text/html; charset=utf-8")
        case nil: break
        }
        // The header has to come back unchanged, once.
        guard request.form["x_reverse_auth_target"] == app.client.rawValue,
            let header = request.form["x_reverse_auth_parameters"],
            state.withLockedValue({ $0.headers.remove(header) }) != nil
        else { return error(87, "Reverse auth credentials are invalid", 401) }
        var form = issue(known.person).form
        form["user_id"] = known.person.id
        form["screen_name"] = known.person.screenName
        return .text(form.encoded, type: "text/html; charset=utf-8")
    }

    private func profile(_ request: ProviderRequest) -> ProviderReply {
        guard let person = signer(of: request) else { return unauthorized }
        var members: [String: JSONMember] = [
            "id_str": .string(person.id), "name": .string(person.name), "screen_name": .string(person.screenName),
            "profile_image_url_https": .string(person.avatar),
        ]
        switch person.email {
        case .address(let address): members["email"] = .string(address)
        case .null: members["email"] = .null
        case .absent: break
        }
        return .json(members)
    }

    /// Returns the person whose token of the app a request is signed with.
    private func signer(of request: ProviderRequest) -> TwitterPerson? {
        let token = IndependentSignature(request, at: base)?.header["oauth_token"] ?? ""
        guard let known = state.withLockedValue({ $0.tokens[token] }), isSigned(request, by: app, known.secret)
        else { return nil }
        return known.person
    }

    /// Whether a request is signed by a client, with a token, just now, and for the first time.
    private func isSigned(_ request: ProviderRequest, by client: ClientCredentials, _ token: String?) -> Bool {
        guard let signature = IndependentSignature(request, at: base),
            signature.header["oauth_consumer_key"] == client.client.rawValue,
            signature.header["oauth_version"] == "1.0",
            signature.isMade(by: client.secret.revealed, token ?? "")
        else { return refuse("\(request.path): wrong signature") }
        let now = clock.now().timeIntervalSince1970
        guard let time = signature.header["oauth_timestamp"].flatMap(Double.init), abs(now - time) <= 300 else {
            return refuse("\(request.path): wrong time")
        }
        let nonce = signature.header["oauth_nonce"] ?? ""
        guard !nonce.isEmpty, state.withLockedValue({ $0.nonces.insert(nonce).inserted }) else {
            return refuse("\(request.path): used nonce")
        }
        return true
    }

    private func refuse(_ reason: String) -> Bool {
        state.withLockedValue { $0.forged.append(reason) }
        return false
    }
}
