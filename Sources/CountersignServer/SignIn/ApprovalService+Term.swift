internal import Countersign
internal import FoundationEssentialsCompat

extension SignInExchangeRecord {
    /// The times that a person may choose for the sign-in; empty for a request without a choice.
    ///
    /// A screen remembers people by their ID tokens, which it gets with the scope `openid` alone.
    var sessionTerms: [SessionTerm] {
        let screen = SessionTerm.allCases
        switch method {
        case .browserSession: return method.opensBrowserSession ? screen.filter { $0 != .remembered } : []
        case .deviceCode:
            let request = exchange.request
            let hasIDToken = request.scope.value.contains(.openid) && request.domain == nil
            return screen.filter { $0 != .remembered || hasIDToken }
        case .singleSignOn, .authorizationCode, .backchannel, .customerSite, .immediateGrant: return []
        }
    }

    /// The same for an approver whose own sign-in ends by itself, which nothing that they approve outlives: nobody is
    /// remembered, and ``Countersign/SessionTerm/own`` lasts until then.
    ///
    /// - Parameters:
    ///   - end: The end of the approver's own sign-in; `nil` for one that does not end by itself.
    ///   - now: The current time.
    func sessionTerms(until end: Date?, at now: Date) -> [SessionTerm] {
        guard let end else { return sessionTerms }
        return sessionTerms.filter { term in
            guard let lifetime = term.lifetime else { return term == .own }
            return now + lifetime <= end
        }
    }
}

extension ProposedDecision {
    /// The time of the sign-in that an approval gives: the chosen one where the request offers it. Without a choice, a
    /// browser is not taken for the person's own.
    var term: SessionTerm {
        let fallback = stored.method.opensBrowserSession ? SessionTerm.standard : .own
        return sessionTerm.flatMap { stored.sessionTerms.contains($0) ? $0 : nil } ?? fallback
    }

    /// The time as the audit notes it: the chosen one, or the end of the approver's own sign-in if that is earlier; `nil`
    /// for a screen without a choice.
    ///
    /// - Parameter now: The time of the approval.
    func auditedTerm(at now: Date) -> String? {
        if let end = party.limit?.ends, term.lifetime.map({ end < now + $0 }) ?? true {
            return "session: until \(end.formatted(.iso8601))"
        }
        guard stored.method.opensBrowserSession || term != .own else { return nil }
        return "session: \(term.rawValue)"
    }
}

extension ApprovalService.Step {
    /// Gives the grant of an approval its end, and the screen where its person is remembered.
    ///
    /// The end is the chosen one, or that of the sign-in by which the party answers, whichever is earlier. A party that
    /// ends by itself has nobody remembered, and an early end of it ends the grant.
    func limit(_ grant: inout Grant, by proposed: ProposedDecision) throws {
        let stored = proposed.stored
        let term = proposed.term
        let limit = proposed.party.limit
        grant.ends = [term.lifetime.map { now + $0 }, limit?.ends].compactMap(\.self).min()
        grant.endsWith = limit?.approver
        if let screen = try RememberedScreens(repositories).find(of: stored, for: grant.subject) {
            grant.screen = screen.id
        } else if term == .remembered, limit == nil {
            grant.screen = mint.identifier()
        }
    }
}
