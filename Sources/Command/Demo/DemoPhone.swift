internal import Countersign
internal import CountersignNearby
internal import CountersignRequester
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import MulticastDNS

/// The phone of the demo: its sign-in, and its address for the TV.
struct DemoPhone: Sendable {
    let issuer: Issuer
    let directory: String

    /// The command that acts as the phone.
    var line: String {
        """
        \(CommandLine.arguments.first ?? "countersign") approve --only nearby --interface lo --app \(app) \\
            --issuer \(issuer.text) --client \(DemoAccounts.phone) --device-name 'Demo phone' --once --save \(directory)
        """
    }

    /// A unique name, so that it does not meet another app on this machine.
    private var app: String { "demo-\(ProcessInfo.processInfo.processIdentifier)" }

    /// Stores a sign-in of the phone, as if the person had used it before.
    func signIn(as person: Person, in store: some Store) async throws {
        let now = TimeSource.system.now()
        let mint = CodeMint(drawingFrom: .system)
        let token: AccessToken = mint.secret()
        let ends = now.addingTimeInterval(86_400)
        let request = SignInRequest(
            id: mint.identifier(),
            client: .asserted(DemoAccounts.phone),
            scope: .verified(DemoAccounts.phoneScope),
            address: .observed("127.0.0.1"),
            software: .asserted("Demo phone"),
            asked: .observed(now),
            deadline: ends
        )
        let grant = Grant(
            id: mint.identifier(),
            subject: person.subject,
            client: DemoAccounts.phone,
            scope: DemoAccounts.phoneScope,
            evidence: Evidence([.accountPassword(at: now), .codeTyped]),
            approved: now
        )
        try await store.change { [issuer] repositories in
            try repositories.signIns.insert(
                SignInRecord(grant: grant, request: request, signedIn: now, lastUsed: now, ends: ends))
            try repositories.accessTokens.insert(
                AccessTokenRecord(
                    token: token.digest,
                    id: mint.identifier(),
                    client: DemoAccounts.phone,
                    subject: person.subject,
                    grant: grant.id,
                    scope: grant.scope,
                    audience: issuer.text,
                    issued: now,
                    expires: ends
                )
            )
        }
        let signedIn = CompletedSignIn(
            accessToken: token,
            refreshToken: nil,
            expires: ends,
            scope: grant.scope,
            identity: VerifiedIdentity(
                restoring: issuer.text,
                subject: person.subject,
                name: person.name,
                username: person.username.rawValue,
                email: nil
            )
        )
        try await SealedFileTokenStore(directory: directory)
            .save(signedIn, for: .signIn(at: issuer, as: DemoAccounts.phone))
    }

    /// The TV's search for the phone, on this machine only; `nil` if it is not possible.
    var search: NearbySearch? {
        guard let app = NearbyAppID(app), let name = PeerName(cutting: "Terminal TV"),
            let discovery = try? LocalNetwork.discovery(on: .named(["lo"]))
        else { return nil }
        let settings = NearbySettings(
            app: app, name: name, pairings: MemoryPairingStore(), clock: .system, random: .system)
        return NearbySearch(settings, by: discovery)
    }
}
