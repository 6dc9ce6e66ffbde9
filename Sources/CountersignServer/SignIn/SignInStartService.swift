internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Starts requests for sign-in, for every entry point: it asks policy, enforces the limits, draws the codes and stores
/// the request; where automatic sign-on applies, ``ApprovalService`` approves it in the same change.
///
/// The audit begins when a person takes a request, since strangers can start any number of requests.
struct SignInStartService: Sendable {
    let store: any Store
    let keys: KeyRing
    let mint: CodeMint
    let policy: Policy
    let limits: StoredRateLimiter
    let approvals: ApprovalService

    /// The minimum interval between two polls of a client that waits for the decision, in seconds.
    static let interval = DeviceAuthorizationResponse.standardInterval

    /// Starts a request.
    ///
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``.
    func start(_ asked: SignInStartRequest) async throws -> SignInStartOutcome {
        if let domain = asked.domain, try await store.read({ try $0.domains.find(domain) }) == nil {
            // Refused before anything is written.
            return .unknownDomain
        }
        let keys = try await keys.current()
        let outcome = try await store.retryingOnKeyCollision {
            let deviceCode: DeviceCode = mint.secret()
            let userCode = mint.userCode()
            let codes = Codes(device: deviceCode, user: userCode, userDigest: keys.digest(of: userCode))
            return try await approvals.deciding { repositories, step in
                if let code = asked.personCode {
                    return try self.start(asked, by: code, under: codes, in: repositories, by: step)
                }
                return try self.start(asked, under: codes, in: repositories, by: step)
            }
        }
        return outcome ?? .noFreeCode
    }

    /// The codes that were drawn for a request.
    struct Codes: Sendable {
        let device: DeviceCode
        let user: UserCode
        let userDigest: UserCodeDigest
    }

    private func start(
        _ asked: SignInStartRequest,
        under codes: Codes,
        in repositories: any Repositories,
        by step: ApprovalService.Step
    ) throws -> SignInStartOutcome {
        var signOn = SingleSignOn.code
        if let name = asked.domain {
            guard let domain = try repositories.domains.find(name) else { return .unknownDomain }
            signOn = try SingleSignOn(of: asked.client.id, to: domain, at: step.now, in: repositories)
        }
        return try admitting(
            asked, at: step.now, in: repositories
        ) { start -> SignInStartOutcome in
            var new = try request(
                start,
                as: mint.identifier(),
                by: signOn == .code ? asked.method(under: codes.userDigest) : .singleSignOn,
                under: codes.device.digest,
                to: signOn.addressee(nobody: mint.identifier(), remembered: start.personToAsk),
                at: step.now,
                in: repositories
            )
            if asked.renewsLink, signOn == .code {
                new.stored.terms.freshLink = FreshLink(keyedBy: mint.keyBytes(16), from: step.now)
            }
            let way: StartedSignIn.Way
            switch signOn {
            case .code:
                if new.stored.exchange.request.rememberedPerson != nil {
                    // The screen shows it from the start, and the person who is asked types it.
                    new.stored.terms.number = NumberToMatch(drawnBy: mint, of: new.stored.id, under: step.keys)
                }
                try insert(new, in: repositories)
                try Announcements(repositories).announce(new.stored, by: mint, at: step.now)
                way = .code(codes.user)
            case .confirmation:
                try insert(new, in: repositories)
                way = .confirmation
            case .automatic(let earlier):
                switch try decide(approval(of: new.stored, after: earlier), by: step) {
                case .decided: way = .automatic
                case .refused(let refusal): return .refused(refusal)
                }
            }
            return .started(
                StartedSignIn(
                    deviceCode: codes.device,
                    way: way,
                    link: new.stored.terms.freshLink?.mark(at: step.now),
                    ways: start.ways.subtracting(
                        new.stored.exchange.request.rememberedPerson == nil ? [.push] : []),
                    isRemembered: new.stored.terms.screen != nil,
                    lifetime: asked.client.lifetimes.code
                )
            )
        }
    }

    // MARK: Started and decided at once

    /// The decision on a request that starts in the browser of the person who decides.
    struct ImmediateDecision: Sendable {
        let answer: ProposedDecision.Answer
        let party: DecidingParty
        let evidence: Evidence
        /// The digest of the code that redeems the grant.
        let code: SecretDigest
        let method: SignInMethod
        /// A further note about the answer for the audit.
        var note: String?
        /// The time that the person chose for the sign-in; `nil` where they chose none.
        var sessionTerm: SessionTerm?
    }

    /// The outcome of deciding a request in the change that made it.
    enum ImmediateOutcome: StartOutcome, Equatable {
        /// The answer is recorded.
        case decided
        /// Policy does not allow the client to ask, or the approval.
        case refused(Policy.ViolationError)
    }

    /// Starts a request and decides it, in one change.
    ///
    /// - Parameters:
    ///   - check: Runs first in the same change.
    ///   - also: Runs in the same change after the decision was recorded.
    /// - Throws: ``RateLimitError``; ``StoreUnavailableError``; ``EarlyApprovalError`` and what `check` and `also`
    ///   throw, and then nothing was changed.
    func start(
        _ asked: SignInStartRequest,
        deciding decision: ImmediateDecision,
        checking check: @escaping @Sendable (any Repositories, Date) throws -> Void,
        also: @escaping @Sendable (any Repositories, Date) throws -> Void
    ) async throws -> ImmediateOutcome {
        try await approvals.deciding { repositories, step in
            try check(repositories, step.now)
            return try admitting(asked, at: step.now, in: repositories) { start -> ImmediateOutcome in
                let new = try request(
                    start,
                    as: asked.id ?? mint.identifier(),
                    by: decision.method,
                    under: decision.code,
                    to: .decider(decision.party.approver.subject),
                    at: step.now,
                    in: repositories
                )
                let proposal = ProposedDecision(
                    answer: decision.answer,
                    stored: new.stored,
                    requestState: .new,
                    party: decision.party,
                    evidence: decision.evidence,
                    address: asked.address,
                    note: decision.note,
                    sessionTerm: decision.sessionTerm
                )
                let outcome = try decide(proposal, by: step)
                if outcome == .decided { try also(repositories, step.now) }
                return outcome
            }
        }
    }

    /// Decides a request that was made in the same change.
    private func decide(_ proposal: ProposedDecision, by step: ApprovalService.Step) throws -> ImmediateOutcome {
        switch try step.decide(proposal) {
        case .decided: return .decided
        case .refused(let refusal): return .refused(refusal)
        case .tooEarly: throw EarlyApprovalError()
        case .repeated, .alreadyDecided, .notTaken, .expired, .cancelled, .addressedToAnother, .wrongDigits, .unmet:
            throw UndecidableRequestError()
        }
    }

    /// Internal error: a request that was created in the same change cannot be decided.
    private struct UndecidableRequestError: Error {}

    /// The approval that automatic sign-on gives in the name of the person of an earlier sign-in.
    private func approval(of stored: SignInExchangeRecord, after earlier: SignInRecord) -> ProposedDecision {
        var evidence = Evidence([.signedInBefore])
        if let earlier = earlier.grant.evidence.authentication {
            for proof in Evidence.proofs(of: earlier.how, at: earlier.at) { evidence.add(proof) }
        }
        let request = stored.exchange.request
        return ProposedDecision(
            answer: .approve,
            stored: stored,
            requestState: .new,
            party: .earlierSignIn(earlier),
            evidence: evidence,
            address: request.address?.value,
            note: request.domain.map { "for \($0.value)" }
        )
    }
}

/// The person approved a request before the delay of its page was over.
struct EarlyApprovalError: Error {}

extension SingleSignOn {
    /// The addressee of the request. The placeholder `nobody` replaces a person who must not be asked.
    fileprivate func addressee(nobody: Subject, remembered: Subject?) -> SignInStartService.Addressee {
        switch self {
        case .code: .anybody(asking: remembered)
        case .confirmation(let subject): .person(subject, orNobody: nobody, isCounted: false, at: nil)
        case .automatic(let earlier): .decider(earlier.grant.subject)
        }
    }
}
