internal import Countersign
internal import CountersignWire
internal import Foundation

/// What it takes to open one more domain for a device that a person signed in already.
///
/// A device is tied to the person of its newest sign-in that has not ended; there is no other record of it. So a refusal
/// ties nothing, and signing out unties.
/// Standard: ETSI TS 103 407 §8.3, which leaves the choice to the provider.
struct SingleSignOn: Sendable {
    let mint: CodeMint
    let policy: Policy

    /// How a device comes to a new domain.
    enum Way: Sendable, Equatable {
        /// Somebody brings the code that it shows.
        case code
        /// The person to whom it is tied confirms.
        case confirmation(Subject)
        /// Nobody is asked, because of this earlier sign-in.
        case automatic(SignInRecord)
    }

    /// The way of `client` to `domain`, right now.
    func way(
        of client: ClientID,
        to domain: ServiceDomain,
        at now: Date,
        in repositories: any Repositories
    ) throws -> Way {
        guard domain.signOn != .never else { return .code }
        let records = try repositories.signIns.all(of: client, limit: 1000).filter { now < $0.ends }
        guard let subject = records.first?.grant.subject, let person = try repositories.people.find(subject) else {
            return .code
        }
        guard domain.signOn == .automatic, person.standing == .active else { return .confirmation(subject) }
        let earlier = try records.first { record in
            guard record.grant.subject == subject, record.grant.evidence.authenticated != nil,
                let name = record.request.domain?.value
            else { return false }
            return try name == domain.name || isAffiliated(name, with: domain, in: repositories)
        }
        return earlier.map { .automatic($0) } ?? .confirmation(subject)
    }

    private func isAffiliated(
        _ name: Domain,
        with domain: ServiceDomain,
        in repositories: any Repositories
    ) throws -> Bool {
        guard let group = domain.group else { return false }
        return try repositories.domains.find(name)?.group == group
    }

    /// Approves in the name of the person of an earlier sign-in, by the same steps as if they did.
    func approve(
        _ exchange: inout SignInExchange,
        after earlier: SignInRecord,
        at now: Date,
        in repositories: any Repositories
    ) throws {
        let request = exchange.request
        let approver = Approver(subject: earlier.grant.subject, id: ApproverID("single-sign-on"))
        var evidence = Evidence([.signedInBefore])
        if let authenticated = earlier.grant.evidence.authenticated {
            evidence.add(.accountPassword(at: authenticated))
        }
        try exchange.take(by: approver, proving: evidence, at: now)
        try policy.authorize(
            .decision,
            client: request.client.value,
            subject: approver.subject,
            evidence: evidence,
            scope: request.scope.value,
            in: repositories
        )
        let grant = Grant(
            id: mint.identifier(),
            subject: approver.subject,
            client: request.client.value,
            scope: request.scope.value,
            evidence: evidence,
            approved: now
        )
        try exchange.record(.approve(grant), by: approver, at: now)
        try repositories.record(
            AuditEntry.Facts(
                at: now,
                .approved,
                by: .server,
                subject: approver.subject,
                client: request.client.value,
                request: request.id,
                address: request.address?.value,
                detail: "\(evidence.audited), for \(request.domain?.value.rawValue ?? "no domain")"
            )
        )
    }
}
