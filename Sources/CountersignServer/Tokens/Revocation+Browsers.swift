internal import Countersign
internal import FoundationEssentialsCompat

// The browsers that a person signed in by an approval on another device, and those where they signed in themselves.
extension Revocation {
    /// Signs such a browser out, or withdraws the approval if the browser has not used it.
    ///
    /// - Parameters:
    ///   - grant: The approval.
    ///   - subject: The person.
    /// - Returns: Whether there was such a browser or approval of the person.
    func signOutBrowser(approvedBy grant: Grant.ID, of subject: Subject, at now: Date) throws -> Bool {
        if let session = try Sessions(repositories).opened(by: grant, of: subject, at: now) {
            try Sessions(repositories).end(session, because: "by the person, on another device", at: now)
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

    /// Signs out a browser where the person signed in themselves.
    ///
    /// - Parameters:
    ///   - session: The session of the browser.
    ///   - subject: The person.
    /// - Returns: Whether there was such a browser of the person.
    func signOutBrowser(_ session: ApproverID, of subject: Subject, at now: Date) throws -> Bool {
        guard let session = try Sessions(repositories).find(session, of: subject, at: now) else { return false }
        try Sessions(repositories).end(session, because: "by the person, in another browser", at: now)
        return true
    }

    /// Takes the approval of a browser that is signed in back; `nil` when no browser is signed in by it.
    func undoBrowser(
        approvedBy grant: Grant.ID, of subject: Subject, at place: ApproverPlace, at now: Date
    ) throws -> UndoOutcome? {
        guard let session = try Sessions(repositories).opened(by: grant, of: subject, at: now),
            let opening = session.opening
        else { return nil }
        guard SignInExchange.canUndo(opening.grant, at: now) else { return .tooLate }
        try Sessions(repositories).end(session, because: ApprovalNote.undone(at: place), at: now)
        return .undone
    }
}
