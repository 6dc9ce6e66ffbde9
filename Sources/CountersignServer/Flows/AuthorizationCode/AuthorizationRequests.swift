internal import Countersign
internal import CountersignWire

/// An authorization request that a person may be asked about; made by ``AuthorizationRequests`` alone.
///
/// Its client is registered, its answer goes to a registered address, and it asks for no more than the client may have.
struct CheckedAuthorizationRequest: Sendable {
    let request: AuthorizationRequest
    let client: Client
    /// The scope that it asks for, as far as the client is registered for it.
    private(set) var scope: Scope
    /// The same without scope that it asks for by `claims` alone, which an answer may lack.
    fileprivate let scopeWithoutClaims: Scope
    /// The address of its answer.
    let answering: AnswerAddress
    /// The reference that the client stored it under beforehand; `nil` when the browser brought it.
    let pushed: SecretDigest?
    /// The time when it was seen first, and the way that the browser brings it again.
    let seen: FirstArrival
    /// The person who shall sign in, as far as the client says it.
    let person: ExpectedPerson

    /// The challenge that its code is bound to; `nil` for a client that uses a nonce instead.
    var challenge: CodeChallenge? { request.challenge }

    /// The same request without scope that it asks for by `claims` alone.
    var withoutClaims: CheckedAuthorizationRequest {
        var request = self
        request.scope = scopeWithoutClaims
        return request
    }

    /// Whether only the registered client can receive the answer and redeem it: it has a secret or a key, or its
    /// address is claimed. Otherwise another program on the device may have asked in its name, so people are always
    /// asked.
    ///
    /// Standard: RFC 8252 §8.6.
    var isClientAssured: Bool {
        if client.kind != .public { return true }
        return RedirectURIRules.isClaimed(answering.redirectURI)
    }

    /// The demands of an approval: those of the scope, and of the client.
    func demands(under policy: Policy) -> ScopeDemands { policy.demands(of: scope, by: client) }

    /// The binding of the authorization code.
    ///
    /// - Parameter session: The browser session of the person who approves; `nil` for one who approves in an app.
    func binding(approvedBy session: BrowserSession?) -> AuthorizationBinding {
        AuthorizationBinding(
            redirectURI: answering.redirectURI,
            namesRedirectURI: request.redirectURI != nil,
            challenge: challenge,
            nonce: request.nonce,
            dpopKey: request.dpopKey,
            session: session.map { SessionReference(id: $0.id, expires: $0.expires) }
        )
    }
}

/// The address that the answer to an authorization request goes to, registered by the client; made by
/// ``AuthorizationRequests`` alone.
struct AnswerAddress: Sendable {
    let redirectURI: String
    let mode: AuthorizationRequest.ResponseMode
    fileprivate let state: String?
    fileprivate let issuer: Issuer

    /// The answer with this outcome.
    func answer(_ outcome: AuthorizationResponse.Outcome) -> AuthorizationReply {
        AuthorizationReply(
            address: self,
            response: AuthorizationResponse(outcome, state: state, issuer: issuer.text)
        )
    }
}

/// An answer to an authorization request, and where it goes.
struct AuthorizationReply: Sendable {
    let address: AnswerAddress
    let response: AuthorizationResponse
}

/// Reads and checks authorization requests, wherever they come from.
///
/// Standard: RFC 6749 §4.1.1, §4.1.2.1; RFC 9126 §4; RFC 9700 §2.1, §4.1.3.
struct AuthorizationRequests: Sendable {
    let services: FlowServices

    /// The result of checking a request.
    enum Verdict: Sendable {
        case good(CheckedAuthorizationRequest)
        /// The client gets an error.
        case refused(AuthorizationReply)
    }

    /// Checks a request as a browser brings it.
    ///
    /// - Throws: ``PageError`` when the client or the address of the answer is not known, so that only the person can
    ///   be told; ``StoreUnavailableError``.
    func check(_ arrival: AuthorizationArrival) async throws -> Verdict {
        let read: (form: Form, repeated: Set<String>)
        do {
            read = try Form.toleratingRepeats(in: Array(arrival.parameters.utf8))
        } catch {
            throw PageError.unreadableAuthorization(because: "the query is no form")
        }
        guard read.repeated.isDisjoint(with: ["client_id", "redirect_uri", "request", "request_uri"]) else {
            throw PageError.unreadableAuthorization(because: "client_id, redirect_uri or the request is repeated")
        }
        let now = services.clock.now()
        let keys = try await services.keys.current()
        let seen = arrival.seen(at: now, under: keys)
        guard let reference = RequestURI(parsing: read.form["request_uri"]) else {
            let client = try await client(named: read.form["client_id"])
            let parameters = try unwrapped(read, of: client, seen: seen)
            return try check(parameters, of: client, pushed: nil, seen: seen, keys: keys)
        }
        let stored = try await services.store.read { try $0.pushedRequests.find(reference.secret.digest) }
        // The client of the request must be named beside it.
        guard let stored, now < stored.expires, read.form["client_id"] == stored.client.rawValue,
            let form = try? Form(parsing: Array(stored.parameters.utf8))
        else {
            throw PageError.unreadableAuthorization(because: "the request_uri is unknown, expired, used or another's")
        }
        let client = try await client(named: form["client_id"])
        return try check(Parameters(form), of: client, pushed: stored.reference, seen: seen, keys: keys)
    }

    /// The request that an authenticated client pushes: its signed request object, or the form without one.
    ///
    /// - Throws: ``OAuthError`` as the client is to be told.
    func pushed(_ form: Form, by client: AuthenticatedClient) throws(OAuthError) -> Form {
        guard form["request_uri"] == nil else {
            throw OAuthError(.invalidRequest, "request_uri is not allowed here", because: "a pushed request_uri")
        }
        guard form["client_id"].map({ $0 == client.client.id.rawValue }) ?? true else {
            throw OAuthError(.invalidRequest, "client_id is another client's", because: "another client_id")
        }
        let signed = try RequestObjects(issuer: services.issuer)
            .request(in: form, of: client.client, seen: services.clock.now())
        guard signed != nil || !client.client.rules.requiresSignedRequests else { throw Self.unsigned }
        return signed ?? form
    }

    /// Checks what ``pushed(_:by:)`` returned, and returns it with the client's name.
    ///
    /// - Throws: ``OAuthError`` as the client is to be told.
    func checkedPush(_ form: Form, by client: AuthenticatedClient) throws(OAuthError) -> Form {
        do {
            _ = try redirectURI(of: form, for: client.client)
        } catch {
            throw OAuthError(.invalidRequest, error.refusal, because: "\(error)")
        }
        var form = form
        form["client_id"] = client.client.id.rawValue
        _ = try checked(form, of: client.client)
        return form
    }

    /// The parameters of a request that are read.
    private struct Parameters {
        let form: Form
        /// The names that are repeated.
        let repeated: Set<String>
        /// Whether the client signed them.
        let isSigned: Bool
        /// The name of the parameter outside a signed request object that contradicts it; `nil` for none.
        let contradiction: String?

        init(_ form: Form, repeated: Set<String> = []) {
            self.form = form
            self.repeated = repeated
            isSigned = false
            contradiction = nil
        }

        init(signed form: Form, beside outer: Form) {
            self.form = form
            repeated = []
            isSigned = true
            // OpenID Connect Core 1.0 §6.1. The client is compared with the object in any case.
            let isOpenID = outer.contains(word: .openid)
            let isOther = outer["response_type"].map { $0 != form["response_type"] } ?? false
            contradiction = isOpenID && isOther ? "response_type" : nil
        }
    }

    private func client(named id: String?) async throws -> Client {
        guard let named = id.map({ ClientID($0) }),
            let client = try await services.store.read({ try $0.clients.find(named) }),
            client.grantTypes.contains(.authorizationCode) || !client.redirects.redirectURIs.isEmpty
        else { throw PageError.unknownApp(named: id) }
        return client
    }

    /// The parameters of the request object, or of the query without one.
    private func unwrapped(
        _ read: (form: Form, repeated: Set<String>),
        of client: Client,
        seen: FirstArrival
    ) throws(PageError) -> Parameters {
        let plain = Parameters(read.form, repeated: read.repeated)
        do {
            let signed = try RequestObjects(issuer: services.issuer)
                .request(in: read.form, of: client, seen: seen.first)
            return signed.map { Parameters(signed: $0, beside: read.form) } ?? plain
        } catch {
            // Only the parameters outside the request object are known.
            guard error.code == .requestNotSupported else { throw .badRequestObject(because: error.reason) }
            return plain
        }
    }

    private func check(
        _ parameters: Parameters,
        of client: Client,
        pushed: SecretDigest?,
        seen: FirstArrival,
        keys: Keys
    ) throws -> Verdict {
        let (form, repeated) = (parameters.form, parameters.repeated)
        let redirectURI = try redirectURI(of: form, for: client)
        let mode = form["response_mode"].flatMap { AuthorizationRequest.ResponseMode(rawValue: $0) }
        // The answer uses no parameter that is duplicated.
        let address = AnswerAddress(
            redirectURI: redirectURI,
            mode: repeated.contains("response_mode") ? .query : mode ?? .query,
            state: repeated.contains("state") ? nil : form["state"],
            issuer: services.issuer
        )
        do {
            try client.require(.authorizationCode)
            guard repeated.isEmpty else {
                throw OAuthError(.invalidRequest, "a parameter is repeated", because: "\(repeated.sorted())")
            }
            if let name = parameters.contradiction {
                throw OAuthError(.invalidRequestObject, "\(name) is another one in the object", because: name)
            }
            // These rules were checked when a pushed request was stored.
            guard pushed != nil || !client.rules.requiresPushedRequests else {
                throw OAuthError(
                    .invalidRequest,
                    "the client has to push its requests",
                    because: "\(client.id) did not push its request"
                )
            }
            guard
                pushed != nil || parameters.isSigned || form["request"] != nil
                    || !client.rules.requiresSignedRequests
            else { throw Self.unsigned }
            let (request, scope) = try checked(form, of: client)
            let claimed = client.allowed(Scope(RequestedClaims(of: request).words))
            return .good(
                CheckedAuthorizationRequest(
                    request: request,
                    client: client,
                    scope: Scope(scope.words + claimed.words),
                    scopeWithoutClaims: scope,
                    answering: address,
                    pushed: pushed,
                    seen: seen,
                    person: try ExpectedPerson(
                        of: request,
                        hint: { keys.claims(ofHint: $0, from: services.issuer, at: services.clock.now()) }
                    )
                )
            )
        } catch let error as OAuthError {
            return .refused(address.answer(.refused(error)))
        }
    }

    /// Standard: RFC 9101 §10.5.
    private static let unsigned = OAuthError(
        .invalidRequest,
        "the client has to sign its requests",
        because: "a request without a request object"
    )

    /// The redirect URI that the answer goes to.
    ///
    /// - Throws: ``PageError/unregisteredRedirect(client:address:)``, ``PageError/noRedirect(client:)``.
    private func redirectURI(of form: Form, for client: Client) throws(PageError) -> String {
        let registered = client.redirects.redirectURIs
        guard let asked = form["redirect_uri"] else {
            // Standard: RFC 6749 §3.1.2.3; OpenID Connect Core 1.0 §3.1.2.1, where the parameter is required.
            let isNeeded = client.rules.requiresRedirectURI || form.contains(word: .openid)
            guard registered.count == 1, !isNeeded else { throw .noRedirect(client: client.id) }
            return registered[0]
        }
        guard registered.contains(where: { RedirectURIRules.matchesExactly(asked, $0) }) else {
            throw .unregisteredRedirect(client: client.id, address: asked)
        }
        return asked
    }

    /// The request, and its scope without what it asks for by `claims` alone.
    private func checked(
        _ form: Form,
        of client: Client
    ) throws(OAuthError) -> (AuthorizationRequest, Scope) {
        guard form["request"] == nil else {
            throw OAuthError(.requestNotSupported, because: "a request object of a client without keys")
        }
        guard form["request_uri"] == nil else {
            throw OAuthError(.requestURINotSupported, because: "a request_uri that is not one of ours")
        }
        let request = try AuthorizationRequest(form: form)
        try RequestedClaims(of: request).requireKnownAuthenticationClass()
        _ = try services.policy.bounded(request.service, at: services.clock.now())
        let scope = try client.permitted(request.scope)
        try requireChallenge(of: request, for: scope, by: client)
        return (request, scope)
    }

    /// Requires a challenge or a nonce, so that a code injected in another person's browser is noticed: by the server,
    /// which compares the verifier, or by the client, which compares the nonce.
    ///
    /// Standard: RFC 9700 §2.1.1, §4.5.3.
    private func requireChallenge(
        of request: AuthorizationRequest,
        for scope: Scope,
        by client: Client
    ) throws(OAuthError) {
        guard request.challenge == nil else { return }
        guard !client.rules.requiresPKCE else {
            throw OAuthError(
                .invalidRequest,
                "code_challenge is missing: the client is registered with pkce required",
                because: """
                    \(client.id) sent no code_challenge; a client with a secret and https addresses that sends a nonce \
                    may be registered with --pkce optional
                    """
            )
        }
        guard request.nonce != nil, scope.contains(.openid) else {
            throw OAuthError(
                .invalidRequest,
                "code_challenge is missing, and so is a nonce with the scope openid",
                because: "\(client.id) sent neither code_challenge nor nonce; --pkce optional needs one of them"
            )
        }
    }
}

extension Form {
    /// Whether the scope of a request has this word.
    fileprivate func contains(word: ScopeWord) -> Bool {
        Scope(parsing: self["scope"] ?? "")?.contains(word) ?? false
    }
}
