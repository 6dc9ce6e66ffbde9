internal import Countersign

/// The acts on an account that ask once.
extension DestructiveAct {
    static func removal(of passkey: PasskeyRecord) -> DestructiveAct {
        DestructiveAct(
            question: .text(.confirmationPasskey), name: .verbatim(passkey.name),
            loss: .text(.confirmationPasskeyLoss), button: .text(.confirmationRemove))
    }

    static func removal(of device: EnrolledDevice) -> DestructiveAct {
        DestructiveAct(
            question: .text(.confirmationDevice), name: AccountListing.name(of: device),
            loss: .text(.confirmationDeviceLoss), button: .text(.confirmationRemove))
    }

    /// The end of signing in by the account at another provider.
    static func disconnection(of identity: LinkedIdentity, named provider: String) -> DestructiveAct {
        DestructiveAct(
            question: .text(.confirmationIdentity), name: .verbatim(provider), identifier: identity.label,
            loss: .text(.confirmationIdentityLoss), button: .text(.confirmationDisconnect))
    }

    static let turningOffOneTimePasswords = DestructiveAct(
        question: .text(.confirmationOneTime), loss: .text(.confirmationOneTimeLoss),
        button: .text(.confirmationTurnOff))

    static let renewingRecoveryCodes = DestructiveAct(
        question: .text(.confirmationRecoveryCodes), loss: .text(.confirmationRecoveryCodesLoss),
        button: .text(.confirmationRenew))

    /// The sign-out of a browser.
    ///
    /// - Parameters:
    ///   - visitor: The person who is signed in.
    ///   - page: The page to return to.
    static func signOut(of visitor: SignedInVisitor, from page: String) -> DestructiveAct {
        DestructiveAct(
            question: .text(.confirmationSignOut), name: .verbatim(visitor.person.name),
            loss: .text(
                visitor.session.limit == nil ? .confirmationSignOutLoss : .confirmationSignOutLossOfAll),
            button: .text(.pageSignOutOfBrowser), back: page)
    }
}
