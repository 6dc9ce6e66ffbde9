package import Countersign
internal import Foundation

/// The party that changes what is registered here, as the audit names it.
package enum Administrator: Sendable, Equatable {
    /// A user of the command on the server's own machine.
    case `operator`
    /// An administrator at a browser.
    case person(Subject)

    /// The person is not, or no longer, an administrator.
    package struct NoAdministrator: Error {}

    /// Checks the right in the change that needs it.
    ///
    /// - Throws: ``NoAdministrator``, also when the right was taken away a moment ago.
    func authorize(in repositories: any Repositories) throws {
        guard case .person(let subject) = self else { return }
        guard let person = try repositories.people.find(subject), person.isAdministrator, person.standing == .active
        else { throw NoAdministrator() }
    }

    /// The entry about something that they did.
    func facts(_ act: AuditAct, at now: Date, client: ClientID? = nil, detail: String?) -> AuditEntry.Facts {
        switch self {
        case .operator: AuditEntry.Facts(at: now, act, by: .operator, client: client, detail: detail)
        case .person(let subject):
            AuditEntry.Facts(at: now, act, by: .person, subject: subject, client: client, detail: detail)
        }
    }
}
