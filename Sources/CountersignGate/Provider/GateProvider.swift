internal import Countersign
internal import CountersignResource
internal import CountersignTransport
internal import CountersignWire
internal import FoundationEssentialsCompat

/// The server that signs people in, as a client with a secret sees it.
///
/// Standard: OpenID Connect Core 1.0 §3.1; OpenID Connect Discovery 1.0 §4; RFC 7662.
actor GateProvider {
    /// The age from which the server's addresses are read again, in seconds.
    private static let freshFor: TimeInterval = 3_600
    /// The time between two attempts while the server cannot be asked, in seconds.
    static let pause: TimeInterval = 3
    /// The time for an answer of the server.
    private static let timeout: Duration = .seconds(5)

    private let issuer: Issuer
    private let client: ClientID
    private let secret: ClientSecret
    private let transport: any HTTPTransport
    private let clock: TimeSource
    private var known: (addresses: ProviderAddresses, at: Date)?
    /// The last discovery, where it failed.
    private var failed: (error: GateProviderError, at: Date)?
    private var discovery: Task<Result<ProviderAddresses, GateProviderError>, Never>?
    private var checkers: [CheckerKey: IntrospectionChecker] = [:]

    /// The properties of a checker: sessions and tokens of one audience are cached for different times.
    private struct CheckerKey: Hashable {
        let audience: ResourceName
        let limits: TokenCacheLimits
    }

    init(
        _ issuer: Issuer,
        as client: ClientID,
        secret: ClientSecret,
        over transport: any HTTPTransport,
        clock: TimeSource
    ) {
        self.issuer = issuer
        self.client = client
        self.secret = secret
        self.transport = transport
        self.clock = clock
    }

    /// The addresses of the server. Older ones are used during another discovery, for which no request waits then.
    func addresses() async throws(GateProviderError) -> ProviderAddresses {
        let now = clock.now()
        let failure = failed.flatMap { (0..<Self.pause).contains(now.timeIntervalSince($0.at)) ? $0.error : nil }
        if let known {
            let isFresh = (0..<Self.freshFor).contains(now.timeIntervalSince(known.at))
            if !isFresh, failure == nil { _ = beginDiscovery() }
            return known.addresses
        }
        if let failure { throw failure }
        return try await beginDiscovery().value.get()
    }

    private func beginDiscovery() -> Task<Result<ProviderAddresses, GateProviderError>, Never> {
        let task = discovery ?? Task { await self.discover() }
        discovery = task
        return task
    }

    private func discover() async -> Result<ProviderAddresses, GateProviderError> {
        defer { discovery = nil }
        do throws(GateProviderError) {
            let found = try await readAddresses()
            if known?.addresses != found { checkers = [:] }
            known = (found, clock.now())
            failed = nil
            return .success(found)
        } catch {
            failed = (error, clock.now())
            return .failure(error)
        }
    }

    private func readAddresses() async throws(GateProviderError) -> ProviderAddresses {
        let place = issuer.appending(".well-known/openid-configuration")
        guard let endpoint = try? Endpoint(place) else { throw .refused("the issuer has no address for its metadata") }
        let answer = try await send(endpoint.request(.get), [])
        guard answer.response.status == .ok,
            let metadata = try? answer.decoded(AuthorizationServerMetadata.self, orAs: HTTPAnswer.staticMedia)
        else { throw .away("status \(answer.response.status.code) for the metadata at \(place)") }
        return try ProviderAddresses(metadata, of: issuer)
    }

    // MARK: Tokens

    /// Redeems the code of a sign-in. Standard: RFC 6749 §4.1.3, RFC 7636 §4.5.
    func redeem(
        _ code: AuthorizationCode,
        provenBy verifier: CodeVerifier,
        returnedTo address: String
    ) async throws(GateProviderError) -> TokenResponse {
        try await tokens([
            "grant_type": "authorization_code", "code": code.revealed, "code_verifier": verifier.revealed,
            "redirect_uri": address,
        ])
    }

    /// Replaces a refresh token. Standard: RFC 6749 §6.
    func refresh(_ token: RefreshToken) async throws(GateProviderError) -> TokenResponse {
        try await tokens(["grant_type": "refresh_token", "refresh_token": token.revealed])
    }

    /// Ends the sign-in of a refresh token; it ends by itself where the server cannot be reached. Standard: RFC 7009.
    func revoke(_ token: RefreshToken) async {
        guard let endpoint = try? await addresses().revocation else { return }
        _ = try? await post(["token": token.revealed, "token_type_hint": "refresh_token"], to: endpoint)
    }

    private func tokens(_ form: Form) async throws(GateProviderError) -> TokenResponse {
        let answer = try await post(form, to: try await addresses().token)
        switch answer.response.status.code {
        case 200:
            guard let tokens = try? answer.decoded(TokenResponse.self) else {
                throw .away("an unreadable token answer")
            }
            return tokens
        case 408, 429, 500...: throw .away("status \(answer.response.status.code) of the token endpoint")
        default:
            // Another answer is that of a proxy, which knows nothing about a person.
            guard let code = (try? answer.decoded(OAuthErrorResponse.self))?.error else {
                throw .away("status \(answer.response.status.code) of the token endpoint, without a reason")
            }
            // The gate itself is not accepted: that is no statement about a person.
            if code == .invalidClient { throw .away("the server does not accept the gate's identifier and secret") }
            throw .refused("the token endpoint says \(code.rawValue)", by: code)
        }
    }

    // MARK: The sign-in

    /// The reason that the server refuses an authorization request; `nil` when it takes it.
    ///
    /// Standard: RFC 9126 §2.3; without that endpoint OpenID Connect Core 1.0 §3.1.2.6, by an answer without a person.
    func refusal(of asked: Form) async throws(GateProviderError) -> String? {
        let addresses = try await addresses()
        guard let pushed = addresses.pushedAuthorization else {
            return try await refusal(of: asked, at: addresses.authorization)
        }
        let answer = try await post(asked, to: pushed)
        guard answer.response.status != .created else { return nil }
        guard let body = try? answer.decoded(OAuthErrorResponse.self), body.error != .invalidClient,
            Self.isRefusal(answer.response.status)
        else { throw .away("status \(answer.response.status.code) for a pushed authorization request") }
        let description = body.description.map { " (\($0.prefix(200)))" } ?? ""
        return "\(body.error.rawValue)\(description)".shownInOneLine
    }

    private func refusal(of asked: Form, at endpoint: Endpoint) async throws(GateProviderError) -> String? {
        var (form, request) = (asked, endpoint.request(.get))
        form["prompt"] = "none"
        request.path = form.location(at: request.path ?? "/")
        let answer = try await send(request, [])
        let status = answer.response.status
        if status.kind == .redirection, let place = answer.response.headerFields[.location],
            let own = form["redirect_uri"], place.hasPrefix(own)
        {
            let error = try? Form(parsing: Array(place.drop { $0 != "?" }.dropFirst().utf8))["error"]
            return error.flatMap { Self.needsPerson.contains($0) ? nil : $0.shownInOneLine }
        }
        guard Self.isRefusal(status) else { throw .away("status \(status.code) for an authorization request") }
        return "status \(status.code), as for a redirect URI that is not registered"
    }

    private static func isRefusal(_ status: HTTPResponse.Status) -> Bool {
        status.kind == .clientError && ![408, 429].contains(status.code)
    }

    /// The errors of a request that is good, but for the missing person. Standard: OpenID Connect Core 1.0 §3.1.2.6.
    private static let needsPerson = [
        "login_required", "interaction_required", "consent_required", "account_selection_required",
    ]

    private func post(_ form: Form, to endpoint: Endpoint) async throws(GateProviderError) -> HTTPAnswer {
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = Form.mediaType
        request.headerFields[.authorization] = PresentedCredentials.basicHeader(client: client, secret: secret)
        return try await send(request, Array(form.encoded.utf8))
    }

    private func send(_ request: HTTPRequest, _ body: [UInt8]) async throws(GateProviderError) -> HTTPAnswer {
        do throws(TransportError) {
            return try await transport.send(request, body: body, within: Self.timeout)
        } catch {
            throw error.code == .notTrusted ? .untrusted : .away("no answer of the server: \(error)")
        }
    }

    // MARK: Checks

    /// The keys of the server.
    func keySet() async throws(GateProviderError) -> JSONWebKeySet {
        let answer = try await send(try await addresses().keys.request(.get), [])
        guard answer.response.status == .ok,
            let keys = try? answer.decoded(JSONWebKeySet.self, orAs: HTTPAnswer.staticMedia),
            keys.keys.count <= JWKSCache.mostKeys
        else { throw .away("the server's keys cannot be read") }
        return keys
    }

    /// The checker of tokens for an audience; of the gate's own tokens for `nil`.
    ///
    /// - Parameter limits: The limits on the answers that it caches.
    func checker(
        for audience: String?,
        caching limits: TokenCacheLimits
    ) async throws(GateProviderError) -> IntrospectionChecker {
        let addresses = try await addresses()
        let name = ResourceName(audience ?? addresses.issuer)
        let key = CheckerKey(audience: name, limits: limits)
        if let checker = checkers[key] { return checker }
        let checker = IntrospectionChecker(
            at: addresses.introspection, as: client, secret: secret, audience: name, over: transport,
            timeout: Self.timeout, caching: limits
        )
        checkers[key] = checker
        return checker
    }
}

/// The reason that the server gave no good answer.
enum GateProviderError: Error, Sendable, Equatable {
    /// It cannot be asked now, or does not accept the gate.
    case away(String)
    /// Its certificate is not trusted.
    case untrusted
    /// It refused what was presented, by an error of its token endpoint where there is a code.
    case refused(String, by: OAuthError.Code? = nil)

    var reason: String {
        switch self {
        case .away(let reason), .refused(let reason, by: _): reason
        case .untrusted: "the certificate of the server is not trusted"
        }
    }
}
