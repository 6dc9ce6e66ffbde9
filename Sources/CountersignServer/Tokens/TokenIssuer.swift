internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Creates all tokens.
///
/// It works in two steps, so that nothing slow happens while the store is changing: first tokens are prepared, with all
/// signing, then the change that redeems a grant records them. Tokens that are not recorded are invalid.
struct TokenIssuer: Sendable {
    let issuer: Issuer
    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let clock: TimeSource

    /// The entitlement of a client.
    enum Entitlement: Sendable {
        /// Tokens in the name of the person who gave the grant, for its scope or less.
        case person(Person, Grant, scope: Scope)
        /// A token of the client's own.
        case client(scope: Scope)

        var scope: Scope {
            switch self {
            case .person(_, _, let scope), .client(let scope): scope
            }
        }

        var person: Person? {
            switch self {
            case .person(let person, _, scope: _): person
            case .client: nil
            }
        }

        /// The time until the person's authorization ends by itself, in seconds; `nil` for no such end.
        func timeLeft(at now: Date) -> TimeInterval? {
            switch self {
            case .person(_, let grant, scope: _): grant.ends.map { max(0, $0.timeIntervalSince(now)) }
            case .client: nil
            }
        }

        /// A lifetime of a token, in seconds, which ends with the authorization at the latest.
        func lifetime(_ longest: TimeInterval, at now: Date) -> TimeInterval {
            min(longest, timeLeft(at: now) ?? longest)
        }
    }

    /// The tokens that a client gets.
    struct Order: Sendable {
        let entitlement: Entitlement
        let client: Client
        /// The key that the client proved, which the tokens are bound to; the refresh token only if nothing else binds
        /// it to the client. Standard: RFC 9449 §5.
        let key: SenderKey?
        var dialect = TokenDialect.oauth2
        /// The nonce of the authorization request, which the ID token repeats.
        var nonce: String?
        /// The browser session of the person's sign-in, which the ID token names.
        var session: SessionReference?
        /// Whether a client that may have a refresh token gets one.
        var isRefreshable = true
        /// The refresh token that the new one replaces; `nil` for the first one of its family.
        var replaced: RefreshToken?
        /// The kind of the access token, for an answer that says it.
        var issuedType: TokenTypeIdentifier?
        /// The request over the back channel whose tokens are sent to the client.
        var pushed: AuthenticationRequestID?
    }

    /// Makes tokens; they become valid with ``PreparedTokens/record(in:)`` in a durable change.
    func prepare(_ order: Order) async throws -> PreparedTokens {
        switch order.dialect {
        case .oauth2: try await prepareOAuth(order)
        case .crossPlatform(let domain): try await prepare(order, of: domain)
        }
    }

    /// A token for one domain, without a refresh token: the client renews it with its own credentials.
    ///
    /// Standard: ETSI TS 103 407 §8.4.2.
    private func prepare(_ order: Order, of domain: ServiceDomain) async throws -> PreparedTokens {
        let now = clock.now()
        let terms = Terms(format: .opaque, lifetime: domain.tokenLifetime, audience: domain.name.rawValue)
        let access = try await accessToken(order, telling: AdditionalClaims(), on: terms, at: now)
        let response = CrossPlatformTokenResponse(
            accessToken: access.token,
            tokenType: order.key?.tokenType ?? "bearer",
            expiresIn: Int(order.entitlement.lifetime(domain.tokenLifetime, at: now)),
            domain: domain.name,
            domainDisplayName: domain.displayName,
            userName: order.entitlement.person?.name
        )
        return PreparedTokens(answer: CompactJSON.bytes(of: response), access: access.record, refresh: nil, made: now)
    }

    private func prepareOAuth(_ order: Order) async throws -> PreparedTokens {
        let now = clock.now()
        let client = order.client
        let terms = Terms(
            format: client.tokenFormat,
            lifetime: client.lifetimes.accessToken,
            audience: client.audience ?? issuer.text
        )
        let isTold = order.entitlement.scope.contains(.openid) || terms.format != .opaque
        let person = isTold ? try await claims(about: order.entitlement) : nil
        let access = try await accessToken(order, telling: person?.additional ?? AdditionalClaims(), on: terms, at: now)
        var refresh: (token: RefreshToken, record: RefreshTokenRecord)?
        var idToken: UnverifiedIDToken?
        if case .person(_, let grant, let scope) = order.entitlement {
            if order.isRefreshable, client.grantTypes.contains(.refreshToken) {
                refresh = refreshToken(order, of: grant, at: now)
            }
            if scope.contains(.openid), let person {
                var claims = claims(of: order, about: person, by: grant, at: now)
                if let request = order.pushed {
                    // Standard: OpenID CIBA Core 1.0 §10.3.1.
                    claims.authenticationRequest = AuthenticationRequestIDClaim(request)
                    claims.accessTokenDigest = TokenDigest(of: access.token)
                    claims.refreshTokenDigest = refresh.map { TokenDigest(of: $0.token) }
                }
                idToken = UnverifiedIDToken(
                    revealing: try await signed(claims, as: .idToken, by: client.idTokenAlgorithm, at: now))
            }
        }
        let scope = order.entitlement.scope
        let response = TokenResponse(
            accessToken: access.token,
            tokenType: order.key?.tokenType ?? "Bearer",
            expiresIn: Int(access.record.expires.timeIntervalSince(now)),
            refreshToken: refresh?.token,
            scope: scope.isEmpty ? nil : scope,
            idToken: idToken,
            issuedTokenType: order.issuedType,
            authorizationExpiresIn: order.entitlement.timeLeft(at: now).map { Int($0) }
        )
        let notification = try order.pushed.map {
            Array(try JSONEncoder.wire.encode(BackchannelNotification.tokens(response, for: $0)))
        }
        return PreparedTokens(
            answer: notification ?? CompactJSON.bytes(of: response),
            access: access.record,
            refresh: refresh?.record,
            replacesRefreshToken: order.replaced != nil,
            made: now
        )
    }

    /// The claims about the person of an entitlement; `nil` for a client's own. Claims that are too long for a token are
    /// at `/userinfo` instead, if the token opens it.
    private func claims(about entitlement: Entitlement) async throws -> UserInfo? {
        guard let person = entitlement.person else { return nil }
        let scope = entitlement.scope
        var claims = try await store.find { try PersonClaims($0).about(person, allowing: scope) }
        let endpoint = scope.contains(.openid) ? issuer.appending(UserInfoEndpoint.path) : nil
        claims.additional = claims.additional.inToken(orAt: endpoint)
        return claims
    }

    /// The properties of an access token that depend on the dialect.
    private struct Terms {
        let format: Client.TokenFormat
        let lifetime: TimeInterval
        let audience: String
    }

    private func accessToken(
        _ order: Order,
        telling additional: AdditionalClaims,
        on terms: Terms,
        at now: Date
    ) async throws -> (token: AccessToken, record: AccessTokenRecord) {
        let (client, scope) = (order.client, order.entitlement.scope)
        let subject: Subject?
        let grant: Grant?
        switch order.entitlement {
        case .person(let person, let given, scope: _): (subject, grant) = (person.subject, given)
        case .client: (subject, grant) = (nil, nil)
        }
        let algorithm = SigningKey.Algorithm(rawValue: terms.format.rawValue)
        let longest = algorithm == nil ? TimeInterval.infinity : Lifetimes.longestJWT
        let expires = now + order.entitlement.lifetime(min(terms.lifetime, longest), at: now)
        let id = mint.identifier(TokenID.self)
        let authenticated = grant?.evidence.knownAuthenticated
        let authenticationClass = grant?.evidence.authenticationClass?.rawValue
        let evidence = grant.map { EvidenceClaim($0.evidence) }

        let token: AccessToken
        if let algorithm {
            let claims = AccessTokenClaims(
                issuer: issuer.text,
                expires: expires.numericDate,
                audience: terms.audience,
                subject: subject?.rawValue ?? client.id.rawValue,
                client: client.id,
                issued: now.numericDate,
                id: id,
                scope: scope.isEmpty ? nil : scope.description,
                authenticated: authenticated?.numericDate,
                authenticationClass: authenticationClass,
                evidence: evidence,
                confirmation: order.key.map { KeyConfirmation($0) },
                additional: additional
            )
            token = AccessToken(revealing: try await signed(claims, as: .accessToken, by: algorithm, at: now))
        } else {
            token = mint.secret()
        }
        let record = AccessTokenRecord(
            token: token.digest,
            id: id,
            client: client.id,
            subject: subject,
            grant: grant?.id,
            scope: scope,
            audience: terms.audience,
            issued: now,
            expires: expires,
            key: order.key,
            authenticated: authenticated,
            authenticationClass: authenticationClass,
            evidence: evidence
        )
        return (token, record)
    }

    private func refreshToken(
        _ order: Order,
        of grant: Grant,
        at now: Date
    ) -> (token: RefreshToken, record: RefreshTokenRecord) {
        let client = order.client
        let family = order.replaced.flatMap { RefreshTokenFamily(of: $0) } ?? RefreshTokenFamily(by: mint)
        let token = family.token(by: mint)
        let record = RefreshTokenRecord(
            family: family.digest,
            token: token.digest,
            grant: grant.id,
            client: client.id,
            issued: now,
            expires: now + order.entitlement.lifetime(client.lifetimes.refreshToken, at: now),
            key: client.kind == .public ? order.key : nil
        )
        return (token, record)
    }

    /// Standard: OpenID Connect Core 1.0 §2.
    private func claims(of order: Order, about person: UserInfo, by grant: Grant, at now: Date) -> IDTokenClaims {
        let client = order.client.id
        var claims = IDTokenClaims(
            issuer: issuer.text,
            subject: person.subject,
            audience: Audience([client.rawValue]),
            expires: (now + order.entitlement.lifetime(Lifetimes.idToken, at: now)).numericDate,
            issued: now.numericDate
        )
        claims.authenticated = grant.evidence.knownAuthenticated?.numericDate
        claims.nonce = order.nonce
        claims.session = SessionID(of: order.session?.id, or: grant.id, at: client)
        claims.name = person.name
        claims.preferredUsername = person.preferredUsername
        claims.email = person.email
        claims.isEmailVerified = person.emailVerified
        claims.locale = person.locale
        claims.zoneInfo = person.zoneInfo
        claims.updated = person.updated
        claims.additional = person.additional
        claims.authenticationClass = grant.evidence.authenticationClass?.rawValue
        claims.methods = grant.evidence.methods
        claims.evidence = EvidenceClaim(grant.evidence)
        claims.screen = grant.screen
        return claims
    }

    /// The token that tells a client of a session that has ended, valid for two minutes and signed as its ID tokens
    /// are.
    ///
    /// Standard: OpenID Connect Back-Channel Logout 1.0 §2.4.
    func logoutToken(of session: SessionID, for subject: Subject, to client: Client) async throws -> String {
        let now = clock.now()
        let claims = LogoutTokenClaims(
            issuer: issuer.text,
            subject: subject,
            audience: Audience([client.id.rawValue]),
            issued: now.numericDate,
            expires: now.addingTimeInterval(120).numericDate,
            tokenID: mint.identifier(TokenID.self).rawValue,
            session: session
        )
        return try await signed(claims, as: .logoutToken, by: client.idTokenAlgorithm, at: now)
    }

    private func signed(
        _ claims: some CompactlyWritten,
        as type: SigningKey.TokenType,
        by algorithm: SigningKey.Algorithm,
        at now: Date
    ) async throws -> String {
        guard let signer = try await keys.current(signing: algorithm).signer(algorithm, at: now) else {
            throw Keys.UnusableKeyError(purpose: algorithm.purpose)
        }
        return try CompactJWS.text(
            header: signer.key.header(type, id: signer.id),
            payload: CompactJSON.bytes(of: claims),
            signedBy: signer.key.signature(over:)
        )
    }
}
