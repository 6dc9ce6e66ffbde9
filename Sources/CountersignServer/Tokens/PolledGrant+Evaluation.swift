internal import Countersign
internal import CountersignWire
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension PolledGrant {
    /// The exchange behind a code, after trying to redeem it in memory.
    struct Evaluation: Sendable {
        enum Result: Sendable {
            case granted(Grant, Person)
            /// It was redeemed a moment ago by the same client, with this answer.
            case repeated([UInt8])
            /// The same, with tokens that have expired.
            case stale(StaleAnswer)
            case wait
            /// Approved over a link that the screen does not name.
            case otherLink
            /// Approved by a person who may not sign in now: ``ApprovalService/bar(_:at:in:)`` denies the request.
            case barred
            case refused(DeviceCodeError)
        }

        let result: Result
        let stored: SignInExchangeRecord?

        static func refused(_ cause: DeviceCodeError.Cause, because reason: String) -> Evaluation {
            Evaluation(result: .refused(DeviceCodeError(cause, because: reason)), stored: nil)
        }

        /// The request that is pending at `now`, as a poll needs it.
        func pending(at now: Date) -> Pending? {
            stored.map { stored in
                Pending(
                    id: stored.id,
                    interval: stored.interval,
                    deadline: stored.exchange.request.deadline,
                    awaitsLink: stored.exchange.grant != nil,
                    number: stored.numberToShow(at: now),
                    link: stored.terms.freshLink
                )
            }
        }
    }

    /// Evaluates a device code right now; changes nothing.
    func evaluate(_ poll: Poll, in repositories: any Repositories) throws -> Evaluation {
        // An authorization code is no device code, and neither is the identifier of a request over the back channel.
        guard var stored = try repositories.exchanges.find(poll.code.digest),
            stored.method.grantType == poll.code.grantType
        else {
            return .refused(.unknown, because: "unknown code")
        }
        let request = stored.exchange.request
        guard request.client.value == poll.client.client.id else {
            return .refused(.unknown, because: "the code is another client's")
        }
        guard request.domain?.value == poll.dialect.domain?.name else {
            return .refused(.unknown, because: "the code is for another domain")
        }
        if let domain = poll.dialect.domain, domain.created > request.asked.value {
            return .refused(.unknown, because: "the code is for an earlier domain of the same name")
        }
        let now = clock.now()
        let before = stored
        switch stored.exchange.redeem(over: poll.code.links, at: now) {
        case .otherLink: return Evaluation(result: .otherLink, stored: stored)
        case .wait: return Evaluation(result: .wait, stored: stored)
        // In Cross-Platform Authentication an expired code is reported as expired even if it was denied.
        case .denied where poll.dialect.domain != nil && now >= request.deadline: fallthrough
        case .expired: return .refused(.expired, because: "the code has expired")
        case .denied where stored.terms.isUnattainable:
            return .refused(.unmet, because: "the person cannot reach the acr")
        case .denied: return .refused(.denied, because: "the person denied")
        case .alreadySpent: return try evaluateRepeat(poll, at: stored, now, in: repositories)
        case .granted(let grant):
            guard let person = try redemption.person(of: grant, in: repositories) else {
                return Evaluation(result: .barred, stored: before)
            }
            return Evaluation(result: .granted(grant, person), stored: stored)
        }
    }

    /// An answer that may be repeated with a fresh access token, and the parties to it.
    final class StaleAnswer: Sendable {
        let answer: LostAnswers.ExpiredAnswer
        let signIn: SignInRecord
        let person: Person

        init(_ answer: LostAnswers.ExpiredAnswer, _ signIn: SignInRecord, _ person: Person) {
            self.answer = answer
            self.signIn = signIn
            self.person = person
        }
    }

    /// The credential that a poll presents, and what shows that it is the same client again.
    func credential(of poll: Poll) -> AnsweredCredential {
        AnsweredCredential(poll, shownBy: lost.proof(poll.key, poll.id, from: poll.address))
    }

    /// Evaluates a code that was redeemed before: the same answer, as long as it may be repeated.
    private func evaluateRepeat(
        _ poll: Poll,
        at stored: SignInExchangeRecord,
        _ now: Date,
        in repositories: any Repositories
    ) throws -> Evaluation {
        let refused = Evaluation.refused(.unknown, because: "the code was redeemed before")
        guard let grant = stored.exchange.grant else { return refused }
        let found = try lost.find(credential(of: poll), of: grant.id, in: repositories)
        guard poll.client.client.scope.covers(found), let signIn = try repositories.signIns.find(grant.id),
            signIn.isLive(at: now), let person = try redemption.person(of: grant, in: repositories)
        else { return refused }
        switch found {
        case .nothing: return refused
        case .answer(let answer): return Evaluation(result: .repeated(answer), stored: nil)
        case .stale(let stale):
            return Evaluation(result: .stale(StaleAnswer(stale, signIn, person)), stored: nil)
        }
    }

    /// Gives the same answer again, with a fresh access token.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    func renewed(_ stale: StaleAnswer, _ poll: Poll) async throws -> Outcome {
        let parties = LostAnswers.Parties(client: poll.client.client, person: stale.person, signIn: stale.signIn)
        let found = try await lost.renewed(stale.answer, to: credential(of: poll), of: parties, provenBy: poll.key) {
            switch try evaluate(poll, in: $0).result {
            case .repeated(let answer): .answer(answer)
            case .stale(let stale): .stale(stale.answer)
            case .granted, .wait, .otherLink, .barred, .refused: .nothing
            }
        }
        guard case .answer(let answer) = found else {
            throw DeviceCodeError(.unknown, because: "the code was redeemed before")
        }
        return .repeated(answer)
    }

    /// Closes a request whose approval is of no use: the screen that polls is not the one that was approved, or the
    /// person may not sign in. It stays denied.
    @inline(never)
    func close(_ poll: Poll) async throws -> DeviceCodeError {
        let now = clock.now()
        return try await store.change { repositories in
            let again = try evaluate(poll, in: repositories)
            switch (again.result, again.stored) {
            case (.otherLink, let stored?):
                try repositories.exchanges.update(stored)
                try Audit(repositories).record(
                    AuditEntry.Facts(
                        at: now,
                        .otherLink,
                        by: .client,
                        subject: stored.exchange.decider,
                        client: poll.client.client.id,
                        request: stored.id,
                        address: stored.exchange.request.address?.value,
                        detail: "named \(poll.code.links.map(\.description).sorted().joined(separator: " "))"
                    )
                )
                return DeviceCodeError(.denied, because: "approved over a link that the screen does not name")
            case (.barred, let stored?):
                let reason = try ApprovalService.bar(stored, at: now, in: repositories)
                return DeviceCodeError(.denied, because: reason)
            case (.refused(let refused), _):
                return refused
            default:
                throw ContradictoryRequestError()
            }
        }
    }
}
