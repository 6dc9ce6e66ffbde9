internal import FoundationEssentialsCompat

/// The administrator of a change, as the audit names it.
package enum Administrator: Sendable, Equatable {
    /// A user of the command on the server's own machine.
    case `operator`
    /// An administrator at a browser.
    case person(BrowserSession)

    /// The person is not, or no longer, an administrator.
    package struct NotAdministratorError: Error {}

    /// Checks the right in the change that needs it.
    ///
    /// - Throws: ``NotAdministratorError``, also when the right was removed meanwhile; ``SessionEndedError`` when the
    ///   session has ended.
    func authorize(in repositories: any Repositories, at now: Date) throws {
        guard case .person(let session) = self else { return }
        do {
            guard try Sessions(repositories).live(session, at: now).person.isAdministrator else {
                throw NotAdministratorError()
            }
        } catch let ended as SessionEndedError where ended.person != nil {
            throw NotAdministratorError()
        }
    }

    /// The audit entry about an act of the administrator.
    func facts(_ act: AuditAct, at now: Date, client: ClientID? = nil, detail: String?) -> AuditEntry.Facts {
        switch self {
        case .operator: AuditEntry.Facts(at: now, act, by: .operator, client: client, detail: detail)
        case .person(let session):
            AuditEntry.Facts(at: now, act, by: .person, subject: session.subject, client: client, detail: detail)
        }
    }
}
