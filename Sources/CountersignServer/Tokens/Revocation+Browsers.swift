internal import FoundationEssentialsCompat

// The browsers that a person signed in by an approval on another device.
extension Revocation {
    /// Signs such a browser out, or withdraws the approval if the browser has not used it.
    ///
    /// - Parameters:
    ///   - grant: The approval.
    ///   - subject: The person.
    /// - Returns: Whether there was such a browser or approval of the person.
    func signOutBrowser(approvedBy grant: Grant.ID, of subject: Subject, at now: Date) throws -> Bool {
        if let session = try Sessions(repositories).opened(by: grant, of: subject, at: now) {
            try end(session, because: "by the person, on another device", at: now)
            return true
        }
        let isThere = try !repositories.exchanges.approved(by: subject, at: now) {
            $0.method.browser != nil && $0.exchange.grant?.id == grant
        }.isEmpty
        try Approvals(repositories).cancel(by: subject, at: now) {
            $0.method.browser != nil && $0.exchange.grant?.id == grant
        }
        return isThere
    }

    /// Takes the approval of a browser that is signed in back; `nil` when no browser is signed in by it.
    func undoBrowser(
        approvedBy grant: Grant.ID, of subject: Subject, at place: ApproverPlace, at now: Date
    ) throws -> UndoOutcome? {
        guard let session = try Sessions(repositories).opened(by: grant, of: subject, at: now),
            let opening = session.opening
        else { return nil }
        guard SignInExchange.canUndo(opening.grant, at: now) else { return .tooLate }
        try end(session, because: ApprovalNote.undone(at: place), at: now)
        return .undone
    }

    private func end(_ session: BrowserSession, because reason: String, at now: Date) throws {
        try Sessions(repositories).end(session, at: now)
        try Audit(repositories).record(.loggedOut(session, because: reason, at: now))
    }
}
