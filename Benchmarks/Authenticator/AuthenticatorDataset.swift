internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Crypto
internal import Foundation

/// People with a telephone number and an enrolled device each, and the site that asks them.
struct AuthenticatorDataset {
    let people: Int
    let environment: CustomerSite
    let secret: CustomerSiteSecret
    /// All devices sign with one key, which saves the making of many; the server verifies each signature all the same.
    let key: P256.Signing.PrivateKey

    private static let app = ClientID("authenticator")

    static func number(_ place: Int) -> String { String(format: "+3161%07d", place) }
    static func accessToken(_ place: Int) -> AccessToken {
        AccessToken(revealing: String(format: "AA%06dphone-%029d", place / 16, place))
    }

    /// Fills an empty store.
    static func fill(_ store: any Store, people: Int, issuer: String) async throws -> AuthenticatorDataset {
        let (environment, secret) = try await CustomerSiteRegistry(
            of: store, mint: CodeMint(drawingFrom: .system), clock: .system
        ).add(CustomerSiteDraft(name: "Bank"))
        let key = P256.Signing.PrivateKey()
        let publicKey = ApproverKey(rawRepresentation: key.publicKey.rawRepresentation)
        let now = Date.now
        let scope = Scope([.nearbyApprove])
        try await store.change { repositories in
            try repositories.clients.insert(
                Client(
                    id: app, name: "Authenticator", kind: .public, grantTypes: [.deviceCode, .refreshToken],
                    scope: scope, tokenFormat: .opaque, created: now))
        }
        try await Dataset.inBatches(of: people, in: store) { number, repositories in
            try add(
                number - 1, scope, issuer, publicKey, to: repositories, environment: environment.id, at: now)
        }
        return AuthenticatorDataset(people: people, environment: environment, secret: secret, key: key)
    }

    private static func add(
        _ place: Int,
        _ scope: Scope,
        _ issuer: String,
        _ key: ApproverKey?,
        to repositories: any Repositories,
        environment: CustomerSiteID,
        at now: Date
    ) throws {
        let subject = Subject("owner-\(place)")
        let grant = Grant(
            id: Grant.ID("phone-\(place)"), subject: subject, client: app, scope: scope,
            evidence: Evidence([.accountPassword(at: now), .codeTyped]), approved: now)
        let request = SignInRequest(
            id: SignInRequest.ID("phone-\(place)"), client: .asserted(app), scope: .verified(scope),
            asked: .observed(now), deadline: now + 86_400)
        var device = EnrolledDevice(
            id: DeviceRegistration.ID("phone-\(place)"), dialect: .signed, subject: subject, signIn: grant.id,
            created: now)
        device.details.model = "Phone"
        try repositories.people.insert(
            Person(
                subject: subject, username: Username("owner-\(place)"), name: "Owner \(place)", password: nil,
                created: now))
        try repositories.phoneNumbers.keep(
            PhoneNumberRecord(try PhoneNumber(number(place)), of: subject, verified: now))
        try repositories.signIns.insert(
            SignInRecord(
                grant: grant, request: request, signedIn: now, lastUsed: now, ends: now + 86_400, approverKey: key))
        try repositories.accessTokens.insert(
            AccessTokenRecord(
                token: accessToken(place).digest, id: TokenID("phone-\(place)"), client: app,
                subject: subject, grant: grant.id, scope: scope, audience: issuer, issued: now, expires: now + 86_400))
        try repositories.devices.insert(device)
        try repositories.devices.enroll(DeviceCustomerSite(device: device.id, environment: environment, added: now))
    }
}
