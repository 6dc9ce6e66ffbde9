internal import FoundationEssentialsCompat

extension Client {
    /// Its standing at `now`; an expired client is absent, also before the sweep.
    func standing(at now: Date) -> Policy.Standing { hasExpired(at: now) ? .absent : .active }
}

extension Policy {
    /// The demands of an approval of `scope` for a client: those of the scope, and its own.
    func demands(of scope: Scope, by client: Client) -> ScopeDemands {
        demands(of: scope).adding(client.minimumEvidence)
    }

    /// Asks policy with the current standing of the parties, inside the change or read that depends on the answer.
    func authorize(
        _ phase: Phase,
        client: ClientID,
        subject: Subject?,
        evidence: Evidence,
        scope: Scope = .none,
        demands: ScopeDemands? = nil,
        at now: Date,
        in repositories: any Repositories
    ) throws {
        try authorize(
            phase,
            client: try ClientRegistrations(repositories).standing(of: client, at: now),
            subject: try subject.map { try People(repositories).standing(of: $0) },
            evidence: evidence,
            scope: scope,
            demands: demands,
            at: now
        )
    }
}
