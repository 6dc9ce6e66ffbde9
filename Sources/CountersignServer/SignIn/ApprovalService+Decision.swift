internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

extension ApprovalService.Step {
    /// Decides a request by the rules, and records the answer with its audit entry. Nothing is decided unless the
    /// outcome is ``DecisionOutcome/decided``, or the request is denied as ``DecisionOutcome/unmet`` or with the last
    /// of its wrong digits.
    ///
    /// - Throws: ``SessionEndedError`` when the person signed out of the browser since the answer was sent, or their
    ///   session expired.
    func decide(_ proposed: ProposedDecision) throws -> DecisionOutcome {
        switch try verdict(on: proposed) {
        case .refuse(let outcome, counting: let counted):
            if let counted { try repositories.exchanges.update(counted) }
            try note(outcome, of: proposed, isCounted: counted != nil)
            return outcome
        case .approve(let stored, let evidence):
            try record(
                stored, proposed, as: .approved, because: evidence.audited, proposed.auditedTerm(at: now), proposed.note
            )
            decided.append(.approve)
            try Announcements(repositories).withdraw(of: stored, by: mint, at: now)
            try budget.noteAnswered(stored, in: repositories)
            return .decided
        case .deny(let stored, because: let denial):
            let objection = proposed.objection
            let act: AuditAct = objection?.muteCause == .reported ? .reported : .denied
            let reason = objection?.reason.map { "reason: \($0)" }
            try record(stored, proposed, as: act, because: reason, denial.note ?? proposed.note)
            decided.append(.deny)
            // The next request is announced afterwards, which is none of a client that was muted.
            if let objection { try mute(stored.exchange.request, because: objection.muteCause) }
            try Announcements(repositories).withdraw(of: stored, by: mint, at: now)
            if denial != .lastMiss { try budget.noteAnswered(stored, in: repositories) }
            return denial.outcome
        }
    }

    /// Records a miss of the digits, and the first refusal by policy for each reason.
    private func note(_ outcome: DecisionOutcome, of proposed: ProposedDecision, isCounted: Bool) throws {
        let act: AuditAct
        let detail: String?
        switch outcome {
        case .wrongDigits(isLast: false) where isCounted: (act, detail) = (.numberMissed, proposed.note)
        case .refused(let refusal): (act, detail) = (.refused, refusal.audited)
        case .decided, .repeated, .alreadyDecided, .notTaken, .expired, .cancelled, .addressedToAnother, .tooEarly,
            .wrongDigits, .unmet:
            return
        }
        // Only what a person answered, about a request that is stored.
        guard proposed.requestState != .new, proposed.party.actor == .person else { return }
        let facts = AuditEntry.Facts(
            at: now, act, by: .person, subject: proposed.party.approver.subject,
            client: proposed.stored.exchange.request.client.value, request: proposed.stored.id,
            address: proposed.address, detail: detail)
        if act == .refused { try Audit(repositories).recordOnce(facts) } else { try Audit(repositories).record(facts) }
    }

    /// Stores a decided request with its audit entry, and hastens the notice to the party that asked.
    private func record(
        _ stored: SignInExchangeRecord,
        _ proposed: ProposedDecision,
        as act: AuditAct,
        because details: String?...
    ) throws {
        var stored = stored
        stored.terms.answer = proposed.party.place.map { AnswerRecord($0, answered: now) }
        // The demands are audited when the request is taken, or here if it is taken together with the answer.
        let demanded: String?
        switch proposed.requestState {
        case .taken:
            demanded = nil
            try repositories.exchanges.update(stored)
        case .open:
            demanded = stored.terms.demands?.audited
            try repositories.exchanges.update(stored)
        case .new:
            demanded = stored.terms.demands?.audited
            try repositories.exchanges.insert(stored)
        }
        try tellAskingSide(of: stored)
        let detail = (details + [demanded]).compactMap(\.self)
        let subject = proposed.party.approver.subject
        try audit(
            act,
            of: stored,
            by: proposed.party.actor,
            subject: subject,
            from: proposed.address,
            detail: detail.isEmpty ? nil : detail.joined(separator: ", ")
        )
        try VisitHistory(repositories).note(
            of: subject, from: proposed.address, isLimited: proposed.party.limit != nil, at: now)
    }

    /// Mutes the client of a request that named its person.
    private func mute(_ request: SignInRequest, because cause: Mute.Cause) throws {
        guard let subject = request.personAsked else { return }
        let client = request.client.value
        try Mutes(repositories).add(Mute(subject: subject, client: client, cause: cause, since: now))
        if cause == .reported { reports.append(client) }
    }

    /// Hastens the notice of a decision to a client or customer's server that is called.
    private func tellAskingSide(of stored: SignInExchangeRecord) throws {
        switch stored.method {
        case .backchannel(let terms) where terms.deliveryMode.isNotified:
            try repositories.clientNotices.hasten(.requestEnded(stored.id), at: now)
        case .customerSite: try PendingDeliveries(repositories).hastenWebhooks(about: stored.id, at: now)
        case .deviceCode, .singleSignOn, .authorizationCode, .backchannel, .browserSession, .immediateGrant: break
        }
    }
}
