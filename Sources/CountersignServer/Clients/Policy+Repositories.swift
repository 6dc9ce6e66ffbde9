internal import Countersign
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Repositories {
    /// The standing of a client right now.
    func standing(of client: ClientID, at now: Date) throws -> Policy.Standing {
        try clients.find(client)?.standing(at: now) ?? .absent
    }

    /// The standing of a person right now.
    func standing(of subject: Subject) throws -> Policy.Standing {
        try people.find(subject)?.standing ?? .absent
    }

    /// Whether a person has the means to reach one of the classes of authentication that a client asked for, by what
    /// belongs to their account.
    func canReachClass(
        in demands: ScopeDemands,
        _ subject: Subject,
        under policy: Policy,
        at now: Date
    ) throws -> Bool {
        try demands.classes.isEmpty
            || !reachableClasses(of: subject, under: policy, at: now).isDisjoint(with: demands.classes)
    }

    private func reachableClasses(
        of subject: Subject,
        under policy: Policy,
        at now: Date
    ) throws -> Set<AuthenticationClass> {
        var reachable: Set<AuthenticationClass> = []
        let hasPasskey = try !passkeys.all(of: subject).isEmpty
        let hasCodes = try oneTimePasswords.find(subject) != nil
        // A device of this kind signs its answers.
        let hasDevice = try devices.all(of: subject).contains {
            try $0.dialect == .signed && hasLiveSignIn($0, at: now)
        }
        if try people.find(subject)?.password != nil { reachable.insert(.password) }
        if hasPasskey { reachable.formUnion([.password, .userVerified, .passkey]) }
        if hasDevice, !policy.userVerifyingApps.isEmpty { reachable.insert(.userVerified) }
        if hasPasskey || hasCodes || hasDevice { reachable.insert(.secondFactor) }
        let providers = try identityProviders.all().filter(\.isOnLoginPage).map(\.issuer)
        if try identities.all(of: subject).contains(where: { providers.contains($0.issuer) }) {
            reachable.insert(.federated)
        }
        return reachable
    }
}

extension Client {
    /// Its standing at `now`: one whose registration has expired counts as removed, also before it is swept.
    func standing(at now: Date) -> Policy.Standing { hasExpired(at: now) ? .absent : .active }
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
        at now: Date,
        in repositories: any Repositories
    ) throws {
        try authorize(
            phase,
            client: try repositories.standing(of: client, at: now),
            subject: try subject.map { try repositories.standing(of: $0) },
            evidence: evidence,
            scope: scope,
            demands: demands,
            at: now
        )
    }
}
