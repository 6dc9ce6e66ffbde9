internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

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

    /// The request behind a code if it is pending, `nil` for every other result; changes nothing.
    func pending(_ poll: Poll, in repositories: any Repositories) throws -> PendingRequest? {
        guard case .pending(let pending) = try evaluate(poll, in: repositories) else { return nil }
        return pending
    }

    /// Redeems the grant if there is one.
    ///
    /// - Throws: ``RegistrationChangedError``; ``StoreUnavailableError``.
    func redeem(_ poll: Poll) async throws -> TokenResult {
        switch try await store.read({ try evaluate(poll, in: $0) }) {
        case .pending(let pending): .pending(pending)
        case .repeated(let answer): .repeated(answer)
        case .refused(let error): .refused(error)
        case .spent(let stored): try await refuse(stored, PollError(.unknown, because: Self.spent), from: poll)
        case .approved(let approval): try await redeem(approval, poll)
        case .stale(let answer, let parties): try await renew(answer, of: parties, poll)
        case .otherLink, .barred: try await close(poll)
        }
    }

    // MARK: Evaluation

    /// The state of the request behind a code at one instant.
    private enum Evaluation: Sendable {
        case pending(PendingRequest)
        indirect case approved(GrantRedemption.Approval)
        /// The same client redeemed it a moment ago, with this answer.
        case repeated([UInt8])
        /// The same, with tokens that have expired.
        indirect case stale(LostAnswers.ExpiredAnswer, LostAnswers.Parties)
        /// Approved over a link that the screen does not name.
        indirect case otherLink(SignInExchangeRecord)
        /// Approved by a person who may not sign in now.
        indirect case barred(SignInExchangeRecord)
        /// Redeemed before, and the answer may not be repeated.
        indirect case spent(SignInExchangeRecord)
        case refused(PollError)

        static func refused(_ code: PollError.Code, because reason: String) -> Evaluation {
            .refused(PollError(code, because: reason))
        }
    }

    /// Evaluates a code right now; changes nothing.
    private func evaluate(_ poll: Poll, in repositories: any Repositories) throws -> Evaluation {
        // An authorization code is no device code, and neither is the identifier of a request over the back channel.
        guard var stored = try repositories.exchanges.find(poll.code.digest),
            stored.method.grantType == poll.code.grantType
        else { return .refused(.unknown, because: "unknown code") }
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
        case .wait: return .pending(PendingRequest(stored, at: now))
        case .otherLink: return .otherLink(stored)
        // In Cross-Platform Authentication an expired code is reported as expired even if it was denied.
        case .denied where poll.dialect.domain != nil && now >= request.deadline: fallthrough
        case .expired: return .refused(.expired, because: "the code has expired")
        case .denied where stored.terms.isUnattainable:
            return .refused(.unmet, because: "the person cannot reach the acr")
        case .denied: return .refused(.denied, because: "the person denied")
        case .alreadySpent:
            return try repetition(of: stored, to: poll, in: repositories) ?? .spent(stored)
        case .granted(let grant):
            let approval = try redemption.approval(grant, of: stored, in: repositories)
            return approval.map { .approved($0) } ?? .barred(before)
        }
    }

    /// The answer to a code that was redeemed before; `nil` when it may not be repeated.
    private func repetition(
        of stored: SignInExchangeRecord,
        to poll: Poll,
        in repositories: any Repositories
    ) throws -> Evaluation? {
        guard let grant = stored.exchange.grant else { return nil }
        let found = try lost.find(credential(of: poll), of: grant.id, in: repositories)
        guard
            let parties = try redemption.parties(to: found, of: grant.id, for: poll.client.client, in: repositories)
        else { return nil }
        switch found {
        case .nothing: return nil
        case .answer(let answer): return .repeated(answer)
        case .stale(let answer):
            return .stale(answer, parties)
        }
    }

    /// The credential that a poll presents, and what shows that it is the same client again.
    private func credential(of poll: Poll) -> AnsweredCredential {
        AnsweredCredential(poll, shownBy: lost.proof(poll.key, poll.id, from: poll.address))
    }

    // MARK: Steps that change the store

    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    private func redeem(_ approval: GrantRedemption.Approval, _ poll: Poll) async throws -> TokenResult {
        let client = poll.client.client
        let scope: Scope
        do {
            scope = try poll.client.allowed(approval.scope)
        } catch {
            return try await refuse(approval.stored, PollError(.unknown, because: error.reason), from: poll)
        }
        let prepared = try await tokens.prepare(
            TokenIssuer.Order(
                entitlement: .person(approval.person, approval.grant, scope: scope),
                client: client,
                key: poll.key,
                dialect: poll.dialect
            )
        )
        let credential = credential(of: poll)
        return try await store.change { repositories -> TokenResult in
            switch try evaluate(poll, in: repositories) {
            case .approved(let approval):
                try redemption.record(prepared, of: approval, to: client, poll.dialect, in: repositories)
                try lost.keep(prepared, of: approval, to: credential, in: repositories)
                return .issued(prepared.answer)
            case .repeated(let answer): return .repeated(answer)
            case .barred(let stored): return .refused(try bar(stored, in: repositories))
            case .refused(let error): return .refused(error)
            case .spent: return .refused(PollError(.unknown, because: Self.spent))
            case .pending, .otherLink, .stale: throw ContradictoryRequestError()
            }
        }
    }

    private static let spent = "the code was redeemed before"

    /// Refuses a client that asks for the tokens of an approval, and records the reason once.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    private func refuse(
        _ stored: SignInExchangeRecord,
        _ error: PollError,
        from poll: Poll
    ) async throws -> TokenResult {
        let facts = AuditEntry.Facts(
            at: clock.now(), .redemptionRefused, by: .client, subject: stored.exchange.decider,
            client: poll.client.client.id, request: stored.id, address: poll.address, detail: error.reason)
        // A client that repeats itself makes no changes.
        if try await store.read({ try !Audit($0).isRecorded(facts) }) {
            try await store.change { try Audit($0).recordOnce(facts) }
        }
        return .refused(error)
    }

    /// Gives the same answer again, with a fresh access token.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    private func renew(_ stale: LostAnswers.ExpiredAnswer, of parties: LostAnswers.Parties, _ poll: Poll) async throws
        -> TokenResult
    {
        let found = try await lost.renewed(stale, to: credential(of: poll), of: parties, provenBy: poll.key) {
            switch try evaluate(poll, in: $0) {
            case .repeated(let answer): .answer(answer)
            case .stale(let stale, _): .stale(stale)
            case .approved, .pending, .otherLink, .barred, .spent, .refused: .nothing
            }
        }
        return found.answer.map { .repeated($0) } ?? .refused(PollError(.unknown, because: Self.spent))
    }

    /// Closes a request whose approval is of no use: the screen that polls is not the one that was approved, or the
    /// person may not sign in. It stays denied.
    @inline(never)  // Its frame is large, and must not become part of a waiting task's frame.
    private func close(_ poll: Poll) async throws -> TokenResult {
        try await store.change { repositories -> TokenResult in
            switch try evaluate(poll, in: repositories) {
            case .otherLink(let stored):
                try repositories.exchanges.update(stored)
                try Audit(repositories).record(
                    AuditEntry.Facts(
                        at: clock.now(),
                        .otherLink,
                        by: .client,
                        subject: stored.exchange.decider,
                        client: poll.client.client.id,
                        request: stored.id,
                        address: stored.exchange.request.address?.value,
                        detail: "named \(poll.code.links.map(\.description).sorted().joined(separator: " "))"
                    )
                )
                return .refused(PollError(.denied, because: "approved over a link that the screen does not name"))
            case .barred(let stored): return .refused(try bar(stored, in: repositories))
            case .refused(let error): return .refused(error)
            case .spent: return .refused(PollError(.unknown, because: Self.spent))
            case .pending, .approved, .repeated, .stale: throw ContradictoryRequestError()
            }
        }
    }

    private func bar(_ approved: SignInExchangeRecord, in repositories: any Repositories) throws -> PollError {
        PollError(.denied, because: try ApprovalService.bar(approved, at: clock.now(), in: repositories))
    }
}
