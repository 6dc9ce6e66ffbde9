internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A client that polls asks whether its request was approved, and redeems the grant when it was: a screen by its device
/// code, and a client that asked over the back channel by the identifier of its request.
///
/// A grant is redeemed once. The same client gets the same answer again until what it gave was used, because an answer
/// may be lost on the way: with the identifier of its request, or a proof of the same key; otherwise from the same
/// network, and for ten seconds a confidential client with a device code from everywhere.
/// Standard: RFC 8628 §3.4, §3.5; OpenID CIBA Core 1.0 §10.1, §11; ETSI TS 103 407 §8.4.1.2. The repeated answer is an
/// addition of ours.
struct PolledGrant: Sendable {
    let store: any Store
    let tokens: TokenIssuer
    let redemption: GrantRedemption
    let lost: LostAnswers
    let clock: TimeSource
    let polls: PollTimes
    let waits: ChangeWaiters
    /// The longest time that a poll is held open, in seconds.
    let longestWait: Int

    /// One poll: what an authenticated client presents to get its tokens.
    struct Poll: Sendable {
        let code: PolledCode
        var client: AuthenticatedClient
        let dialect: TokenDialect
        /// The address of the client, if it can be seen.
        let address: String?
        /// The secret that the client drew for its request; `nil` for none.
        var id: TokenRequestID?
        /// The key that the client proves, which the tokens are bound to.
        var key: SenderKey?
        /// The screen's statement about the number that it shows; `nil` for a client that makes none.
        var number: NumberPreference?

        /// Whether the screen shows the number that it has to show; `true` for a client that says nothing.
        func shows(_ wanted: VerificationNumber?) -> Bool { number.map { $0.shown == wanted } ?? true }
    }

    /// The outcome of one poll.
    enum Outcome: Sendable {
        case granted([UInt8])
        /// The answer to an earlier poll, again.
        case repeated([UInt8])
        case pending(Pending)
    }

    /// A pending request, as a poll needs it.
    struct Pending: Sendable {
        let id: SignInRequest.ID
        let interval: Int
        let deadline: Date
        /// Whether the request is approved but the client has not yet sent the link's identifier; waiting is pointless
        /// then.
        let awaitsLink: Bool
        /// The number that the screen has to show; `nil` for none.
        let number: VerificationNumber?
        /// The link, if the screen shows a new one each minute.
        let link: FreshLink?

        /// The values that the screen has to show at `now`.
        func screen(at now: Date) -> PendingScreen { PendingScreen(number: number, link: link?.mark(at: now)) }
    }

    // MARK: Looking, and redeeming

    /// The request behind a code if the poll has to wait, `nil` for every other result; changes nothing.
    func pending(_ poll: Poll, in repositories: any Repositories) throws -> Pending? {
        let evaluation = try evaluate(poll, in: repositories)
        guard case .wait = evaluation.result else { return nil }
        return evaluation.pending(at: clock.now())
    }

    /// Redeems the grant if there is one.
    ///
    /// - Throws: ``DeviceCodeError`` when there is no token, and will be none; ``RegistrationChangedError``.
    func redeem(_ poll: Poll) async throws -> Outcome {
        switch try await store.read({ try step(poll, in: $0) }) {
        case .pending(let pending): return .pending(pending)
        case .repeated(let answer): return .repeated(answer)
        case .stale(let stale): return try await renewed(stale, poll)
        case .approved(let approval): return try await redeem(approval, poll)
        case .closing: throw try await close(poll)
        }
    }

    /// The approved grant, and the person who approved it.
    private final class Approval: Sendable {
        let grant: Grant
        let person: Person

        init(_ grant: Grant, _ person: Person) {
            self.grant = grant
            self.person = person
        }
    }

    /// The part of an evaluation that ``redeem(_:)`` needs. It is small, since it becomes part of the frames of waiting
    /// tasks.
    private enum RedemptionStep: Sendable {
        case pending(Pending)
        case approved(Approval)
        case repeated([UInt8])
        case stale(StaleAnswer)
        case closing
    }

    private func step(_ poll: Poll, in repositories: any Repositories) throws -> RedemptionStep {
        let evaluation = try evaluate(poll, in: repositories)
        switch evaluation.result {
        case .granted(let grant, let person): return .approved(Approval(grant, person))
        case .repeated(let answer): return .repeated(answer)
        case .stale(let stale): return .stale(stale)
        case .otherLink, .barred: return .closing
        case .refused(let refused): throw refused
        case .wait:
            guard let pending = evaluation.pending(at: clock.now()) else { throw ContradictoryRequestError() }
            return .pending(pending)
        }
    }

    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    private func redeem(_ approval: Approval, _ poll: Poll) async throws -> Outcome {
        let (grant, person, client) = (approval.grant, approval.person, poll.client.client)
        let scope: Scope
        do {
            scope = try poll.client.allowed(grant.scope)
        } catch {
            throw DeviceCodeError(.unknown, because: error.reason)
        }
        let prepared = try await tokens.prepare(
            .person(person, grant, scope: scope),
            for: client,
            in: poll.dialect,
            boundTo: poll.key
        )
        let credential = credential(of: poll)
        let redeemed = try await store.change { repositories -> Evaluation in
            let again = try evaluate(poll, in: repositories)
            if case .barred = again.result, let stored = again.stored {
                let reason = try ApprovalService.bar(stored, at: clock.now(), in: repositories)
                return .refused(.denied, because: reason)
            }
            guard case .granted = again.result, let stored = again.stored else { return again }
            try ClientRegistrations(repositories).require(client, at: prepared.made)
            try redemption.record(prepared, of: grant, for: stored, poll.dialect, in: repositories)
            if credential.isRepeatable {
                let kept = try RepeatableAnswer(
                    prepared.answer,
                    to: credential,
                    .code(deadline: stored.exchange.request.deadline),
                    for: grant.id,
                    within: lost.window,
                    until: prepared.ends,
                    at: clock.now()
                )
                try repositories.repeatableAnswers.keep(kept)
            }
            return again
        }
        switch redeemed.result {
        case .granted: return .granted(prepared.answer)
        case .repeated(let answer): return .repeated(answer)
        case .refused(let refused): throw refused
        case .wait, .otherLink, .barred, .stale: throw ContradictoryRequestError()
        }
    }

    // MARK: How often

    /// Whether a pending poll is answered, held open, or came too early. Notes when it came.
    func admit(_ poll: Poll, _ pending: Pending, waiting preference: WaitPreference?) -> Admission {
        let wait = preference.flatMap { WaitPreference(seconds: min($0.seconds, longestWait)) }
        // A client that lost a held request asks again at once, and that ends the lost one.
        if wait == nil || !waits.isAwaited(.signIn(pending.id)) {
            let now = clock.now()
            // Cross-Platform Authentication tells the client when its next poll is due; an early poll does not postpone
            // it.
            if poll.dialect.domain != nil {
                if let seconds = polls.secondsToNext(pending.id, interval: pending.interval, at: now) {
                    return .tooEarly(retryIn: seconds)
                }
            } else if polls.isTooFast(pending.id, interval: pending.interval, at: now) {
                return .tooEarly(retryIn: pending.interval + 5)
            }
        }
        // A screen that shows another number has to be told at once.
        guard let wait, !pending.awaitsLink, poll.shows(pending.number) else { return .pending }
        return .hold(HeldPoll(poll, pending, wait, waits: waits, polls: polls, clock: clock))
    }

    enum Admission: Sendable {
        case pending
        case hold(HeldPoll)
        case tooEarly(retryIn: Int)
    }

    /// The refusal of a poll that came too early; only while nothing is decided.
    ///
    /// In RFC 8628 §3.5 each of them makes the interval longer by five seconds.
    @inline(never)
    func slowDown(_ poll: Poll, _ pending: Pending, retryIn seconds: Int) async throws -> DeviceCodeError {
        if poll.dialect.domain == nil {
            try await store.change { repositories in
                // The interval need not grow beyond the life of a code.
                guard var again = try repositories.exchanges.find(pending.id), again.interval < 3600 else { return }
                again.interval += 5
                try repositories.exchanges.update(again)
            }
        }
        return DeviceCodeError(.tooFast(retryIn: seconds), because: "polled faster than every \(pending.interval) s")
    }

}
