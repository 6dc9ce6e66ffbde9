public import Countersign
public import CountersignWire
internal import Crypto
internal import HTTPTypes
internal import NIOConcurrencyHelpers

/// An issued code or token of OAuth 2, and its grant.
struct TwitterGrant: Sendable {
    let client: ClientID
    let person: TwitterPerson
    let scope: String
    var redirect = ""
    var challenge = ""
}

extension TwitterProvider {
    /// Registers an app for OAuth 2 with PKCE.
    ///
    /// ```swift
    /// twitter.register(ClientID("app"), secret: nil, returningTo: ["com.example.app:/signed-in"])
    /// ```
    ///
    /// - Parameters:
    ///   - client: Its identifier.
    ///   - secret: Its secret; `nil` for a public client.
    ///   - redirects: The addresses that answers may go to, compared character by character.
    public func register(_ client: ClientID, secret: ClientSecret?, returningTo redirects: [String]) {
        state.withLockedValue { $0.clients[client] = OpenIDRegistration(secret: secret, redirects: redirects) }
    }

    /// Whether the person denies everything; `false` at the start.
    public var isDenying: Bool {
        get { state.withLockedValue(\.isDenying) }
        set { state.withLockedValue { $0.isDenying = newValue } }
    }

    /// Returns where the browser is sent when a person opens `address`: the answer to the app, as a redirect.
    ///
    /// - Parameters:
    ///   - address: An address of the authorization endpoint, with its query; the host may be that of X itself.
    ///   - person: The person who allows it, or denies it.
    /// - Returns: The redirect URI with the answer in its query.
    /// - Throws: ``OAuthError`` when X would show a page with an error instead.
    public func answer(to address: String, by person: TwitterPerson = TwitterPerson()) throws(OAuthError) -> String {
        let query = try Form(parsing: address.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst())
        guard let location = authorized(query, by: person).fields.first(where: { $0.0 == "Location" })?.1 else {
            throw OAuthError(.invalidRequest, because: "X shows a page: something is missing or not registered")
        }
        return location
    }

    /// The page where the person allows it: `state` and PKCE are required. (X takes `plain` as well, which these apps
    /// do not use.)
    func authorized(_ query: Form, by person: TwitterPerson) -> ProviderReply {
        let client = ClientID(query["client_id"] ?? "")
        guard let known = state.withLockedValue({ $0.clients[client] }), let redirect = query["redirect_uri"],
            known.allows(redirect), query["response_type"] == "code", let sent = query["state"], !sent.isEmpty,
            let challenge = query["code_challenge"], query["code_challenge_method"] == "S256",
            let scope = query["scope"], !scope.isEmpty
        else { return .text("<!doctype html><title>Something went wrong</title>", type: "text/html", status: 400) }
        var answer = Form()
        answer["state"] = sent
        if isDenying {
            answer["error"] = "access_denied"
        } else {
            let code = URLSafeText.encode(random.bytes(48))
            let grant = TwitterGrant(
                client: client, person: person, scope: scope, redirect: redirect, challenge: challenge)
            state.withLockedValue { $0.codes[code] = grant }
            answer["code"] = code
        }
        return .redirect(to: answer.location(at: redirect))
    }

    /// The exchange of a code, or of a refresh token, for tokens. It has no ID token.
    func token(_ request: ProviderRequest) -> ProviderReply {
        let form = request.form
        guard let presented = try? PresentedCredentials(authorization: request.fields[.authorization], form: form),
            let known = state.withLockedValue({ $0.clients[presented.client] }), known.secret == presented.secret
        else { return refused("unauthorized_client", "Missing valid authorization header", 401) }
        guard let found = grant(of: form), found.client == presented.client else {
            return refused("invalid_request", "Value passed for the authorization code was invalid.", 400)
        }
        let (access, refresh) = (URLSafeText.encode(random.bytes(48)), URLSafeText.encode(random.bytes(48)))
        let isOffline = found.scope.split(separator: " ").contains("offline.access")
        state.withLockedValue { state in
            state.bearers[access] = found
            if isOffline { state.refreshTokens[refresh] = found }
        }
        var answer: [String: JSONMember] = [
            "token_type": "bearer", "expires_in": 7200, "access_token": .string(access),
            "scope": .string(found.scope),
        ]
        if isOffline { answer["refresh_token"] = .string(refresh) }
        return .json(answer)
    }

    /// Takes out the grant of a code or a refresh token; it is removed once presented, whatever else is wrong.
    private func grant(of form: Form) -> TwitterGrant? {
        if form["grant_type"] == "refresh_token" {
            return state.withLockedValue { $0.refreshTokens.removeValue(forKey: form["refresh_token"] ?? "") }
        }
        let proof = URLSafeText.encode(SHA256.hash(data: Array((form["code_verifier"] ?? "").utf8)))
        let found = state.withLockedValue { $0.codes.removeValue(forKey: form["code"] ?? "") }
        guard form["grant_type"] == "authorization_code", let found, found.redirect == form["redirect_uri"],
            found.challenge == proof
        else { return nil }
        return found
    }

    private func refused(_ error: String, _ description: String, _ status: Int) -> ProviderReply {
        .json(["error": .string(error), "error_description": .string(description)], status: status)
    }

    /// The person of an access token of OAuth 2; two rights are needed.
    func bearerProfile(_ request: ProviderRequest) -> ProviderReply {
        guard let token = request.bearer, let known = state.withLockedValue({ $0.bearers[token] }) else {
            return problem("Unauthorized", 401)
        }
        guard Set(known.scope.split(separator: " ")).isSuperset(of: ["users.read", "tweet.read"]) else {
            return problem("Forbidden", 403)
        }
        var members: [String: JSONMember] = [
            "id": .string(known.person.id), "name": .string(known.person.name),
            "username": .string(known.person.screenName),
        ]
        // Only the requested ones, in addition to these.
        if (request.query["user.fields"] ?? "").split(separator: ",").contains("profile_image_url") {
            members["profile_image_url"] = .string(known.person.avatar)
        }
        return .json(["data": .object(members)])
    }

    private func problem(_ title: String, _ status: Int) -> ProviderReply {
        .json(
            [
                "title": .string(title), "detail": .string(title), "type": "about:blank",
                "status": .number(status),
            ], status: status)
    }
}
