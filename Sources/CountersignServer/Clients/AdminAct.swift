/// An act of an administrator, which their role permits or not.
package enum AdminAct: Sendable, Hashable {
    /// Sees the records of a noun.
    case read(AdminNoun)
    /// Adds, changes or removes records of a noun.
    case change(AdminNoun)
    /// Locks and unlocks people without a role.
    case lockPeople
    /// Signs people without a role out.
    case signPeopleOut
    /// Makes links with which people without a role set a new password.
    case resetPasswords
}

extension PersonRole {
    /// Whether the role permits an act: the one table of the rights of administrators.
    package func permits(_ act: AdminAct) -> Bool {
        switch (self, act) {
        case (.user, _): false
        case (.operator, _): true
        case (.auditor, .read): true
        case (.auditor, .change), (.auditor, .lockPeople), (.auditor, .signPeopleOut), (.auditor, .resetPasswords):
            false
        case (.helpdesk, .read(let noun)): noun == .people || noun == .requests
        case (.helpdesk, .lockPeople), (.helpdesk, .signPeopleOut), (.helpdesk, .resetPasswords): true
        case (.helpdesk, .change): false
        }
    }

    /// Whether a person with the role sees any page of administrators.
    var seesAdministration: Bool { AdminNoun.allCases.contains { permits(.read($0)) } }
}
