internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// A screen asks whether its request was approved, and redeems the grant when it was.
///
/// Standard: RFC 8628 §3.4, §3.5; ETSI TS 103 407 §8.4.1.2. Holding the request open (`Prefer: wait`, RFC 7240) is an
/// addition of ours.
struct DeviceCodeGrant: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let policy: Policy
    let clock: TimeSource
    let polls: PollTimes
    let waits: DecisionWaits
    let longestWait: Int

    /// What became of one look at a device code.
    private enum Outcome: Sendable {
        case granted([UInt8])
        case pending(Pending)
    }

    /// As much of a request as must be known while it waits. The whole of it would be part of every frame of the task
    /// that waits, and thousands do.
    struct Pending: Sendable {
        let id: SignInRequest.ID
        let interval: Int
        let deadline: Date
        /// Whether it is approved, and the screen has still to name the link over which: there is nothing to wait for.
        let awaitsLink: Bool
    }

    /// What a screen shows to get its tokens.
    struct Presented: Sendable {
        let code: DeviceCode
        /// The links over which it says that it asked phones nearby.
        let links: Set<NearbyLinkID>

        init(_ code: DeviceCode, over links: NearbyLinks) {
            self.code = code
            self.links = Set(links.ids)
        }
    }

    /// Answers one token request, at once or when there is a decision.
    ///
    /// - Throws: ``DeviceCodeRefused`` when there is no token, and will be none.
    func answer(
        _ code: DeviceCode,
        over links: NearbyLinks = NearbyLinks(),
        for client: AuthenticatedClient,
        in dialect: TokenDialect,
        waiting preference: WaitPreference?,
        on context: ServerRequestContext
    ) async throws -> Response {
        let presented = Presented(code, over: links)
        switch try await redeem(presented, for: client, in: dialect) {
        case .granted(let answer):
            return .json(bytes: answer)
        case .pending(let pending):
            let wait = preference.flatMap { WaitPreference(seconds: min($0.seconds, longestWait)) }
            // Whoever lost a held request asks again at once, and that ends the lost one.
            if wait == nil || !waits.isHeld(pending.id) { try await limit(pending, in: dialect) }
            guard let wait, !pending.awaitsLink else { return try dialect.pending() }
            return try await hold(presented, pending, for: client, in: dialect, wait, on: context)
        }
    }

    static let pending = OAuthError(.authorizationPending, because: "nobody has decided yet")

    /// The request behind a code, if all there is to say is that nobody has decided.
    func pending(
        _ presented: Presented,
        of client: ClientID,
        in repositories: any Repositories
    ) throws -> Pending? {
        let look = try look(presented, of: client, speaking: .oauth2, in: repositories)
        guard case .pending(let pending) = try glance(at: look) else { return nil }
        return pending
    }

    /// Redeems the grant if there is one.
    private func redeem(
        _ presented: Presented,
        for client: AuthenticatedClient,
        in dialect: TokenDialect
    ) async throws -> Outcome {
        let id = client.client.id
        switch try await store.read({ try glance(at: look(presented, of: id, speaking: dialect, in: $0)) }) {
        case .pending(let pending): return .pending(pending)
        case .approved(let approval): return try await redeem(approval, presented, for: client, in: dialect)
        case .otherLink: throw try await close(presented, of: id, in: dialect)
        }
    }

    /// What was approved, and for whom.
    private final class Approval: Sendable {
        let grant: Grant
        let person: Person

        init(_ grant: Grant, _ person: Person) {
            self.grant = grant
            self.person = person
        }
    }

    /// As much of a look as a frame that waits should hold.
    private enum Glance: Sendable {
        case pending(Pending)
        case approved(Approval)
        case otherLink
    }

    private func glance(at look: Look) throws -> Glance {
        if case .granted(let grant, let person) = look.redemption { return .approved(Approval(grant, person)) }
        if case .otherLink = look.redemption { return .otherLink }
        switch try outcome(of: look) {
        case .pending(let pending): return .pending(pending)
        case .granted: throw Contradiction()
        }
    }

    @inline(never)  // Its frame is large, and must not become part of one that waits.
    private func redeem(
        _ approval: Approval,
        _ presented: Presented,
        for client: AuthenticatedClient,
        in dialect: TokenDialect
    ) async throws -> Outcome {
        let id = client.client.id
        let (grant, person) = (approval.grant, approval.person)
        let prepared = try await tokens.prepare(
            .person(person, grant, scope: grant.scope),
            for: client.client,
            in: dialect
        )
        let redeemed = try await store.change { repositories -> Look in
            let again = try look(presented, of: id, speaking: dialect, in: repositories)
            guard case .granted = again.redemption, let stored = again.stored else { return again }
            var ends = prepared.ends
            if let domain = dialect.domain {
                if let older = try repositories.signIns.find(id, domain.name) {
                    try repositories.end(older, at: prepared.made)
                }
                ends = max(ends, try repositories.beginAnew(id, for: domain, at: prepared.made))
            }
            try repositories.exchanges.update(stored)
            try repositories.signIns.insert(
                SignInRecord(
                    grant: grant,
                    request: stored.exchange.request,
                    signedIn: prepared.made,
                    lastUsed: prepared.made,
                    ends: ends
                )
            )
            try prepared.record(in: repositories)
            try repositories.record(
                AuditEntry.Facts(
                    at: prepared.made,
                    .signedIn,
                    by: .client,
                    subject: grant.subject,
                    client: id,
                    request: stored.id
                )
            )
            return again
        }
        guard case .granted = redeemed.redemption else { return try outcome(of: redeemed) }
        return .granted(prepared.answer)
    }

    /// The exchange behind a code, after trying to redeem it in memory.
    struct Look: Sendable {
        enum Result: Sendable {
            case granted(Grant, Person)
            case wait
            /// Approved over a link that the screen does not name.
            case otherLink
            case refused(DeviceCodeRefused)
        }

        let redemption: Result
        let stored: StoredExchange?

        static func refused(_ why: DeviceCodeRefused.Why, because reason: String) -> Look {
            Look(redemption: .refused(DeviceCodeRefused(why, because: reason)), stored: nil)
        }
    }

    func look(
        _ presented: Presented,
        of client: ClientID,
        speaking dialect: TokenDialect,
        in repositories: any Repositories
    ) throws -> Look {
        guard var stored = try repositories.exchanges.find(presented.code.digest) else {
            return .refused(.unknown, because: "unknown device code")
        }
        let request = stored.exchange.request
        guard request.client.value == client else {
            return .refused(.unknown, because: "the code is another client's")
        }
        guard request.domain?.value == dialect.domain?.name else {
            return .refused(.unknown, because: "the code is for another domain")
        }
        let now = clock.now()
        switch stored.exchange.redeem(over: presented.links, at: now) {
        case .otherLink: return Look(redemption: .otherLink, stored: stored)
        case .wait: return Look(redemption: .wait, stored: stored)
        // A code that is too old is nothing but that there, however it was decided.
        case .denied where dialect.domain != nil && now >= request.deadline: fallthrough
        case .expired: return .refused(.expired, because: "the code has expired")
        case .denied: return .refused(.denied, because: "the person denied")
        case .alreadySpent: return .refused(.unknown, because: "the code was redeemed before")
        case .granted(let grant):
            do {
                try policy.authorize(
                    .redemption,
                    client: client,
                    subject: grant.subject,
                    evidence: grant.evidence,
                    in: repositories
                )
            } catch let refusal as Policy.Refusal {
                return .refused(.denied, because: "policy: \(refusal)")
            }
            guard let person = try repositories.people.find(grant.subject) else {
                return .refused(.denied, because: "no such person")
            }
            return Look(redemption: .granted(grant, person), stored: stored)
        }
    }

    private func outcome(of look: Look) throws -> Outcome {
        switch (look.redemption, look.stored) {
        case (.refused(let error), _): throw error
        case (.wait, let stored?):
            return .pending(
                Pending(
                    id: stored.id,
                    interval: stored.interval,
                    deadline: stored.exchange.request.deadline,
                    awaitsLink: stored.exchange.grant != nil
                )
            )
        default: throw Contradiction()
        }
    }

    /// A look that says two things at once: a fault of ours.
    struct Contradiction: Error {}

    /// Slows down a client that polls faster than its interval allows; only while nothing is decided.
    ///
    /// In RFC 8628 each poll that comes too early makes the interval longer. In Cross-Platform Authentication the client
    /// is told when the next one is due.
    @inline(never)
    private func limit(_ pending: Pending, in dialect: TokenDialect) async throws {
        let id = pending.id
        let reason = "polled faster than every \(pending.interval) s"
        guard dialect.domain == nil else {
            guard let wait = polls.secondsToNext(id, interval: pending.interval, at: clock.now()) else { return }
            throw DeviceCodeRefused(.tooFast(retryIn: wait), because: reason)
        }
        guard polls.isTooFast(id, interval: pending.interval, at: clock.now()) else { return }
        try await store.change { repositories in
            // A longer one than any code lives is long enough.
            guard var again = try repositories.exchanges.find(id), again.interval < 3600 else { return }
            again.interval += 5
            try repositories.exchanges.update(again)
        }
        throw DeviceCodeRefused(.tooFast(retryIn: pending.interval + 5), because: reason)
    }

    private func hold(
        _ presented: Presented,
        _ pending: Pending,
        for client: AuthenticatedClient,
        in dialect: TokenDialect,
        _ wait: WaitPreference,
        on context: ServerRequestContext
    ) async throws -> Response {
        let headers: HTTPFields = [.preferenceApplied: wait.headerValue]
        let presence = await ClientPresence.of(context.channel)
        let deadline = pending.deadline
        // Measured by a clock that nobody sets.
        let end = clock.instant() + .seconds(min(Double(wait.seconds), deadline.timeIntervalSince(clock.now())))
        while true {
            guard let waiting = waits.begin(pending.id, presence: presence) else { return try dialect.pending() }
            defer { waits.end(waiting) }
            guard !presence.hasLeft else { return try dialect.pending() }
            // What was waited for may have come between the look and the subscription.
            switch try await redeem(presented, for: client, in: dialect) {
            case .granted(let answer):
                return .json(bytes: answer, headers: headers)
            case .pending(let now) where now.awaitsLink:
                // The screen may ask again at once, and then name its link.
                polls.forget(pending.id)
                return try dialect.pending()
            case .pending:
                break
            }
            switch await waiting.end(within: end - clock.instant(), by: clock) {
            case .changed:
                // Somebody took or decided the request, here or at another node: look again.
                continue
            case .left:
                polls.forget(pending.id)
                return try dialect.pending()
            case .superseded:
                return try dialect.pending()
            case .timeOver:
                polls.forget(pending.id)
                guard clock.now() < deadline else {
                    throw DeviceCodeRefused(.expired, because: "the code expired while its client waited")
                }
                return try dialect.pending(headers: headers)
            }
        }
    }
}
