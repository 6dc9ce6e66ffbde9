#if PostgreSQL
import Countersign
import CountersignServer
import Foundation

let noon = Date(timeIntervalSinceReferenceDate: 821_620_800.123_456_7)
let anna = ApproverIdentity(subject: Subject("anna"), id: ApproverID("browser"))
let grant = Grant(
    id: Grant.ID("grant"),
    subject: anna.subject,
    client: ClientID("tv"),
    scope: .none,
    evidence: Evidence(),
    approved: noon
)

/// An exchange that waits to be redeemed.
func approved(_ name: String) -> SignInExchangeRecord {
    let request = SignInRequest(
        id: SignInRequest.ID(name),
        client: .asserted(ClientID("tv")),
        scope: .verified(.none),
        asked: .observed(noon),
        deadline: noon + 600
    )
    return SignInExchangeRecord(
        exchange: SignInExchange(restoring: request, in: .approved(grant, by: anna)),
        requestCode: SecretDigest(of: "device \(name)"),
        method: .deviceCode(UserCodeDigest(restoring: SecretDigest(of: "user \(name)").bytes)),
        interval: 5
    )
}

func token(_ name: String) -> AccessTokenRecord {
    AccessTokenRecord(
        token: SecretDigest(of: name),
        id: TokenID(name),
        client: ClientID("tv"),
        subject: anna.subject,
        grant: grant.id,
        scope: .none,
        audience: "https://id.example.com",
        issued: noon,
        expires: noon + 600
    )
}

extension Store {
    func add(_ name: String) async throws {
        let record = token(name)
        try await change { try $0.accessTokens.insert(record) }
    }

    func has(_ name: String) async throws -> Bool {
        let digest = SecretDigest(of: name)
        return try await read { try $0.accessTokens.find(digest) != nil }
    }
}

/// Runs `body` so many times at once, and returns what each returned.
func all<Value: Sendable>(
    _ count: Int,
    _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for number in 0..<count { group.addTask { try await body(number) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
#endif
