internal import Countersign
internal import CountersignWire
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// A screen asks whether its request was approved, and redeems the grant when it was.
///
/// Standard: RFC 8628 §3.4, §3.5. Holding the request open (`Prefer: wait`, RFC 7240) is an addition of ours.
struct DeviceCodeGrant: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let policy: Policy
    let clock: ServerClock
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
    }

    /// Answers one token request, at once or when there is a decision.
    func answer(
        _ code: DeviceCode,
        for client: AuthenticatedClient,
        waiting preference: WaitPreference?,
        on context: ServerRequestContext
    ) async throws -> Response {
        switch try await redeem(code, for: client) {
        case .granted(let answer):
            return .json(bytes: answer)
        case .pending(let pending):
            let wait = preference.flatMap { WaitPreference(seconds: min($0.seconds, longestWait)) }
            // Whoever lost a held request asks again at once, and that ends the lost one.
            if wait == nil || !waits.isHeld(pending.id) { try await limit(pending) }
            guard let wait else { return try .oauth(Self.pending) }
            return try await hold(code, pending, for: client, wait, on: context)
        }
    }

    static let pending = OAuthError(.authorizationPending, because: "nobody has decided yet")

    /// The request behind a code, if all there is to say is that nobody has decided.
    func pending(_ code: DeviceCode, of client: ClientID, in repositories: any Repositories) throws -> Pending? {
        guard case .pending(let pending) = try glance(at: look(code, of: client, in: repositories)) else { return nil }
        return pending
    }

    /// Redeems the grant if there is one.
    ///
    /// - Throws: ``OAuthError`` with the reason why there will be none.
    private func redeem(_ code: DeviceCode, for client: AuthenticatedClient) async throws -> Outcome {
        let id = client.client.id
        switch try await store.read({ try glance(at: look(code, of: id, in: $0)) }) {
        case .pending(let pending): return .pending(pending)
        case .approved(let approval): return try await redeem(approval, code, for: client)
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
    }

    private func glance(at look: Look) throws -> Glance {
        if case .granted(let grant, let person) = look.redemption { return .approved(Approval(grant, person)) }
        switch try outcome(of: look) {
        case .pending(let pending): return .pending(pending)
        case .granted: throw OAuthError(.serverError, because: "a look grants nothing")
        }
    }

    @inline(never)  // Its frame is large, and must not become part of one that waits.
    private func redeem(
        _ approval: Approval,
        _ code: DeviceCode,
        for client: AuthenticatedClient
    ) async throws -> Outcome {
        let id = client.client.id
        let (grant, person) = (approval.grant, approval.person)
        let prepared = try await tokens.prepare(.person(person, grant, scope: grant.scope), for: client.client)
        let redeemed = try await store.change { repositories -> Look in
            let again = try look(code, of: id, in: repositories)
            guard case .granted = again.redemption, let stored = again.stored else { return again }
            try repositories.exchanges.update(stored)
            try repositories.signIns.insert(
                SignInRecord(
                    grant: grant,
                    request: stored.exchange.request,
                    signedIn: prepared.made,
                    lastUsed: prepared.made,
                    ends: prepared.ends
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
    private struct Look: Sendable {
        enum Result: Sendable {
            case granted(Grant, Person)
            case wait
            case refused(OAuthError)
        }

        let redemption: Result
        let stored: StoredExchange?

        static func refused(_ code: OAuthError.Code, because reason: String) -> Look {
            Look(redemption: .refused(OAuthError(code, because: reason)), stored: nil)
        }
    }

    private func look(_ code: DeviceCode, of client: ClientID, in repositories: any Repositories) throws -> Look {
        guard var stored = try repositories.exchanges.find(code.digest) else {
            return .refused(.invalidGrant, because: "unknown device code")
        }
        guard stored.exchange.request.client.value == client else {
            return .refused(.invalidGrant, because: "the code is another client's")
        }
        switch stored.exchange.redeem(at: clock.now()) {
        case .wait: return Look(redemption: .wait, stored: stored)
        case .denied: return .refused(.accessDenied, because: "the person denied")
        case .expired: return .refused(.expiredToken, because: "the code has expired")
        case .alreadySpent: return .refused(.invalidGrant, because: "the code was redeemed before")
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
                return .refused(.accessDenied, because: "policy: \(refusal)")
            }
            guard let person = try repositories.people.find(grant.subject) else {
                return .refused(.accessDenied, because: "no such person")
            }
            return Look(redemption: .granted(grant, person), stored: stored)
        }
    }

    private func outcome(of look: Look) throws -> Outcome {
        switch (look.redemption, look.stored) {
        case (.refused(let error), _): throw error
        case (.wait, let stored?):
            return .pending(
                Pending(id: stored.id, interval: stored.interval, deadline: stored.exchange.request.deadline)
            )
        default: throw OAuthError(.serverError, because: "a look without its exchange")
        }
    }

    /// Slows down a client that polls faster than its interval allows; only while nothing is decided.
    @inline(never)
    private func limit(_ pending: Pending) async throws {
        guard polls.isTooFast(pending.id, interval: pending.interval, at: clock.now()) else { return }
        let id = pending.id
        try await store.change { repositories in
            // A longer one than any code lives is long enough.
            guard var again = try repositories.exchanges.find(id), again.interval < 3600 else { return }
            again.interval += 5
            try repositories.exchanges.update(again)
        }
        throw OAuthError(.slowDown, because: "polled faster than every \(pending.interval) s")
    }

    private func hold(
        _ code: DeviceCode,
        _ pending: Pending,
        for client: AuthenticatedClient,
        _ wait: WaitPreference,
        on context: ServerRequestContext
    ) async throws -> Response {
        let headers: HTTPFields = [.preferenceApplied: wait.headerValue]
        let presence = await ClientPresence.of(context.channel)
        let deadline = pending.deadline
        // Measured by a clock that nobody sets.
        let end = clock.uptime() + .seconds(min(Double(wait.seconds), deadline.timeIntervalSince(clock.now())))
        while true {
            guard let waiting = waits.begin(pending.id, presence: presence) else { return try .oauth(Self.pending) }
            defer { waits.end(waiting) }
            guard !presence.hasLeft else { throw OAuthError(.authorizationPending, because: "the client left") }
            // What was waited for may have come between the look and the subscription.
            if case .granted(let answer) = try await redeem(code, for: client) {
                return .json(bytes: answer, headers: headers)
            }
            switch await waiting.end(within: end - clock.uptime(), by: clock) {
            case .changed:
                // Somebody took or decided the request, here or at another node: look again.
                continue
            case .left:
                polls.forget(pending.id)
                throw OAuthError(.authorizationPending, because: "the client left")
            case .superseded:
                return try .oauth(Self.pending)
            case .timeOver:
                polls.forget(pending.id)
                guard clock.now() < deadline else {
                    throw OAuthError(.expiredToken, because: "the code expired while its client waited")
                }
                return try .oauth(Self.pending, headers: headers)
            }
        }
    }
}
