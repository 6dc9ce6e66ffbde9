internal import Countersign

extension Repositories {
    /// The standing of a client right now.
    func standing(of client: ClientID) throws -> Policy.Standing {
        try clients.find(client) == nil ? .absent : .active
    }

    /// The standing of a person right now.
    func standing(of subject: Subject) throws -> Policy.Standing {
        try people.find(subject)?.standing ?? .absent
    }
}

extension Policy {
    /// Asks policy with the parties as they stand right now, inside the change or read that depends on the answer.
    func authorize(
        _ phase: Phase,
        client: ClientID,
        subject: Subject?,
        evidence: Evidence,
        scope: Scope = .none,
        demands: ScopeDemands? = nil,
        in repositories: any Repositories
    ) throws {
        try authorize(
            phase,
            client: try repositories.standing(of: client),
            subject: try subject.map { try repositories.standing(of: $0) },
            evidence: evidence,
            scope: scope,
            demands: demands
        )
    }
}
