internal import Countersign
internal import CountersignWire

/// An authorization request that may be put before a person; made by ``AuthorizationRequests`` alone.
///
/// Its client is registered, its answer goes to a registered address, and it asks for no more than the client may have.
struct CheckedAuthorizationRequest: Sendable {
    let request: AuthorizationRequest
    let client: Client
    /// What it asks for, as far as the client is registered for it.
    let scope: Scope
    let challenge: CodeChallenge
    /// Where its answer goes.
    let answering: AnswerAddress
    /// The reference under which the client stored it beforehand; `nil` when the browser brought it.
    let pushed: SecretDigest?
    /// The parameters as the browser brought them, to be sent again with the decision.
    let parameters: String

    fileprivate init(
        _ request: AuthorizationRequest,
        of client: Client,
        scope: Scope,
        challenge: CodeChallenge,
        answering: AnswerAddress,
        pushed: SecretDigest?,
        parameters: String
    ) {
        self.request = request
        self.client = client
        self.scope = scope
        self.challenge = challenge
        self.answering = answering
        self.pushed = pushed
        self.parameters = parameters
    }

    /// Whether nobody but the registered client can receive the answer and redeem it: it has a secret or a key, or its
    /// address is claimed. Otherwise another program on the device may have asked in its name, so people are always asked.
    ///
    /// Standard: RFC 8252 §8.6.
    var isClientAssured: Bool {
        if client.kind != .public { return true }
        return RedirectURI.isClaimed(answering.redirectURI)
    }

    /// What the authorization code will be bound to.
    var binding: AuthorizationBinding {
        AuthorizationBinding(
            redirectURI: answering.redirectURI,
            namesRedirectURI: request.redirectURI != nil,
            challenge: challenge,
            nonce: request.nonce,
            dpopKey: request.dpopKey
        )
    }
}

/// Where the answer to an authorization request goes: an address that the client registered; made by
/// ``AuthorizationRequests`` alone.
struct AnswerAddress: Sendable {
    let redirectURI: String
    let mode: AuthorizationRequest.ResponseMode
    let state: String?
    let issuer: Issuer

    fileprivate init(
        _ redirectURI: String,
        mode: AuthorizationRequest.ResponseMode,
        state: String?,
        issuer: Issuer
    ) {
        self.redirectURI = redirectURI
        self.mode = mode
        self.state = state
        self.issuer = issuer
    }

    /// The answer with this outcome.
    func answer(_ outcome: AuthorizationResponse.Outcome) -> AuthorizationAnswer {
        AuthorizationAnswer(
            address: self,
            response: AuthorizationResponse(outcome, state: state, issuer: issuer.text)
        )
    }
}

/// An answer to an authorization request, and where it goes.
struct AuthorizationAnswer: Sendable {
    let address: AnswerAddress
    let response: AuthorizationResponse
}

/// Reads and checks authorization requests, wherever they come from.
///
/// Standard: RFC 6749 §4.1.1, §4.1.2.1; RFC 9126 §4; RFC 9700 §2.1, §4.1.3.
struct AuthorizationRequests: Sendable {
    let server: ServerServices

    /// What a request is worth.
    enum Verdict: Sendable {
        case good(CheckedAuthorizationRequest)
        /// The client is told why not.
        case refused(AuthorizationAnswer)
    }

    /// Checks a request as a browser brings it.
    ///
    /// - Parameter parameters: The query of the request, form-encoded.
    /// - Throws: ``PageProblem`` when the client or the address of the answer is not known, so that only the person can
    ///   be told; ``StoreUnavailable``.
    func check(_ parameters: String) async throws -> Verdict {
        let read: (form: Form, repeated: Set<String>)
        do {
            read = try Form.toleratingRepeats(in: Array(parameters.utf8))
        } catch {
            throw PageProblem.unreadableAuthorization
        }
        guard read.repeated.isDisjoint(with: ["client_id", "redirect_uri", "request_uri"]) else {
            throw PageProblem.unreadableAuthorization
        }
        guard let reference = RequestURI(parsing: read.form["request_uri"]) else {
            return try await check(read.form, read.repeated, parameters: parameters, pushed: nil)
        }
        let now = server.clock.now()
        let stored = try await server.store.read { try $0.pushedRequests.find(reference.secret.digest) }
        // The client of the request must be named beside it.
        guard let stored, now < stored.expires, read.form["client_id"] == stored.client.rawValue,
            let form = try? Form(parsing: Array(stored.parameters.utf8))
        else { throw PageProblem.unreadableAuthorization }
        return try await check(form, [], parameters: parameters, pushed: stored.reference)
    }

    /// Checks a request that an authenticated client wants to store, and returns it with the client's name.
    ///
    /// - Throws: ``OAuthError`` as the client is to be told.
    func checkedPush(_ form: Form, by client: AuthenticatedClient) throws -> Form {
        guard form["request_uri"] == nil else {
            throw OAuthError(.invalidRequest, "request_uri is not allowed here", because: "a pushed request_uri")
        }
        guard form["client_id"].map({ $0 == client.client.id.rawValue }) ?? true else {
            throw OAuthError(.invalidRequest, "client_id is another client's", because: "another client_id")
        }
        do {
            _ = try redirectURI(of: form, for: client.client)
        } catch {
            throw OAuthError(.invalidRequest, "the redirect_uri is not registered", because: "\(error)")
        }
        var form = form
        form["client_id"] = client.client.id.rawValue
        _ = try checked(form, of: client.client)
        return form
    }

    private func check(
        _ form: Form,
        _ repeated: Set<String>,
        parameters: String,
        pushed: SecretDigest?
    ) async throws -> Verdict {
        guard let id = form["client_id"].map({ ClientID($0) }),
            let client = try await server.store.read({ try $0.clients.find(id) }),
            client.grantTypes.contains(.authorizationCode)
        else { throw PageProblem.unknownApp }
        let redirectURI = try redirectURI(of: form, for: client)
        let mode = form["response_mode"].flatMap { AuthorizationRequest.ResponseMode(rawValue: $0) }
        // A value that is repeated is repeated to nobody.
        let address = AnswerAddress(
            redirectURI,
            mode: repeated.contains("response_mode") ? .query : mode ?? .query,
            state: repeated.contains("state") ? nil : form["state"],
            issuer: server.issuer
        )
        do {
            guard repeated.isEmpty else {
                throw OAuthError(.invalidRequest, "a parameter is repeated", because: "\(repeated.sorted())")
            }
            guard pushed != nil || !client.redirects.requiresPushedRequests else {
                throw OAuthError(
                    .invalidRequest,
                    "the client has to push its requests",
                    because: "\(client.id) did not push its request"
                )
            }
            let (request, scope, challenge) = try checked(form, of: client)
            return .good(
                CheckedAuthorizationRequest(
                    request,
                    of: client,
                    scope: scope,
                    challenge: challenge,
                    answering: address,
                    pushed: pushed,
                    parameters: parameters
                )
            )
        } catch let error as OAuthError {
            return .refused(address.answer(.refused(error)))
        }
    }

    /// Where the answer goes.
    ///
    /// - Throws: ``PageProblem/unregisteredRedirect``.
    private func redirectURI(of form: Form, for client: Client) throws(PageProblem) -> String {
        let registered = client.redirects.redirectURIs
        guard let asked = form["redirect_uri"] else {
            // Standard: RFC 6749 §3.1.2.3; OpenID Connect Core 1.0 §3.1.2.1, where the parameter is required.
            let isOpenID = Scope(parsing: form["scope"] ?? "")?.contains(.openid) ?? false
            guard registered.count == 1, !isOpenID else { throw .unregisteredRedirect }
            return registered[0]
        }
        guard registered.contains(where: { RedirectURI.matchesExactly(asked, $0) }) else {
            throw .unregisteredRedirect
        }
        return asked
    }

    /// The request, what it asks for, and its challenge.
    private func checked(
        _ form: Form,
        of client: Client
    ) throws(OAuthError) -> (AuthorizationRequest, Scope, CodeChallenge) {
        guard form["request"] == nil else {
            throw OAuthError(.requestNotSupported, because: "a request object")
        }
        guard form["request_uri"] == nil else {
            throw OAuthError(.requestURINotSupported, because: "a request_uri that is not one of ours")
        }
        let request = try AuthorizationRequest(form: form)
        guard let challenge = request.challenge else {
            throw OAuthError(.invalidRequest, "code_challenge is missing", because: "no challenge")
        }
        return (request, try scope(request.scope, of: client), challenge)
    }

    /// What of `asked` the client may have; everything when it asks for nothing in particular.
    ///
    /// Words that are not known are ignored in requests of OpenID Connect, and refused in others.
    /// Standard: OpenID Connect Core 1.0 §3.1.2.1; RFC 6749 §3.3.
    private func scope(_ asked: Scope, of client: Client) throws(OAuthError) -> Scope {
        guard !asked.isEmpty else { return client.scope }
        let allowed = client.allowed(asked)
        guard asked.contains(.openid) ? allowed.contains(.openid) : allowed == asked else {
            throw OAuthError(
                .invalidScope,
                "the client is not registered for this scope",
                because: "\(client.id) asked for \(asked)"
            )
        }
        return allowed
    }
}

/// The name under which a client stored an authorization request.
///
/// Standard: RFC 9126 §2.2.
struct RequestURI: Sendable, CustomStringConvertible {
    /// The part that only the client and the browser know.
    struct Reference: Secret {
        let revealed: String
        init(revealing text: String) { revealed = text }
    }

    private static let prefix = "urn:ietf:params:oauth:request_uri:"

    let secret: Reference

    init(_ secret: Reference) {
        self.secret = secret
    }

    /// Reads a `request_uri`; `nil` unless it is one that this server gave.
    init?(parsing text: String?) {
        guard let text, text.hasPrefix(Self.prefix), text.utf8.count < 200 else { return nil }
        secret = Reference(revealing: String(text.dropFirst(Self.prefix.count)))
    }

    /// The whole name, which is a secret for its short life.
    var description: String { "RequestURI(redacted)" }
    var revealed: String { Self.prefix + secret.revealed }
}
