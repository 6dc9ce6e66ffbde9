internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension ApprovalService {
    /// The result of the rules for a proposed decision, before anything is written.
    enum Verdict {
        /// Nothing is decided; a miss of the digits counts in the request, if there is one.
        case refuse(DecisionOutcome, counting: SignInExchangeRecord? = nil)
        /// The request as it is once approved, and all evidence up to the approval.
        case approve(SignInExchangeRecord, Evidence)
        /// The request as it is once denied.
        case deny(SignInExchangeRecord, because: Denial)
    }

    /// The cause of a denial.
    enum Denial {
        /// The party says so.
        case answer
        /// The digits were wrong once too often.
        case lastMiss
        /// The person has no way to authenticate as the client asked for it.
        case unmet
        /// The person is not in the group that the scope needs.
        case notInGroup

        /// The note of the audit; `nil` for that of the answer.
        var note: String? {
            switch self {
            case .answer: nil
            case .lastMiss: ApprovalNote.lastMiss
            case .unmet: ApprovalNote.unmet
            case .notInGroup: ApprovalNote.notInGroup
            }
        }

        /// The outcome for the party.
        var outcome: DecisionOutcome {
            switch self {
            case .answer: .decided
            case .lastMiss: .wrongDigits(isLast: true)
            case .unmet: .unmet
            case .notInGroup: .refused(.notInGroup)
            }
        }
    }
}

extension ApprovalService.Step {
    /// Asks all rules about a proposed decision: the session of the party, the proofs that tie it to the screen, the
    /// delay of a page, the digits, the exchange, and policy. Nothing is written.
    ///
    /// - Throws: ``SessionEndedError`` when the person signed out of the browser since the answer was sent, or their
    ///   session expired.
    func verdict(on proposed: ProposedDecision) throws -> ApprovalService.Verdict {
        let refusal = try proposed.party.session.flatMap { try lapse(of: $0) }
        guard mayKnow(of: proposed.stored.exchange, proposed) else { return .refuse(.notTaken) }
        if let refusal { return .refuse(.refused(refusal)) }
        guard !proposed.stored.method.hasFailed else { return .refuse(.expired) }
        guard try isTiedToScreen(proposed), isOnItsWayBack(proposed) else { return .refuse(.notTaken) }
        guard !isTooEarly(proposed) else { return .refuse(.tooEarly) }
        var stored = proposed.stored
        var evidence = proposed.evidence
        var denial: ApprovalService.Denial? = proposed.answer == .deny ? .answer : nil
        switch digits(of: proposed, in: &stored) {
        case .notAsked: break
        case .matched(let proof): evidence.add(proof)
        case .missed:
            return .refuse(.wrongDigits(isLast: false), counting: proposed.typed == nil ? nil : stored)
        case .spent: denial = .lastMiss
        }
        if denial == nil, try isBeyondReach(proposed, proving: evidence) {
            stored.terms.isUnattainable = true
            denial = .unmet
        }
        if denial == nil, try lacksGroup(proposed) {
            // A request that waits is denied, so that its client learns of it.
            guard proposed.requestState != .new else { return .refuse(.refused(.notInGroup)) }
            denial = .notInGroup
        }
        do {
            try take(&stored.exchange, proposed)
            guard let denial else {
                let whole = try approve(&stored.exchange, proposed, proving: evidence)
                return .approve(stored, whole)
            }
            try stored.exchange.record(.deny, by: proposed.party.approver, at: now)
            return .deny(stored, because: denial)
        } catch TakingError.cancelled, DecisionError.cancelled {
            return .refuse(.cancelled)
        } catch TakingError.alreadyDecided, DecisionError.alreadyDecided {
            return .refuse(standing(stored.exchange, against: proposed, isApproval: denial == nil))
        } catch TakingError.addressedToAnother {
            return .refuse(.addressedToAnother)
        } catch TakingError.expired, DecisionError.expired {
            return .refuse(.expired)
        } catch DecisionError.notTaken {
            return .refuse(.notTaken)
        } catch let refusal as Policy.ViolationError {
            return .refuse(.refused(refusal))
        }
    }

    /// The reason why a person may not answer by their browser session; `nil` when they may.
    ///
    /// - Throws: ``SessionEndedError`` when the session itself has ended.
    private func lapse(of session: BrowserSession) throws -> Policy.ViolationError? {
        do {
            try Sessions(repositories).live(session, at: now)
            return nil
        } catch let ended as SessionEndedError {
            guard let person = ended.person else { throw ended }
            return .subject(person)
        }
    }

    /// Compares the digits of an approval, and counts a miss in `stored`. Nothing is compared for a request that the
    /// party cannot decide.
    private func digits(
        of proposed: ProposedDecision,
        in stored: inout SignInExchangeRecord
    ) -> SignInExchangeRecord.Match {
        let subject = proposed.party.approver.subject
        guard proposed.answer == .approve, stored.exchange.isOpen(to: subject, at: now) else { return .notAsked }
        let isTaker = holding(of: proposed) != nil
        guard !isTaker || !stored.terms.isTakerSpared else { return .notAsked }
        let typesNumber =
            stored.exchange.request.rememberedPerson == subject && proofs(of: proposed).contains(.signedInBefore)
            || stored.terms.isNumberForStarter || proposed.typesNumberNearby
        guard proposed.party.typesDigits || typesNumber else { return .notAsked }
        return stored.match(proposed.typed, isTaker: isTaker, typesNumber: typesNumber, at: now)
    }

    /// The proofs that the deciding party gave by taking the request; `nil` when another holds it, or nobody.
    private func holding(of proposed: ProposedDecision) -> Evidence? {
        guard let taking = proposed.stored.exchange.taking(at: now), taking.approver == proposed.party.approver else {
            return nil
        }
        return taking.evidence
    }

    /// All proofs of the deciding party: those with its answer, and those from taking the request.
    private func proofs(of proposed: ProposedDecision) -> [Evidence.Proof] {
        proposed.evidence.proofs + (holding(of: proposed)?.proofs ?? [])
    }

    /// Whether a person approves on a page whose client named them, and asked for a class of authentication that they
    /// do not reach and have no means to reach.
    private func isBeyondReach(_ proposed: ProposedDecision, proving evidence: Evidence) throws -> Bool {
        let stored = proposed.stored
        guard case .backchannel = stored.method, proposed.party.isVisitor, let demands = stored.terms.demands,
            !demands.isClassReached(by: evidence)
        else { return false }
        return try !People(repositories).canReachClass(
            in: demands, proposed.party.approver.subject, under: policy, at: now)
    }

    /// Whether a word of the scope is only for a group that the person is not in.
    private func lacksGroup(_ proposed: ProposedDecision) throws -> Bool {
        let scope = proposed.stored.exchange.request.scope.value
        return try Groups(repositories).allowed(scope, to: proposed.party.approver.subject, under: policy) != scope
    }

    /// Whether a person who came by a link gave the extra proof, or is asked for a number now. Taking the request
    /// decided that; it fails only when the person changed networks since.
    private func isTiedToScreen(_ proposed: ProposedDecision) throws -> Bool {
        guard proposed.answer == .approve, let held = holding(of: proposed) else { return true }
        let stored = proposed.stored
        switch try linkDemand(of: stored, proving: held, from: proposed.address) {
        case .nothing: return true
        case .number: return stored.terms.number?.shown != nil
        case .code: return false
        }
    }

    /// Whether an approval of a person who came from the screen's own browser goes back by it, and by nothing else.
    private func isOnItsWayBack(_ proposed: ProposedDecision) -> Bool {
        guard proposed.stored.method.browserReturn != nil else { return true }
        return !proofs(of: proposed).contains(.redirected) || proposed.answer == .deny || proposed.link != nil
    }

    /// Whether an approval comes from a page that was not shown for as long as the request demands. An answer to a
    /// request that is decided already never comes too early.
    private func isTooEarly(_ proposed: ProposedDecision) -> Bool {
        let stored = proposed.stored
        guard proposed.answer == .approve, stored.exchange.decider == nil, let page = proposed.party.page,
            let delay = ApprovalDelay(
                stored.demands(under: policy), on: page.question, shownTo: page.viewer, under: keys)
        else { return false }
        return !delay.isOver(page.mark, at: now)
    }

    /// Whether the party may learn the state of the request. A person who has not taken it learns nothing, not even
    /// whether it exists.
    private func mayKnow(of exchange: SignInExchange, _ proposed: ProposedDecision) -> Bool {
        guard case .taken = proposed.requestState else { return true }
        let subject = proposed.party.approver.subject
        return exchange.taker == subject || exchange.decider == subject
    }

    /// Takes a request that is taken together with the answer.
    private func take(_ exchange: inout SignInExchange, _ proposed: ProposedDecision) throws {
        switch proposed.requestState {
        case .taken: break
        case .open, .new: try exchange.take(by: proposed.party.approver, at: now)
        }
    }

    /// Approves `exchange`, and returns all evidence up to the approval.
    ///
    /// - Throws: ``DecisionError``, ``Policy/ViolationError``.
    private func approve(
        _ exchange: inout SignInExchange,
        _ proposed: ProposedDecision,
        proving proofs: Evidence
    ) throws -> Evidence {
        let approver = proposed.party.approver
        var evidence = exchange.taking(at: now)?.evidence ?? Evidence()
        for proof in proofs.proofs { evidence.add(proof) }
        let request = exchange.request
        if let network = try observedNetwork(proposed, proving: evidence) { evidence.add(.network(network)) }
        let demands = proposed.stored.terms.demands
        if let demands { evidence = demands.naming(evidence) }
        var grant = Grant(
            id: mint.identifier(),
            subject: approver.subject,
            client: request.client.value,
            scope: request.scope.value,
            evidence: evidence,
            approved: now
        )
        try limit(&grant, by: proposed)
        // The exchange says first whether there is anything to decide, then policy whether it may be approved.
        try exchange.record(.approve(grant), by: approver, over: proposed.link, at: now)
        try authorize(grant, for: request, demanding: demands)
        return evidence
    }

    /// Whether the party answers from the network of the screen; `nil` where the server cannot tell, or another server
    /// asks.
    private func observedNetwork(_ proposed: ProposedDecision, proving evidence: Evidence) throws -> SameNetwork? {
        switch proposed.stored.method {
        case .deviceCode, .singleSignOn, .browserSession: break
        case .authorizationCode, .backchannel, .customerSite, .immediateGrant: return nil
        }
        guard proposed.requestState != .new, evidence.observedNetwork == .unknown else { return nil }
        let screen = proposed.stored.exchange.request.address?.value
        let network = try addresses.samePlace(screen, proposed.address, in: repositories, at: now)
        return network == .unknown ? nil : network
    }

    /// Asks policy whether a grant may be given. A denial gives nothing, so policy is not asked about it.
    ///
    /// - Throws: ``Policy/ViolationError``, also when the domain that the request is for no longer exists.
    private func authorize(_ grant: Grant, for request: SignInRequest, demanding demands: ScopeDemands?) throws {
        if request.domain != nil, try Domains(repositories).asked(by: request) == nil {
            throw Policy.ViolationError.client(.absent)
        }
        try policy.authorize(
            .decision,
            client: grant.client,
            subject: grant.subject,
            evidence: grant.evidence,
            scope: grant.scope,
            demands: demands,
            at: now,
            in: repositories
        )
    }

    /// The outcome of an answer that arrives after the decision.
    private func standing(
        _ exchange: SignInExchange,
        against proposed: ProposedDecision,
        isApproval: Bool
    ) -> DecisionOutcome {
        let wasApproved = exchange.grant != nil
        guard exchange.decider == proposed.party.approver.subject, wasApproved == isApproval else {
            return .alreadyDecided(wasApproved: wasApproved)
        }
        return .repeated
    }
}
