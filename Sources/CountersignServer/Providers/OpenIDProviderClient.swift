internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import Crypto
internal import FoundationEssentialsCompat
internal import HTTPTypes

/// Asks another provider in the name of this server: where to send a browser, and what a code is worth.
///
/// Standard: OpenID Connect Core 1.0 §3.1; RFC 7636; RFC 9207.
struct OpenIDProviderClient: Sendable {
    let directory: ProviderDirectory
    let transport: any HTTPTransport
    let issuer: Issuer
    let mint: CodeMint
    let clock: TimeSource

    /// The secrets of one visit besides its state. They are derived from the state, so that no secret is stored.
    struct VisitSecrets: Sendable {
        let nonce: String
        let verifier: CodeVerifier

        /// Random secrets, for requests that belong to no visit.
        init(drawnBy mint: CodeMint) {
            nonce = mint.secret(AuthorizationCode.self).revealed
            verifier = CodeVerifier(revealing: mint.secret(AuthorizationCode.self).revealed)
        }

        init(of state: String, in browser: BrowserCookie, by keys: Keys) {
            let text = "\(state)\n\(browser.revealed)"
            nonce = keys.authenticationCode(for: text, use: "nonce at another provider")
            verifier = CodeVerifier(
                revealing: keys.authenticationCode(for: text, use: "verifier at another provider"))
        }
    }

    /// The path that a provider sends browsers back to: each provider has its own, so that answers of different ones
    /// cannot be mixed up. Standard: RFC 9700 §4.4.2.
    static func callbackPath(of provider: IdentityProvider.ID) -> String { "/login/with/\(provider)/callback" }

    /// The address to register at a provider.
    static func redirectURI(of provider: IdentityProvider.ID, at issuer: Issuer) -> String {
        issuer.appending(String(callbackPath(of: provider).dropFirst()))
    }

    /// The address that the browser is sent to.
    ///
    /// - Parameter again: Whether the person has to sign in anew there.
    func address(
        of provider: IdentityProvider,
        state: String,
        secrets: VisitSecrets,
        again: Bool
    ) async throws(ProviderError) -> String {
        let settings = try provider.speakingOpenID()
        guard let page = try await directory.metadata(of: provider.issuer).authorization else {
            throw ProviderError(.notOffered, because: "there is no authorization_endpoint")
        }
        var request = AuthorizationRequest(
            client: settings.client,
            redirectURI: Self.redirectURI(of: provider.id, at: issuer),
            challenge: CodeChallenge(of: secrets.verifier)
        )
        request.scope = Scope([.openid] + settings.scope.words.filter { $0 != .openid })
        request.state = state
        request.nonce = secrets.nonce
        if settings.postsAnswers { request.responseMode = .formPost }
        if again {
            request.prompts = [.login]
            request.maxAge = 0
            // Some providers say it only when they are asked by name.
            request.claims = ClaimsRequest()
            request.claims?.idToken["auth_time"] = ClaimsRequest.IndividualClaim(isEssential: true)
        }
        return request.form.location(at: page.url.absoluteString)
    }

    /// The identity that a provider's answer stands for.
    ///
    /// - Throws: ``ProviderError``; ``AnswerError``.
    func identity(
        answering answer: AuthorizationResponse,
        from provider: IdentityProvider,
        secrets: VisitSecrets
    ) async throws -> ProvenIdentity {
        let settings = try provider.speakingOpenID()
        let metadata = try await directory.metadata(of: provider.issuer)
        // Standard: RFC 9207 §2.4.
        guard answer.issuer.map({ $0 == provider.issuer.rawValue }) ?? !metadata.namesIssuer else {
            throw AnswerError.mixedUp
        }
        let code: AuthorizationCode
        switch answer.outcome {
        case .code(let given): code = given
        case .refused(let error):
            throw error.code.isDeclinedByPerson ? AnswerError.declined : AnswerError.failed(error.code)
        }
        let response = try await redeem(code, at: provider, metadata, secrets: secrets)
        var demands = ParsedIDToken.Demands(
            issuer: provider.issuer.rawValue,
            clients: [settings.client],
            nonce: secrets.nonce
        )
        demands.accessToken = response.accessToken
        demands.code = code
        return try await identity(in: response.idToken, of: provider, meeting: demands, how: .browser)
    }

    /// Why a provider's answer is not taken.
    enum AnswerError: Error, Sendable, Equatable {
        /// It is the answer of another provider.
        case mixedUp
        /// The person did not want to sign in there.
        case declined
        /// The provider reports an error.
        case failed(OAuthError.Code)
    }

    /// The identity in an ID token, which is verified here.
    ///
    /// - Throws: ``ProviderError``, with the code `token` when the token is not good.
    func identity(
        in token: UnverifiedIDToken,
        of provider: IdentityProvider,
        meeting demands: ParsedIDToken.Demands,
        how: FederatedProof
    ) async throws(ProviderError) -> ProvenIdentity {
        let read: ParsedIDToken
        do throws(IDTokenError) {
            read = try ParsedIDToken(token)
        } catch {
            throw ProviderError(.token, because: error.reason)
        }
        let key = try await directory.key(for: read, of: provider.issuer)
        let now = clock.now()
        do throws(IDTokenError) {
            return ProvenIdentity(verified: try read.verified(by: key, meeting: demands, at: now), how: how, at: now)
        } catch {
            throw ProviderError(.token, because: error.reason)
        }
    }

    // MARK: The token endpoint

    private func redeem(
        _ code: AuthorizationCode,
        at provider: IdentityProvider,
        _ metadata: ProviderMetadata,
        secrets: VisitSecrets
    ) async throws(ProviderError) -> IDTokenResponse {
        let answer = try await tokenAnswer(
            to: .authorizationCode(
                code,
                redirectURI: Self.redirectURI(of: provider.id, at: issuer),
                verifier: secrets.verifier
            ),
            of: provider,
            metadata
        )
        if (400..<500).contains(answer.response.status.code) {
            let error = try? answer.decoded(OAuthErrorResponse.self).error.rawValue
            let words = error ?? SocialGraphError(in: answer.body)?.words
            let reason = words.flatMap { DeviceAuthorizationRequest.presentable($0, upTo: 200) } ?? "no reason"
            throw ProviderError(.refused, because: "status \(answer.response.status.code), \(reason)")
        }
        return try answer.message("the code", as: IDTokenResponse.self)
    }

    /// The token endpoint's answer to a request of this server.
    func tokenAnswer(
        to request: TokenRequest,
        of provider: IdentityProvider,
        _ metadata: ProviderMetadata
    ) async throws(ProviderError) -> HTTPAnswer {
        let settings = try provider.speakingOpenID()
        let named: Endpoint?
        if let text = settings.tokenEndpoint {
            named = try ProviderMetadata.endpoint(text, "the token endpoint")
        } else {
            named = try metadata.token
        }
        guard let endpoint = named else {
            throw ProviderError(.notOffered, because: "there is no token_endpoint")
        }
        var form = request.form
        var message = endpoint.request(.post)
        message.headerFields[.contentType] = Form.mediaType
        try authenticate(&message, &form, as: settings, at: provider.issuer, metadata)
        return try await transport.ask(message, body: Array(form.encoded.utf8), within: ProviderMetadata.limit)
    }

    /// Adds what proves this server's name at the provider.
    private func authenticate(
        _ message: inout HTTPRequest,
        _ form: inout Form,
        as settings: IdentityProvider.OpenID,
        at issuer: IdentityIssuer,
        _ metadata: ProviderMetadata
    ) throws(ProviderError) {
        let basic = PresentedCredentials.Method.clientSecretBasic.rawValue
        // Metadata that name a token endpoint without methods mean Basic. An endpoint that only the operator named may
        // be one of plain OAuth 2.0, as Facebook's, which reads the secret from the form alone.
        let takesBasic = metadata.tokenMethods?.contains(basic) ?? metadata.namesToken
        switch settings.credential {
        case .none:
            form["client_id"] = settings.client.rawValue
        case .secret(let secret) where takesBasic:
            message.headerFields[.authorization] = PresentedCredentials.basicHeader(
                client: settings.client,
                secret: ClientSecret(revealing: secret)
            )
        case .secret(let secret):
            form["client_id"] = settings.client.rawValue
            form["client_secret"] = secret
        case .key(let bytes, let id):
            form["client_id"] = settings.client.rawValue
            form["client_assertion_type"] = UnverifiedClientAssertion.type
            form["client_assertion"] = try statement(
                of: settings.client.rawValue,
                about: settings.client,
                to: issuer.rawValue,
                signedWith: bytes,
                id
            )
        case .teamKey(let bytes, let id, let team):
            form["client_id"] = settings.client.rawValue
            form["client_secret"] = try statement(
                of: team,
                about: settings.client,
                to: issuer.rawValue,
                signedWith: bytes,
                id
            )
        }
    }

    /// A statement of this server about itself, valid for a minute.
    ///
    /// Standard: RFC 7523 §2.2, §3.
    private func statement(
        of author: String,
        about client: ClientID,
        to audience: String,
        signedWith bytes: [UInt8],
        _ id: JSONWebKey.ID
    ) throws(ProviderError) -> String {
        struct Claims: Encodable {
            let iss, sub, aud, jti: String
            let iat, exp: Int
        }
        let now = clock.now()
        let claims = Claims(
            iss: author,
            sub: client.rawValue,
            aud: audience,
            jti: mint.identifier(TokenID.self).rawValue,
            iat: now.numericDate,
            exp: now.addingTimeInterval(60).numericDate
        )
        do {
            let key = try P256.Signing.PrivateKey(rawRepresentation: bytes)
            let header = CompactJWS.Header(algorithm: SigningAlgorithm.es256.rawValue, keyID: id, type: "JWT")
            return try CompactJWS.text(
                header: Array(try JSONEncoder.wire.encode(header)),
                payload: Array(try JSONEncoder.wire.encode(claims)),
                signedBy: { try Array(key.signature(for: $0).rawRepresentation) }
            )
        } catch {
            throw ProviderError(.refused, because: "the key of this server cannot sign")
        }
    }
}

extension IdentityProvider {
    /// The provider's settings for OpenID Connect.
    ///
    /// - Throws: ``ProviderError`` for a provider of another kind.
    func speakingOpenID() throws(ProviderError) -> OpenID {
        switch kind {
        case .openID(let settings): return settings
        case .socialGraph, .oauth1, .bearer:
            throw ProviderError(.notOffered, because: "it does not speak OpenID Connect")
        }
    }
}
