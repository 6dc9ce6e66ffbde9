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
        case pending(StoredExchange)
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
        case .pending(let stored):
            let wait = preference.flatMap { WaitPreference(seconds: min($0.seconds, longestWait)) }
            // Whoever lost a held request asks again at once, and that ends the lost one.
            if wait == nil || !waits.isHeld(stored.id) { try await limit(stored) }
            guard let wait else { return try .oauth(Self.pending) }
            return try await hold(code, stored, for: client, wait, on: context)
        }
    }

    private static let pending = OAuthError(.authorizationPending, because: "nobody has decided yet")

    /// Redeems the grant if there is one.
    ///
    /// - Throws: ``OAuthError`` with the reason why there will be none.
    private func redeem(_ code: DeviceCode, for client: AuthenticatedClient) async throws -> Outcome {
        let id = client.client.id
        let found = try await store.read { try look(code, of: id, in: $0) }
        guard case .granted(let grant, let person) = found.redemption else { return try outcome(of: found) }

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
        case (.wait, let stored?): return .pending(stored)
        default: throw OAuthError(.serverError, because: "a look without its exchange")
        }
    }

    /// Slows down a client that polls faster than its interval allows; only while nothing is decided.
    private func limit(_ stored: StoredExchange) async throws {
        guard polls.isTooFast(stored.id, interval: stored.interval, at: clock.now()) else { return }
        let id = stored.id
        try await store.change { repositories in
            guard var again = try repositories.exchanges.find(id) else { return }
            again.interval += 5
            try repositories.exchanges.update(again)
        }
        throw OAuthError(.slowDown, because: "polled faster than every \(stored.interval) s")
    }

    private func hold(
        _ code: DeviceCode,
        _ stored: StoredExchange,
        for client: AuthenticatedClient,
        _ wait: WaitPreference,
        on context: ServerRequestContext
    ) async throws -> Response {
        let headers: HTTPFields = [.preferenceApplied: wait.headerValue]
        let presence = await ClientPresence.of(context.channel)
        let deadline = stored.exchange.request.deadline
        let end = min(deadline, clock.now().addingTimeInterval(Double(wait.seconds)))
        while true {
            guard let waiting = waits.begin(stored.id, presence: presence) else { return try .oauth(Self.pending) }
            defer { waits.end(waiting) }
            guard !presence.hasLeft else { throw OAuthError(.authorizationPending, because: "the client left") }
            // What was waited for may have come between the look and the subscription.
            if case .granted(let answer) = try await redeem(code, for: client) {
                return .json(bytes: answer, headers: headers)
            }
            switch await waiting.end(within: .seconds(end.timeIntervalSince(clock.now())), by: clock) {
            case .changed:
                // Somebody took or decided the request, here or at another node: look again.
                continue
            case .left:
                polls.forget(stored.id)
                throw OAuthError(.authorizationPending, because: "the client left")
            case .superseded:
                return try .oauth(Self.pending)
            case .timeOver:
                polls.forget(stored.id)
                guard clock.now() < deadline else {
                    throw OAuthError(.expiredToken, because: "the code expired while its client waited")
                }
                return try .oauth(Self.pending, headers: headers)
            }
        }
    }
}
