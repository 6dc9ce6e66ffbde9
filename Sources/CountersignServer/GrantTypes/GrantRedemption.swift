internal import Countersign
internal import CountersignWire
internal import Foundation

/// What redeeming a grant means, whichever code the client presents for it.
struct GrantRedemption: Sendable {
    let policy: Policy
    /// How long a browser stays signed in, in seconds.
    let sessionLifetime: TimeInterval
    /// Lets the operator's webhook know of each sign-in.
    let newDevices: NewDeviceNotices

    init(_ server: ServerServices) {
        policy = server.policy
        sessionLifetime = server.settings.browserSessionLifetime
        newDevices = server.newDevices
    }

    /// Internal error: what was read a moment ago cannot be.
    struct Contradiction: Error {}

    /// The person who gave a grant, if policy lets it be redeemed now.
    func person(of grant: Grant, in repositories: any Repositories) throws -> Person? {
        do {
            try policy.authorize(
                .redemption,
                client: grant.client,
                subject: grant.subject,
                evidence: grant.evidence,
                in: repositories
            )
        } catch is Policy.Refusal {
            return nil
        }
        return try repositories.people.find(grant.subject)
    }

    /// Stores the tokens and the sign-in of the client, in the change that spends the grant.
    func record(
        _ prepared: PreparedTokens,
        of grant: Grant,
        for stored: SignInExchangeRecord,
        by way: NewDevice.Way,
        _ dialect: TokenDialect,
        in repositories: any Repositories
    ) throws {
        let now = prepared.made
        var ends = prepared.ends
        if let domain = dialect.domain {
            if let older = try repositories.signIns.find(grant.client, domain.name) {
                try repositories.end(older, at: now)
            }
            ends = max(ends, try repositories.beginAnew(grant.client, for: domain, at: now))
        }
        let session = stored.binding?.session
        if try repositories.clients.find(grant.client)?.redirects.backChannelLogout != nil {
            // The client is signed in for as long as the browser, whatever becomes of its tokens. Without a browser it is
            // for as long as a browser would be.
            ends = max(ends, session?.expires ?? now + sessionLifetime)
        }
        try repositories.exchanges.update(stored)
        try repositories.signIns.insert(
            SignInRecord(
                grant: grant,
                request: stored.exchange.request,
                signedIn: now,
                lastUsed: now,
                ends: ends,
                session: session
            )
        )
        try prepared.record(in: repositories)
        try newDevices.tell(of: grant, by: way, at: now, in: repositories)
        try repositories.record(
            AuditEntry.Facts(
                at: now,
                .signedIn,
                by: .client,
                subject: grant.subject,
                client: grant.client,
                request: stored.id
            )
        )
    }
}
