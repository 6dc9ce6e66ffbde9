internal import Countersign
internal import FoundationEssentialsCompat

extension SignInExchangeRecord {
    /// The times that a person may choose for the sign-in; empty for a request without a choice.
    ///
    /// A screen remembers people by their ID tokens, which it gets with the scope `openid` alone.
    var sessionTerms: [SessionTerm] {
        let screen = SessionTerm.allCases
        if exchange.request.service != nil { return screen.filter { $0 != .remembered } }
        switch method {
        case .browserSession: return method.opensBrowserSession ? screen.filter { $0 != .remembered } : []
        case .deviceCode:
            let request = exchange.request
            let hasIDToken = request.scope.value.contains(.openid) && request.domain == nil
            return screen.filter { $0 != .remembered || hasIDToken }
        case .singleSignOn, .authorizationCode, .backchannel, .customerSite, .immediateGrant: return []
        }
    }

    /// The same for an approver whose own sign-in ends by itself, which nothing that they approve outlives, and for a
    /// service, which has an end: nobody is remembered, and ``Countersign/SessionTerm/own`` lasts until then.
    ///
    /// - Parameters:
    ///   - end: The end of the approver's own sign-in; `nil` for one that does not end by itself.
    ///   - now: The current time.
    func sessionTerms(until end: Date?, at now: Date) -> [SessionTerm] {
        guard let end = exchange.request.bounded(end) else { return sessionTerms }
        let earlier = SessionTerm.all(until: end, at: now)
        return sessionTerms.filter(earlier.contains)
    }
}

extension ProposedDecision {
    /// The time of the sign-in that an approval gives: the chosen one where the request offers it. Without a choice, a
    /// browser is not taken for the person's own.
    var term: SessionTerm {
        let fallback = stored.method.opensBrowserSession ? SessionTerm.standard : .own
        return sessionTerm.flatMap { stored.sessionTerms.contains($0) ? $0 : nil } ?? fallback
    }

    /// The end of the sign-in that an approval gives: the chosen one, that of the sign-in by which the party answers, or
    /// that of a service, whichever is first; `nil` for none.
    ///
    /// - Parameter now: The time of the approval.
    func end(at now: Date) -> Date? {
        stored.exchange.request.bounded([term.lifetime.map { now + $0 }, party.limit?.ends].compactMap(\.self).min())
    }

    /// The time as the audit notes it: the chosen one, or the end of the approver's own sign-in if that is earlier; `nil`
    /// for a screen without a choice. Of a service it is the purpose and the end.
    ///
    /// - Parameter now: The time of the approval.
    func auditedTerm(at now: Date) -> String? {
        if let service = stored.exchange.request.service, let end = end(at: now) {
            return "service: \(service.value.purpose), until \(end.formatted(.iso8601))"
        }
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
    /// A party that ends by itself has nobody remembered, and an early end of it ends the grant. Nobody is remembered by a
    /// service.
    func limit(_ grant: inout Grant, by proposed: ProposedDecision) throws {
        let stored = proposed.stored
        let limit = proposed.party.limit
        grant.ends = proposed.end(at: now)
        grant.endsWith = limit?.approver
        if let screen = try RememberedScreens(repositories).find(of: stored, for: grant.subject) {
            grant.screen = screen.id
        } else if proposed.term == .remembered, limit == nil {
            grant.screen = mint.identifier()
        }
    }
}
