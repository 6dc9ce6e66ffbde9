internal import Countersign
internal import FoundationEssentialsCompat

/// The administrator of a change, as the audit names it.
package enum Administrator: Sendable, Equatable {
    /// A user of the command on the server's own machine.
    case `operator`
    /// An administrator at a browser.
    case person(BrowserSession)

    /// The person has no right to the act, or no longer.
    package struct NotAdministratorError: Error {}

    /// The party that the audit names in an act on another person.
    var actor: AuditActor {
        switch self {
        case .operator: .operator
        case .person: .administrator
        }
    }

    /// The administrator's own account; `nil` for a user of the command.
    var subject: Subject? {
        switch self {
        case .operator: nil
        case .person(let session): session.subject
        }
    }

    /// The current role of the administrator; a user of the command may do everything.
    ///
    /// - Throws: ``NotAdministratorError`` for a person who is locked or absent; ``SessionEndedError`` when the session
    ///   has ended.
    func role(in repositories: any Repositories, at now: Date) throws -> PersonRole {
        guard case .person(let session) = self else { return .operator }
        do {
            return try Sessions(repositories).live(session, at: now).person.role
        } catch let ended as SessionEndedError where ended.person != nil {
            throw NotAdministratorError()
        }
    }

    /// Checks the right in the change that needs it.
    ///
    /// - Throws: ``NotAdministratorError``, also when the right was removed meanwhile; ``SessionEndedError`` when the
    ///   session has ended.
    func authorize(_ act: AdminAct, in repositories: any Repositories, at now: Date) throws {
        guard try role(in: repositories, at: now).permits(act) else { throw NotAdministratorError() }
    }

    /// The audit entry about an act of the administrator.
    func facts(_ act: AuditAct, at now: Date, client: ClientID? = nil, detail: String?) -> AuditEntry.Facts {
        switch self {
        case .operator: AuditEntry.Facts(at: now, act, by: .operator, client: client, detail: detail)
        case .person(let session):
            AuditEntry.Facts(at: now, act, by: .person, subject: session.subject, client: client, detail: detail)
        }
    }

    /// The audit entry about an act of the administrator on another person.
    ///
    /// - Parameters:
    ///   - act: The act.
    ///   - person: The person whom it concerns; `nil` for one without an account.
    ///   - client: The client that it concerns; `nil`, the default, for none.
    ///   - now: The current time.
    ///   - detail: Further facts in words; `nil`, the default, for none.
    func facts(
        _ act: AuditAct, on person: Subject?, client: ClientID? = nil, at now: Date, detail: String? = nil
    ) -> AuditEntry.Facts {
        AuditEntry.Facts(at: now, act, by: actor, subject: person, client: client, detail: noting(detail))
    }

    /// The detail of an audit entry on another person, which names an administrator at a browser.
    func noting(_ detail: String?) -> String? {
        guard let subject else { return detail }
        return [detail, "\(AuditEntry.Facts.beforeAdministrator)\(subject)"].compactMap(\.self).joined(separator: "; ")
    }
}

extension AuditEntry.Facts {
    /// The word before the subject of an administrator, at the end of a detail.
    fileprivate static let beforeAdministrator = "by "

    /// The administrator at a browser whom the detail names; `nil` for none.
    var administrator: Subject? {
        guard by == .administrator, let detail, let last = detail.split(separator: "; ").last,
            last.hasPrefix(Self.beforeAdministrator)
        else { return nil }
        return Subject(String(last.dropFirst(Self.beforeAdministrator.count)))
    }

    /// The detail with the name of that administrator in place of the subject.
    ///
    /// - Parameter names: The names of people; a person who was removed has none.
    func detail(naming names: [Subject: String]) -> String? {
        guard let detail, let administrator, let name = names[administrator] else { return detail }
        return detail.dropLast(administrator.rawValue.count) + name
    }
}
