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
    /// How many refresh tokens one run begins with.
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
    /// The key to which the refresh tokens of one operation are bound.
    static let key = DPoPKey(drawingFrom: .system)
    static let cookie = BrowserCookie(revealing: "a-cookie-of-the-benchmarks")

    static func deviceCode(_ number: Int) -> String { String(format: "%043d", number) }
    static func accessToken(_ number: Int) -> String { String(format: "access-%036d", number) }
    static func refreshToken(_ number: Int, batch: Int, bound: Bool = false) -> String {
        refreshTokenFamily(number, batch: batch, bound: bound) + String(format: "%043d", 0)
    }
    /// The 22 characters with which all tokens of a family begin.
    static func refreshTokenFamily(_ number: Int, batch: Int, bound: Bool = false) -> String {
        String(format: "%@%03d-%017d", bound ? "b" : "r", batch, number)
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
                    expires: now + 86_400
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
                            family: SecretDigest(of: refreshTokenFamily(number, batch: batch, bound: isBound)),
                            token: SecretDigest(of: refreshToken(number, batch: batch, bound: isBound)),
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
            exchange: SignInExchange(request: request("request-\(number)", now)),
            deviceCode: SecretDigest(of: deviceCode(number)),
            userCode: UserCodeDigest(restoring: SecretDigest(of: "user-code-\(number)").bytes),
            // One second, so that a hundred thousand codes are enough for as many polls a second.
            interval: 1
        )
    }

    private static func accessToken(_ number: Int, issuer: String, _ now: Date) -> AccessTokenRecord {
        AccessTokenRecord(
            token: SecretDigest(of: accessToken(number)),
            id: TokenID("token-\(number)"),
            client: screen,
            subject: subject(number),
            grant: Grant.ID("grant-of-token-\(number)"),
            scope: Scope(parsing: "openid profile") ?? .none,
            audience: issuer,
            issued: now,
            expires: now + 86_400
        )
    }

    private static func signIn(_ number: Int, batch: Int, bound: Bool, _ now: Date) -> SignInRecord {
        let name = "\(bound ? "bound-" : "")\(batch)-\(number)"
        let grant = Grant(
            id: Grant.ID("grant-\(name)"),
            subject: subject(number),
            client: screen,
            scope: Scope(parsing: "profile") ?? .none,
            evidence: Evidence([.codeTyped]),
            approved: now
        )
        let asked = request("redeemed-\(name)", now)
        return SignInRecord(grant: grant, request: asked, signedIn: now, lastUsed: now, ends: now + 86_400)
    }
}
