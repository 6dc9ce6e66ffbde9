internal import Countersign
internal import FoundationEssentialsCompat

/// Refresh tokens that replace one another and are good right now, with their sign-in and its person; made by
/// ``RefreshTokens/verified(_:of:under:at:)`` alone.
struct VerifiedRefreshTokenFamily: Sendable {
    let newest: RefreshTokenRecord
    /// Whether the newest token is the one that was presented; otherwise that one was replaced, and must not be used.
    let isNewest: Bool
    let signIn: SignInRecord
    let person: Person
    /// The part of the granted scope that its person may have now.
    let scope: Scope

    fileprivate init(_ found: RefreshTokenMatch, _ signIn: SignInRecord, _ person: Person, allowing scope: Scope) {
        newest = found.newest
        isNewest = found.isNewest
        self.signIn = signIn
        self.person = person
        self.scope = scope
    }
}

/// The outcome of verifying a presented refresh token.
enum RefreshTokenVerification: Sendable {
    case verified(VerifiedRefreshTokenFamily)
    /// Its person is locked for now.
    case locked
    /// Its sign-in ended by itself, when its person had chosen.
    case ended
    /// It is worth nothing; the reason is for the log.
    case refused(String)
}

/// The refresh tokens, used and unused.
struct RefreshTokens {
    private let repositories: any Repositories

    init(_ repositories: any Repositories) {
        self.repositories = repositories
    }

    /// Finds the family of a token, used or not; `nil` when there is none.
    func find(_ token: RefreshToken) throws -> RefreshTokenMatch? {
        guard let family = RefreshTokenFamily(of: token),
            let newest = try repositories.refreshTokens.find(family.digest)
        else {
            return nil
        }
        return RefreshTokenMatch(newest: newest, isNewest: newest.token == token.digest)
    }

    /// The family of a refresh token that belongs to a client, if it is good right now: it has not expired, its sign-in
    /// was not ended, and policy allows its client and its person to go on.
    ///
    /// Refresh and introspection both ask this function. Only a refresh proves a key; it compares that itself.
    func verified(
        _ token: RefreshToken,
        of client: Client,
        under policy: Policy,
        at now: Date
    ) throws -> RefreshTokenVerification {
        guard let found = try find(token) else { return .refused("unknown token") }
        guard found.newest.client == client.id else { return .refused("the token is another client's") }
        guard let signIn = try repositories.signIns.find(found.newest.grant), signIn.revoked == nil else {
            return .refused("the sign-in was ended")
        }
        guard !signIn.grant.hasEnded(at: now) else { return .ended }
        guard now < found.newest.expires else { return .refused("the token has expired") }
        let person = try repositories.people.find(signIn.grant.subject)
        do {
            try policy.authorize(
                .redemption,
                client: try ClientRegistrations(repositories).standing(of: client.id, at: now),
                subject: person?.standing ?? .absent,
                evidence: signIn.grant.evidence
            )
        } catch Policy.ViolationError.subject(.locked) {
            return .locked
        } catch let refusal as Policy.ViolationError {
            return .refused("policy: \(refusal)")
        }
        guard let person else { return .refused("no such person") }
        let scope = try Groups(repositories).remaining(of: signIn.grant.scope, for: person.subject, under: policy)
        guard let scope else { return .refused("policy: \(Policy.ViolationError.notInGroup)") }
        return .verified(VerifiedRefreshTokenFamily(found, signIn, person, allowing: scope))
    }
}
