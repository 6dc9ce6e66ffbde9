/// The page for adding a passkey.
struct PasskeyAdditionView: Page {
    static let template = PageTemplate.passkeyAddition

    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The options for the browser, as JSON for the script; `nil` where passkeys do not work.
    let options: String?
    /// The address of the page where passkeys work; `nil` where they work on this one.
    let passkeysElsewhere: String?
    /// The person's name for the passkey.
    var passkeyName = ""
    /// The path to return to, the form field `return_to`; `nil` for the account.
    var returnTo: String?
    /// The problem of the last attempt.
    var problem: LocalizedText?

    var title: LocalizedText { .title(.text(.passkeyTitle), with: problem) }
}

/// The page for setting up one-time passwords.
struct OneTimePasswordSetupView: Page {
    static let template = PageTemplate.oneTimePasswordSetup

    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The sealed secret, the form field `proposal`.
    let proposal: String
    /// The moving factor, the form field `by`.
    let factor: String
    /// Whether that is the time.
    let countsTime: Bool
    /// The secret for typing, in groups of four characters.
    let secretText: String
    /// The number of squares on each side of the QR code, with its border.
    let qrSize: String
    /// Its dark squares, as a path of SVG.
    let qrPath: String
    /// The problem of the last attempt.
    var problem: LocalizedText?

    var title: LocalizedText { .title(.text(.oneTimeTitle), with: problem) }
}

/// The page that shows new recovery codes, once.
struct RecoveryCodesView: Page {
    static let template = PageTemplate.recoveryCodes

    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// The result of the last act.
    let happened: LocalizedText
    /// The codes in the clear.
    let codes: [String]

    var title: LocalizedText { .text(.recoveryCodesTitle) }
}

/// The page that asks for the second factor after the password.
struct SecondFactorView: Page {
    static let template = PageTemplate.secondFactor

    /// The form field `form_token`.
    let formToken: String
    /// The path to open after signing in, the form field `return_to`.
    let returnTo: String
    /// The sealed ticket of the right password, the form field `ticket`.
    let ticket: String
    /// The address for starting again, with the same target.
    let startAgain: String
    /// The problem of the last attempt.
    let problem: LocalizedText?
    /// Whether two codes in a row are asked for: only from a device that counts, and after a refused code.
    let offersPair: Bool
    /// Whether that was one code, two of them in a row, or a recovery code.
    let isCodeWrong, isPairWrong, isRecoveryCodeWrong: Bool

    var title: LocalizedText { .title(.text(.secondFactorTitle), with: problem) }

    /// One of the page's forms.
    enum Kind: Sendable {
        case code, pair, recoveryCode
    }

    /// The refusal of a second factor.
    struct Refusal: Sendable {
        /// The form that it was typed in.
        let kind: Kind
        /// Whether it was used before.
        let wasUsed: Bool

        fileprivate var shown: LocalizedText {
            switch kind {
            case .code: .text(wasUsed ? .secondFactorUsed : .secondFactorWrong)
            case .pair: .text(wasUsed ? .secondFactorUsedPair : .secondFactorWrongPair)
            case .recoveryCode: .text(.secondFactorWrongRecovery)
            }
        }
    }

    /// - Parameter countsUses: Whether the person's one-time passwords come from a device that counts, not from a clock.
    init(
        formToken: String, returnTo: String, ticket: String, countsUses: Bool = false, refusing refusal: Refusal? = nil
    ) {
        self.formToken = formToken
        self.returnTo = returnTo
        self.ticket = ticket
        var query = Form()
        query["return_to"] = returnTo
        startAgain = "/login?\(query.encoded)"
        problem = refusal?.shown
        offersPair = countsUses || refusal != nil
        isCodeWrong = refusal?.kind == .code
        isPairWrong = refusal?.kind == .pair
        isRecoveryCodeWrong = refusal?.kind == .recoveryCode
    }
}

/// A passkey on the account page.
struct PasskeyView: Sendable {
    /// The form field `passkey`; no secret.
    let credential: String
    let passkeyName: String
    let added: TimeDisplay
    /// The time of its last use; `nil` before its first use.
    let used: TimeDisplay?
    /// Whether it is synchronised.
    let isSynchronized: Bool
}

/// The one-time passwords on the account page.
struct OneTimePasswordView: Sendable {
    let enrolled: TimeDisplay
    /// The number of recovery codes that are left, in words.
    let codesLeft: LocalizedText
}

/// The data for the confirmation of an approval by a passkey.
struct PasskeyConfirmationView: Sendable {
    /// The options for the browser, as JSON for the script; `nil` for a person without a passkey, and where passkeys do
    /// not work.
    let passkeyOptions: String?
    /// Whether the person has to add a passkey first.
    let lacksPasskey: Bool
    /// The address of the page where passkeys work; `nil` where they work on this one.
    let passkeysElsewhere: String?

    init(passkeyOptions: String?) {
        self.passkeyOptions = passkeyOptions
        lacksPasskey = passkeyOptions == nil
        passkeysElsewhere = nil
    }

    init(elsewhere: String) {
        passkeyOptions = nil
        lacksPasskey = false
        passkeysElsewhere = elsewhere
    }
}
