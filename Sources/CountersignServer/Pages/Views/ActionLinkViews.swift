internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The page where a person who has a link begins.
struct ActionLinkView: Page {
    static let template = PageTemplate.actionLink

    /// The form field `form_token`.
    let formToken: String

    var title: LocalizedText { .text(.linkTitle) }
}

/// The page for a new password of a person who is not signed in.
struct PasswordResetView: Page {
    static let template = PageTemplate.passwordReset

    /// The proof that the person gave.
    enum Proof: Sendable {
        case link(ActionLinkSecret)
        /// The approval on their device, for the browser that asked.
        case approval
    }

    /// The form field `form_token`.
    let formToken: String
    /// The path of the form.
    let act: String
    /// The secret, the form field `link`; `nil` for an approval.
    let link: String?
    /// The user name, for password managers.
    let username: String
    /// The name of the person.
    let ownerName: String
    /// The minimum length of the password.
    let shortest = "\(PasswordRule.shortest)"
    /// The problem of the last attempt.
    let problem: LocalizedText?
    let isNewPasswordWrong: Bool

    var title: LocalizedText { .title(.text(.resetTitle), with: problem) }

    init(formToken: String, by proof: Proof, of person: Person, refusing refusal: PasswordView.Problem? = nil) {
        self.formToken = formToken
        switch proof {
        case .link(let secret): (act, link) = ("/link/password", secret.revealed)
        case .approval: (act, link) = ("/login/forgot/password", nil)
        }
        username = person.username.rawValue
        ownerName = person.name
        problem = refusal?.words
        isNewPasswordWrong = refusal != nil
    }
}

/// The page where an invited person creates their account.
struct InvitationView: Page {
    static let template = PageTemplate.invitation

    /// The refusal of the last attempt.
    enum Refusal: Sendable {
        case name(InvitedPerson.NameError)
        case password(PasswordView.Problem)
        case passkey(LocalizedText)
    }

    /// The form field `form_token`.
    let formToken: String
    /// The secret, the form field `link`.
    let link: String
    /// The typed user name.
    let username: String
    /// The typed name that others see, the form field `name`.
    let fullName: String
    /// Whether browsers create passkeys for this server.
    let offersPasskey: Bool
    /// The minimum length of the password.
    let shortest = "\(PasswordRule.shortest)"
    /// The problem of the last attempt.
    let problem: LocalizedText?
    let isUsernameWrong, isNameWrong, isNewPasswordWrong: Bool

    var title: LocalizedText { .title(.text(.invitationTitle), with: problem) }

    init(
        formToken: String,
        by secret: ActionLinkSecret,
        username: String,
        name: String,
        offersPasskey: Bool,
        refusing refusal: Refusal? = nil
    ) {
        self.formToken = formToken
        link = secret.revealed
        self.username = username
        fullName = name
        self.offersPasskey = offersPasskey
        var (isUsernameWrong, isNameWrong, isPasswordWrong) = (false, false, false)
        switch refusal {
        case nil: problem = nil
        case .name(.username): (problem, isUsernameWrong) = (.text(.invitationUsernameWrong), true)
        case .name(.taken): (problem, isUsernameWrong) = (.text(.invitationUsernameTaken), true)
        case .name(.name): (problem, isNameWrong) = (.text(.invitationNameWrong), true)
        case .password(let refused): (problem, isPasswordWrong) = (refused.words, true)
        case .passkey(let words): problem = words
        }
        (self.isUsernameWrong, self.isNameWrong) = (isUsernameWrong, isNameWrong)
        isNewPasswordWrong = isPasswordWrong
    }
}

/// The page where an invited person creates their passkey.
struct InvitationPasskeyView: Page {
    static let template = PageTemplate.invitationPasskey

    /// The form field `form_token`.
    let formToken: String
    /// The secret, the form field `link`.
    let link: String
    /// The chosen user name.
    let username: String
    /// The chosen name that others see, the form field `name`.
    let fullName: String
    /// The options for the browser, as JSON for the script.
    let options: String

    var title: LocalizedText { .text(.invitationPasskeyTitle) }
}

/// The page about a link that is of no use, a password that was set, or a mail that was requested.
struct LinkOutcomeView: Page {
    static let template = PageTemplate.linkOutcome

    let title: LocalizedText
    let happened: LocalizedText
    let next: LocalizedText
    /// Whether the page leads to the one for a forgotten password.
    let offersForgotten: Bool

    /// A new password was set.
    static let passwordSet = LinkOutcomeView(
        title: .text(.resetDone), happened: .text(.resetDoneHappened), next: .text(.resetDoneNext),
        offersForgotten: false)

    /// A mail was requested, whether or not there was somebody to send it to.
    static let mailRequested = LinkOutcomeView(
        title: .text(.forgottenMailed), happened: .text(.forgottenMailedHappened), next: .text(.forgottenMailedNext),
        offersForgotten: true)

    private init(title: LocalizedText, happened: LocalizedText, next: LocalizedText, offersForgotten: Bool) {
        self.title = title
        self.happened = happened
        self.next = next
        self.offersForgotten = offersForgotten
    }

    init(_ useless: ActionLinks.UselessLinkError, at now: Date) {
        switch useless {
        case .used(let used):
            self.init(
                title: .text(.linkUsed), happened: .text(.linkUsedHappened, ["when": TimeDisplay(used, at: now).text]),
                next: .text(.linkUsedNext), offersForgotten: true)
        case .expired:
            self.init(
                title: .text(.linkExpired), happened: .text(.linkExpiredHappened), next: .text(.linkExpiredNext),
                offersForgotten: true)
        case .unknown:
            self.init(
                title: .text(.linkUnknown), happened: .text(.linkUnknownHappened), next: .text(.linkUnknownNext),
                offersForgotten: true)
        }
    }
}
