internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation

/// The contents of a server's database before it is measured: parties, tokens, and waiting screens.
///
/// Codes and tokens are derived from numbers, so that a script knows them; a real server mints random ones.
enum Dataset {
    static let pendingCodes = 100_000
    static let waitingCodes = 18_000
    static let accessTokens = 10_000
    static let people = 1_000
    /// The count of refresh tokens at the start of one run.
    static let refreshTokens = 1_000

    static let screen = ClientID("screen")
    static let service = ClientID("service")
    /// A web site that everybody allowed.
    static let site = ClientID("site")
    static let siteAddress = "https://site.example.com/done"
    static let opaqueWorker = ClientID("worker")
    static let signedWorker = ClientID("worker-es256")
    static let secret = ClientSecret(revealing: "an-open-secret-of-the-benchmarks")
    /// The verifier of all codes, and its challenge.
    static let verifier = CodeVerifier(revealing: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    /// The key that the refresh tokens of one operation are bound to.
    static let key = DPoPKey(drawingFrom: .system)
    static let cookie = BrowserCookie(revealing: "a-cookie-of-the-benchmarks")

    // Each begins as what a server minted long ago, sixteen in a millisecond. Beside each stands how a script of Lua
    // makes it from the number `n`.
    static func deviceCode(_ number: Int) -> DeviceCode {
        DeviceCode(revealing: String(format: "AA%06d%035d", number / 16, number))
    }
    static let deviceCodeInLua = "string.format('AA%06d%035d', math.floor(n / 16), n)"
    static func accessToken(_ number: Int) -> AccessToken {
        AccessToken(revealing: String(format: "AA%06daccess-%028d", number / 16, number))
    }
    static let accessTokenInLua = "string.format('AA%06daccess-%028d', math.floor(n / 16), n)"
    static func refreshToken(_ number: Int, batch: Int, bound: Bool = false) -> RefreshToken {
        RefreshToken(
            revealing: String(
                format: "AA%06d%@-%03d-%029d%043d", number / 16, bound ? "b" : "r", batch, number, 0)
        )
    }
    static func refreshTokenInLua(batch: Int, bound: Bool = false) -> String {
        "string.format('AA%06d\(bound ? "b" : "r")-%03d-%029d%043d', math.floor(n / 16), \(batch), n, 0)"
    }
    /// The store's digest for the family of a refresh token: that of its first 43 characters.
    static func family(of token: RefreshToken) -> SecretDigest {
        AccessToken(revealing: String(token.revealed.prefix(43))).digest
    }

    static func subject(_ number: Int) -> Subject { Subject("person-\(number % people)") }

    /// Fills an empty store. `batches` is how many runs of refreshes there will be.
    static func fill(_ store: any Store, issuer: String, batches: Int) async throws {
        let now = Date.now
        try await store.change { repositories in
            for client in clients(issuer: issuer, now) { try repositories.clients.insert(client) }
            for number in 0..<people {
                try repositories.people.insert(
                    Person(
                        subject: subject(number),
                        username: Username("person-\(number)"),
                        name: "Person \(number)",
                        password: PasswordHash(restoring: "none"),
                        created: now
                    )
                )
            }
            try repositories.browserSessions.insert(
                BrowserSession(
                    cookie: cookie.digest,
                    id: ApproverID("browser"),
                    subject: subject(0),
                    authenticated: now,
                    expires: now + 86_400,
                    lastUsed: now
                )
            )
        }
        try await store.change { repositories in
            try repositories.consents.keep(
                Consent(subject: subject(0), client: site, scope: Scope([.openid, .profile]), given: now)
            )
        }
        try await inBatches(of: pendingCodes + waitingCodes, in: store) { number, repositories in
            try repositories.exchanges.insert(exchange(number, now))
        }
        try await inBatches(of: accessTokens, in: store) { number, repositories in
            try repositories.accessTokens.insert(accessToken(number, issuer: issuer, now))
        }
        for batch in 1...max(batches, 1) {
            for isBound in [false, true] {
                try await inBatches(of: refreshTokens, in: store) { number, repositories in
                    let record = signIn(number, batch: batch, bound: isBound, now)
                    try repositories.signIns.insert(record)
                    try repositories.refreshTokens.insert(
                        RefreshTokenRecord(
                            family: family(of: refreshToken(number, batch: batch, bound: isBound)),
                            token: refreshToken(number, batch: batch, bound: isBound).digest,
                            grant: record.grant.id,
                            client: screen,
                            issued: now,
                            expires: now + 86_400,
                            key: isBound ? .proof(key.thumbprint) : nil
                        )
                    )
                }
            }
        }
    }

    /// Calls `insert` for the numbers from 1 to `count`, a thousand in a change.
    static func inBatches(
        of count: Int,
        in store: any Store,
        _ insert: @escaping @Sendable (Int, any Repositories) throws -> Void
    ) async throws {
        for first in stride(from: 1, through: count, by: 1_000) {
            try await store.change { repositories in
                for number in first...min(first + 999, count) { try insert(number, repositories) }
            }
        }
    }

    private static func clients(issuer: String, _ now: Date) -> [Client] {
        func client(_ id: ClientID, _ grants: [GrantType], _ scope: String, _ format: Client.TokenFormat) -> Client {
            Client(
                id: id,
                name: id.rawValue,
                kind: grants.contains(.deviceCode) ? .public : .confidential(secret.digest),
                grantTypes: grants,
                scope: Scope(parsing: scope) ?? .none,
                tokenFormat: format,
                serves: grants.isEmpty ? [issuer] : [],
                lifetimes: Lifetimes(accessToken: format == .opaque ? 3600 : 300),
                created: now
            )
        }
        var site = client(site, [.authorizationCode], "openid profile", .opaque)
        site.redirects = RedirectRegistration(redirectURIs: [siteAddress])
        return [
            site,
            client(screen, [.deviceCode, .refreshToken], "openid profile", .opaque),
            client(service, [], "openid", .opaque),
            client(opaqueWorker, [.clientCredentials], "reports.read", .opaque),
            client(signedWorker, [.clientCredentials], "reports.read", .es256),
        ]
    }

    private static func request(_ id: String, _ now: Date) -> SignInRequest {
        SignInRequest(
            id: SignInRequest.ID(id),
            client: Fact(screen, .asserted),
            scope: .verified(Scope(parsing: "openid profile") ?? .none),
            address: .observed("127.0.0.1"),
            software: .asserted("Benchmarks/1"),
            asked: .observed(now),
            deadline: now + 7200
        )
    }

    private static func exchange(_ number: Int, _ now: Date) -> SignInExchangeRecord {
        SignInExchangeRecord(
            exchange: SignInExchange(request: request("0-request-\(number)", now)),
            requestCode: deviceCode(number).digest,
            method: .deviceCode(UserCodeDigest(restoring: SecretDigest(of: "user-code-\(number)").bytes)),
            // One second, so that a hundred thousand codes are enough for as many polls a second.
            interval: 1
        )
    }

    private static func accessToken(_ number: Int, issuer: String, _ now: Date) -> AccessTokenRecord {
        AccessTokenRecord(
            token: accessToken(number).digest,
            id: TokenID("token-\(number)"),
            client: screen,
            subject: subject(number),
            grant: Grant.ID("0-grant-of-token-\(number)"),
            scope: Scope(parsing: "openid profile") ?? .none,
            audience: issuer,
            issued: now,
            expires: now + 86_400
        )
    }

    private static func signIn(_ number: Int, batch: Int, bound: Bool, _ now: Date) -> SignInRecord {
        let name = "\(bound ? "bound-" : "")\(batch)-\(number)"
        let grant = Grant(
            id: Grant.ID("0-grant-\(name)"),
            subject: subject(number),
            client: screen,
            scope: Scope(parsing: "profile") ?? .none,
            evidence: Evidence([.codeTyped]),
            approved: now
        )
        let asked = request("0-redeemed-\(name)", now)
        return SignInRecord(grant: grant, request: asked, signedIn: now, lastUsed: now, ends: now + 86_400)
    }
}
