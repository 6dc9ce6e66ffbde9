internal import FoundationEssentialsCompat

/// `/activate/code`: the code that a person types on the screen that they want to sign in.
struct PersonCodeView: Page {
    static let template = PageTemplate.personCode
    static let showsTimes = true

    /// The name of the person who is signed in.
    let personName: String
    /// The form field `form_token`.
    let formToken: String
    /// Whether the time of a code ended that nobody typed.
    let isExpired: Bool
    /// The code in two groups; `nil` when there is none.
    private(set) var shownCode: String?
    /// The entity tag of the page, which the script names to hold a request; `nil` for a page that does not change.
    private(set) var tag: String?
    /// The expiry of the code.
    private(set) var ends: TimeDisplay?
    /// The time until then, in words.
    private(set) var timeLeft: LocalizedText?
    /// The time after which a browser without scripts loads the page again, in seconds; `nil` for a page that does not
    /// change.
    private(set) var refreshSeconds: String?

    var title: LocalizedText { .text(.personCodeTitle) }

    /// A page that offers a code.
    init(personName: String, formToken: String, isExpired: Bool = false) {
        self.personName = personName
        self.formToken = formToken
        self.isExpired = isExpired
    }

    /// A page that shows a code.
    init(personName: String, formToken: String, _ code: PersonCode, until expires: Date, at now: Date) {
        self.init(personName: personName, formToken: formToken)
        shownCode = code.grouped
        tag = code.pageTag
        ends = TimeDisplay(expires, at: now)
        timeLeft = TimeDisplay.span(expires.timeIntervalSince(now))
        refreshSeconds = "5"
    }
}
