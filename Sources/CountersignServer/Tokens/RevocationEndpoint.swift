internal import Countersign
internal import CountersignWire
internal import Hummingbird

/// `POST /revoke`: a client revokes a token of its own.
///
/// With a refresh token, every token of its grant is revoked. An unknown token is no error. Only what changed something
/// is audited, and of many access tokens of one sign-in, or of one client for itself, not each.
///
/// A client that gives the tokens of a sign-in back within a minute undoes it, since its person said that it was not
/// them: the sign-in ends, and the person who approved sees that the screen undid it.
///
/// A client that gives up a request sends its `device_code` or `auth_req_id` here: nobody is asked any more. That is an
/// addition of ours.
/// Standard: RFC 7009 §2.
struct RevocationEndpoint: Sendable {
    let core: ServerCore
    let clients: ClientServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("revoke", [.post: answer], from: clients.origins)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (client, form) = try await clients.authenticatedForm(of: request, in: context)
        let asked = try RevocationRequest(form: form)
        if try await core.store.read({ try isKnown(asked.token, in: $0) }) {
            let address = context.address(of: request, by: core.addresses)
            try await core.store.change { try revoke(asked.token, of: client.client, from: address, in: $0) }
        }
        return Response(status: .ok, headers: [.cacheControl: "no-store", .pragma: "no-cache"])
    }

    /// Whether the token is known. An unknown one needs no change of the store, and changes are made one at a time.
    private func isKnown(_ token: PresentedToken, in repositories: any Repositories) throws -> Bool {
        if try repositories.accessTokens.find(token.asAccessToken.digest) != nil { return true }
        if try RefreshTokens(repositories).find(token.asRefreshToken) != nil { return true }
        return try request(of: token, in: repositories) != nil
    }

    /// The request that a client names by the code that it polls with.
    private func request(
        of token: PresentedToken,
        in repositories: any Repositories
    ) throws -> SignInExchangeRecord? {
        guard let stored = try repositories.exchanges.find(DeviceCode(revealing: token.revealed).digest) else {
            return nil
        }
        return switch stored.method {
        case .backchannel, .deviceCode, .singleSignOn: stored
        case .authorizationCode, .customerSite, .immediateGrant, .browserSession: nil
        }
    }

    private func revoke(
        _ token: PresentedToken,
        of client: Client,
        from address: String?,
        in repositories: any Repositories
    ) throws {
        if let access = try repositories.accessTokens.find(token.asAccessToken.digest) {
            try require(access.client == client.id)
            if let record = try onlySignIn(of: access, at: client, in: repositories) {
                return try Revocation(repositories).giveBack(record, from: address, at: core.clock.now())
            }
            try repositories.accessTokens.remove(access.token)
            if let grant = access.grant { try repositories.repeatableAnswers.remove(grant) }
            try audit(access, in: repositories)
        } else if let refresh = try RefreshTokens(repositories).find(token.asRefreshToken)?.newest {
            try require(refresh.client == client.id)
            guard let record = try repositories.signIns.find(refresh.grant), record.revoked == nil else { return }
            try Revocation(repositories).giveBack(record, from: address, at: core.clock.now())
        } else if let stored = try request(of: token, in: repositories) {
            try require(stored.exchange.request.client.value == client.id)
            try Revocation(repositories).giveUp(stored, by: core.mint, at: core.clock.now())
        }
    }

    /// The sign-in of an access token that its client got a moment ago and that is all it got, so that nothing of the
    /// sign-in is left without it; `nil` for any other token.
    private func onlySignIn(
        of access: AccessTokenRecord,
        at client: Client,
        in repositories: any Repositories
    ) throws -> SignInRecord? {
        guard !client.grantTypes.contains(.refreshToken), let grant = access.grant,
            let record = try repositories.signIns.find(grant), record.revoked == nil,
            Revocation(repositories).isJustSignedIn(record, at: core.clock.now())
        else { return nil }
        return record
    }

    /// The number of access tokens of one sign-in, or of one client for itself, that are audited one by one in an hour;
    /// after that only the hundredth, the thousandth and so on are.
    private static let auditedSingly = 10

    private func audit(_ access: AccessTokenRecord, in repositories: any Repositories) throws {
        let now = core.clock.now()
        let key = RateCounterKey(.revocationsAudited, of: access.grant?.rawValue ?? "client \(access.client)")
        let times = try repositories.counts.add(1, to: key, lasting: 3600, at: now).times
        var power = Self.auditedSingly
        while power < times { power *= 10 }
        guard times <= Self.auditedSingly || power == times else { return }
        try Audit(repositories).record(
            AuditEntry.Facts(
                at: now,
                .tokenRevoked,
                by: .client,
                subject: access.subject,
                client: access.client,
                detail: times > Self.auditedSingly ? "\(access.id) and others: \(times) in an hour" : access.id.rawValue
            )
        )
    }

    private func require(_ isOwner: Bool) throws(OAuthError) {
        guard isOwner else {
            throw OAuthError(
                .invalidGrant,
                "the token was issued to another client",
                because: "the token is another client's"
            )
        }
    }
}
