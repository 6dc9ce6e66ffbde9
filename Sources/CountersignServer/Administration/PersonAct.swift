internal import Countersign

/// An act of an administrator on one person, as named in the address of its form.
enum PersonAct: String, Sendable, CaseIterable {
    case lock, unlock
    case signOut = "sign-out"
    case removeFactors = "remove-factors"
    case revokeDevice = "revoke-device"
    case assignRole = "role"
    case liftMute = "lift-mute"
    case change, remove
    case resetPassword = "reset-password"

    /// The right that it needs.
    var right: AdminAct {
        switch self {
        case .lock, .unlock: .lockPeople
        case .signOut: .signPeopleOut
        case .resetPassword: .resetPasswords
        case .removeFactors, .revokeDevice, .assignRole, .liftMute, .change, .remove: .change(.people)
        }
    }

    /// The acts that an administrator is offered on a person.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - administrator: The administrator, who does nothing to their own account.
    static func offered(on person: Person, to administrator: Person) -> [PersonAct] {
        guard person.subject != administrator.subject,
            person.role == .user || administrator.role.permits(.change(.people))
        else { return [] }
        return allCases.filter { act in
            switch act {
            case .lock, .resetPassword: person.isActive && administrator.role.permits(act.right)
            case .unlock: !person.isActive && administrator.role.permits(act.right)
            case .signOut, .removeFactors, .revokeDevice, .assignRole, .liftMute, .change, .remove:
                administrator.role.permits(act.right)
            }
        }
    }

    /// The path of its form, below the issuer.
    var path: String { "/admin/people/\(rawValue)" }

    /// The message after it, and the value of `done` in the address of the page that shows it.
    var notice: LocalizedText {
        switch self {
        case .lock: .admin(.doneLocked)
        case .unlock: .admin(.doneUnlocked)
        case .signOut: .admin(.doneSignedOut)
        case .removeFactors: .admin(.doneFactorsRemoved)
        case .revokeDevice: .admin(.doneDeviceRevoked)
        case .assignRole: .admin(.doneRoleAssigned)
        case .liftMute: .admin(.doneMuteLifted)
        case .change: .admin(.donePersonChanged)
        case .remove: .admin(.donePersonRemoved)
        case .resetPassword: .admin(.doneLinkSent)
        }
    }

    /// The texts of the question before it; `nil` for an act that ends nothing.
    var words: (question: TextKey.Admin, loss: TextKey.Admin, button: TextKey.Admin)? {
        switch self {
        case .lock: (.lockTitle, .lockCare, .lock)
        case .unlock: (.unlockTitle, .unlockCare, .unlock)
        case .signOut: (.signOutTitle, .signOutCare, .signOut)
        case .removeFactors: (.factorsTitle, .factorsCare, .removeFactors)
        case .revokeDevice: (.deviceTitle, .deviceCare, .revokeDevice)
        case .remove: (.removePersonTitle, .removePersonCare, .removePerson)
        case .assignRole, .liftMute, .change, .resetPassword: nil
        }
    }

    /// The question before it; `nil` for an act that ends nothing.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - device: The device that the act is about; `nil` for none.
    func question(on person: Person, _ device: EnrolledDevice? = nil) -> DestructiveAct? {
        words.map { words in
            DestructiveAct(
                question: .admin(words.question),
                name: .verbatim(device.map { $0.shownName ?? $0.id.rawValue } ?? person.name),
                identifier: person.username.rawValue, loss: .admin(words.loss), button: .admin(words.button),
                back: PeoplePage.address(of: person.subject))
        }
    }
}

extension PersonRole {
    /// The role in a word.
    var word: LocalizedText {
        switch self {
        case .user: .admin(.roleUser)
        case .helpdesk: .admin(.roleHelpdesk)
        case .auditor: .admin(.roleAuditor)
        case .operator: .admin(.roleOperator)
        }
    }
}

extension Policy.Standing {
    /// The standing in a word or two.
    var word: LocalizedText {
        switch self {
        case .active: .admin(.standingActive)
        case .locked, .absent: .admin(.standingLocked)
        case .leaving: .admin(.standingLeaving)
        }
    }
}

extension PersonRegistry.ActError {
    /// The refusal as a page shows it.
    var shown: LocalizedText {
        switch self {
        case .ownAccount: .admin(.problemOwnAccount)
        case .locked: .admin(.problemLocked)
        case .leaving: .admin(.problemLeaving)
        case .noVerifiedAddress: .admin(.problemNoAddress)
        case .noDevice: .admin(.problemNoDevice)
        }
    }
}
