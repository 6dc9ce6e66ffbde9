/// The page for the removal of one's own account.
struct AccountDeletionView: Page {
    static let template = PageTemplate.accountDeletion
    static let showsTimes = true

    /// The person, while they are signed in.
    let personName: String?
    /// The form field `form_token`.
    let formToken: String?
    /// The page after the account is kept.
    let returnTo: String
    /// Whether the person is asked, their account was marked just now, or they may keep it.
    let isAsking, isMarked, isLeaving: Bool
    /// The time until the removal, in words.
    let delay: LocalizedText
    /// The time of the removal; `nil` while nothing is marked.
    let due: TimeDisplay?
    let title: LocalizedText

    /// The question before the account is marked.
    init(asking personName: String, formToken: String, delay: LocalizedText) {
        self.personName = personName
        self.formToken = formToken
        self.delay = delay
        (isAsking, isMarked, isLeaving) = (true, false, false)
        (returnTo, due, title) = ("", nil, .text(.deletionTitle))
    }

    /// The confirmation after it; the person is signed out.
    init(marked due: TimeDisplay) {
        self.due = due
        (isAsking, isMarked, isLeaving) = (false, true, false)
        (personName, formToken, returnTo, delay) = (nil, nil, "", .verbatim(""))
        title = .text(.deletionMarked)
    }

    /// The offer to keep an account that is marked.
    init(offering personName: String, formToken: String, returnTo: String, due: TimeDisplay) {
        self.personName = personName
        self.formToken = formToken
        self.returnTo = returnTo
        self.due = due
        (isAsking, isMarked, isLeaving) = (false, false, true)
        delay = .verbatim("")
        title = .text(.deletionMarked)
    }
}
