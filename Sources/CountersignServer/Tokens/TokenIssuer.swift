internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Creates all tokens.
///
/// It works in two steps, so that nothing slow happens while the store is changing: first tokens are prepared, with all
/// signing, then the change that redeems a grant records them. Tokens that are not recorded are invalid.
struct TokenIssuer: Sendable {
    let issuer: Issuer
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
    }

    /// The properties of an access token.
    private struct Terms {
        let format: Client.TokenFormat
        let lifetime: TimeInterval
        let audience: String
        var key: SenderKey?
    }

    /// Makes the tokens for `client`; they become valid with ``PreparedTokens/record(in:)`` in a durable change.
    ///
    /// They are bound to `key`, if the client proved that it has one; the refresh token only if nothing else binds it
    /// to the client. Standard: RFC 9449 §5.
    ///
    /// - Parameters:
    ///   - nonce: The nonce of the authorization request, which the ID token repeats; nothing by default.
    ///   - session: The browser session of the person's sign-in, which the ID token names; `nil`, the default, when
    ///     there is none.
    ///   - isRefreshable: Whether there is a refresh token among them; by default there is, if the client may have one.
    ///   - replaced: The refresh token that the new one replaces; `nil`, the default, for the first one of its family.
    ///   - issuedType: The kind of the access token, for an answer that says it; `nil` by default.
    ///   - request: The request over the back channel that is answered by sending the tokens to the client; `nil`, the
    ///     default, for every other answer.
    func prepare(
        _ entitlement: Entitlement,
        for client: Client,
        in dialect: TokenDialect,
        boundTo key: SenderKey?,
        nonce: String? = nil,
        session: SessionReference? = nil,
        isRefreshable: Bool = true,
        replacing replaced: RefreshToken? = nil,
        issuedType: TokenTypeIdentifier? = nil,
        pushedFor request: AuthenticationRequestID? = nil
    ) async throws -> PreparedTokens {
        switch dialect {
        case .oauth2:
            try await prepare(
                entitlement,
                for: client,
                boundTo: key,
                nonce: nonce,
                session,
                isRefreshable: isRefreshable,
                replacing: replaced,
                issuedType,
                pushedFor: request
            )
        case .crossPlatform(let domain): try await prepare(entitlement, for: client, of: domain, boundTo: key)
        }
    }

    /// A token for one domain, without a refresh token: the client renews it with its own credentials.
    ///
    /// Standard: ETSI TS 103 407 §8.4.2.
    private func prepare(
        _ entitlement: Entitlement,
        for client: Client,
        of domain: ServiceDomain,
        boundTo key: SenderKey?
    ) async throws -> PreparedTokens {
        let now = clock.now()
        let terms = Terms(
            format: .opaque,
            lifetime: domain.tokenLifetime,
            audience: domain.name.rawValue,
            key: key
        )
        let access = try await accessToken(entitlement, for: client, on: terms, at: now)
        let response = CrossPlatformTokenResponse(
            accessToken: access.token,
            tokenType: key?.tokenType ?? "bearer",
            expiresIn: Int(domain.tokenLifetime),
            domain: domain.name,
            domainDisplayName: domain.displayName,
            userName: entitlement.person?.name
        )
        return PreparedTokens(
            answer: CompactJSON.bytes(of: response),
            access: access.record,
            refresh: nil,
            made: now
        )
    }

    private func prepare(
        _ entitlement: Entitlement,
        for client: Client,
        boundTo key: SenderKey?,
        nonce: String?,
        _ session: SessionReference?,
        isRefreshable: Bool,
        replacing replaced: RefreshToken?,
        _ issuedType: TokenTypeIdentifier?,
        pushedFor request: AuthenticationRequestID?
    ) async throws -> PreparedTokens {
        let now = clock.now()
        let terms = Terms(
            format: client.tokenFormat,
            lifetime: client.lifetimes.accessToken,
            audience: client.audience ?? issuer.text,
            key: key
        )
        let access = try await accessToken(entitlement, for: client, on: terms, at: now)
        var refresh: (token: RefreshToken, record: RefreshTokenRecord)?
        var idToken: UnverifiedIDToken?
        if case .person(let person, let grant, let scope) = entitlement {
            if isRefreshable, client.grantTypes.contains(.refreshToken) {
                let bound = client.kind == .public ? key : nil
                let family = replaced.flatMap { RefreshTokenFamily(of: $0) } ?? RefreshTokenFamily(by: mint)
                refresh = refreshToken(of: grant, in: family, for: client, boundTo: bound, at: now)
            }
            if scope.contains(.openid) {
                idToken = try await self.idToken(
                    person,
                    grant,
                    scope,
                    for: client,
                    nonce: nonce,
                    session,
                    beside: request.map { PushedTokens(request: $0, access: access.token, refresh: refresh?.token) },
                    at: now
                )
            }
        }
        let response = TokenResponse(
            accessToken: access.token,
            tokenType: key?.tokenType ?? "Bearer",
            expiresIn: Int(access.record.expires.timeIntervalSince(now)),
            refreshToken: refresh?.token,
            scope: entitlement.scope.isEmpty ? nil : entitlement.scope,
            idToken: idToken,
            issuedTokenType: issuedType
        )
        let answer = try request.map {
            Array(try JSONEncoder.wire.encode(BackchannelNotification.tokens(response, for: $0)))
        }
        return PreparedTokens(
            answer: answer ?? CompactJSON.bytes(of: response),
            access: access.record,
            refresh: refresh?.record,
            replacesRefreshToken: replaced != nil,
            made: now
        )
    }

    /// The tokens that are sent to a client together with an ID token, as its claims name them.
    ///
    /// Standard: OpenID CIBA Core 1.0 §10.3.1.
    private struct PushedTokens {
        let request: AuthenticationRequestID
        let access: AccessToken
        let refresh: RefreshToken?
    }

    private func accessToken(
        _ entitlement: Entitlement,
        for client: Client,
        on terms: Terms,
        at now: Date
    ) async throws -> (token: AccessToken, record: AccessTokenRecord) {
        let subject: Subject?
        let grant: Grant?
        switch entitlement {
        case .person(let person, let given, scope: _): (subject, grant) = (person.subject, given)
        case .client: (subject, grant) = (nil, nil)
        }
        let algorithm = SigningKey.Algorithm(rawValue: terms.format.rawValue)
        let longest = algorithm == nil ? TimeInterval.infinity : Lifetimes.longestJWT
        let expires = now.addingTimeInterval(min(terms.lifetime, longest))
        let id = mint.identifier(TokenID.self)

        let authenticationClass = grant?.evidence.authenticationClass?.rawValue

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
                scope: entitlement.scope.isEmpty ? nil : entitlement.scope.description,
                authenticated: grant?.evidence.knownAuthenticated?.numericDate,
                authenticationClass: authenticationClass,
                confirmation: terms.key.map { KeyConfirmation($0) }
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
            scope: entitlement.scope,
            audience: terms.audience,
            issued: now,
            expires: expires,
            key: terms.key,
            authenticated: grant?.evidence.knownAuthenticated,
            authenticationClass: authenticationClass
        )
        return (token, record)
    }

    private func refreshToken(
        of grant: Grant,
        in family: RefreshTokenFamily,
        for client: Client,
        boundTo key: SenderKey?,
        at now: Date
    ) -> (token: RefreshToken, record: RefreshTokenRecord) {
        let token = family.token(by: mint)
        let record = RefreshTokenRecord(
            family: family.digest,
            token: token.digest,
            grant: grant.id,
            client: client.id,
            issued: now,
            expires: now.addingTimeInterval(client.lifetimes.refreshToken),
            key: key
        )
        return (token, record)
    }

    /// Standard: OpenID Connect Core 1.0 §2.
    private func idToken(
        _ person: Person,
        _ grant: Grant,
        _ scope: Scope,
        for client: Client,
        nonce: String?,
        _ session: SessionReference?,
        beside pushed: PushedTokens?,
        at now: Date
    ) async throws -> UnverifiedIDToken {
        var claims = IDTokenClaims(
            issuer: issuer.text,
            subject: person.subject,
            audience: Audience([client.id.rawValue]),
            expires: now.addingTimeInterval(Lifetimes.idToken).numericDate,
            issued: now.numericDate
        )
        let shown = UserInfo(person, allowing: scope)
        claims.authenticated = grant.evidence.knownAuthenticated?.numericDate
        claims.nonce = nonce
        claims.session = SessionID(of: session?.id, or: grant.id, at: client.id)
        claims.name = shown.name
        claims.preferredUsername = shown.preferredUsername
        claims.email = shown.email
        claims.authenticationClass = grant.evidence.authenticationClass?.rawValue
        claims.methods = grant.evidence.methods
        if let pushed {
            claims.authenticationRequest = AuthenticationRequestIDClaim(pushed.request)
            claims.accessTokenDigest = TokenDigest(of: pushed.access)
            claims.refreshTokenDigest = pushed.refresh.map { TokenDigest(of: $0) }
        }
        return UnverifiedIDToken(
            revealing: try await signed(claims, as: .idToken, by: client.idTokenAlgorithm, at: now))
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

/// Tokens that were made but are not valid yet.
struct PreparedTokens: Sendable {
    /// The whole answer for the client, as JSON.
    let answer: [UInt8]
    let access: AccessTokenRecord
    let refresh: RefreshTokenRecord?
    /// Whether the refresh token takes the place of an earlier one of its family.
    var replacesRefreshToken = false
    let made: Date

    /// The end of the last of the tokens.
    var ends: Date { max(access.expires, refresh?.expires ?? access.expires) }

    /// Stores the tokens, which makes them valid, as part of a change.
    func record(in repositories: any Repositories) throws {
        try repositories.accessTokens.insert(access)
        guard let refresh else { return }
        if replacesRefreshToken {
            try repositories.refreshTokens.update(refresh)
        } else {
            try repositories.refreshTokens.insert(refresh)
        }
    }
}

extension UserInfo {
    /// The claims about `person` that `scope` gives a client.
    ///
    /// `openid` alone includes the name: a requester shows it in "Continue as Anna?".
    /// Standard: OpenID Connect Core 1.0 §5.4.
    init(_ person: Person, allowing scope: Scope) {
        self.init(subject: person.subject)
        if scope.contains(.openid) || scope.contains(.profile) {
            name = person.name
        }
        if scope.contains(.profile) { preferredUsername = person.username.rawValue }
        if scope.contains(.email) { email = person.email }
    }
}
