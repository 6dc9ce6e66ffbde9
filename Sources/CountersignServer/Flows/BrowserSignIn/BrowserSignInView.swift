internal import Countersign
internal import FoundationEssentialsCompat

/// `/login/phone` while nobody has answered: the QR code, and the code to type.
struct BrowserSignInView: Page {
    static let template = PageTemplate.browserSignIn
    static let showsTimes = true

    /// The person who is signed in at the browser so far; `nil` for none.
    let personName: String?
    /// The form field `form_token`.
    let formToken: String
    /// The path after the sign-in, the form field `return_to`.
    let returnTo: String
    /// The address of the sign-in page with its other ways.
    let otherWays: String
    /// The entity tag of the page, which the script names to hold a request.
    let tag: String
    /// The time until a browser without scripts loads the page again, in seconds.
    let refreshSeconds: String
    /// The code as screens show it: `XXXX-XXXX`; `nil` for a request that a person started by their own code.
    let userCode: String?
    /// The address to type on the phone, without its scheme.
    let address: String
    /// The number of squares on each side of the QR code, with its border.
    let qrSize: String
    /// Its dark squares, as a path of SVG.
    let qrPath: String
    /// The number to type on the phone; `nil` for none.
    let number: String?
    /// The facts about the browser, as the phone shows them.
    let facts: [FactLine]
    /// The expiry of the code.
    let deadline: TimeDisplay
    /// The time until then, in words.
    let timeLeft: LocalizedText

    var title: LocalizedText { .text(.phoneTitle) }
}

/// `/login/phone` after an approval: the person at the browser sees as whom they go on.
struct BrowserSignInContinueView: Page {
    static let template = PageTemplate.browserSignInContinue

    /// The form field `form_token`.
    let formToken: String
    /// The path after the sign-in, the form field `return_to`.
    let returnTo: String
    /// The name of the person who approved.
    let approverName: String
    /// The end of the session, in words.
    let ends: LocalizedText

    var title: LocalizedText { .text(.phoneContinueTitle, ["person": .isolated(approverName)]) }

    /// - Parameter span: The time of the session from the approval, in seconds; `nil` for the usual one.
    init(formToken: String, returnTo: String, approverName: String, lasting span: TimeInterval?) {
        self.formToken = formToken
        self.returnTo = returnTo
        self.approverName = approverName
        ends = span.map { .text(.phoneEnds, ["span": Self.words(for: $0)]) } ?? .text(.phoneOwn)
    }

    /// A span in words: whole hours, or else minutes.
    private static func words(for seconds: TimeInterval) -> LocalizedText {
        let hours = (seconds / 3600).rounded()
        return hours >= 1 && abs(hours * 3600 - seconds) < 1 ? .counted(Int(hours), .hours) : TimeDisplay.span(seconds)
    }
}

/// `/login/phone` without a request that waits: the reason, and the next step.
struct BrowserSignInOutcomeView: Page {
    static let template = PageTemplate.browserSignInOutcome

    /// The form field `form_token`.
    let formToken: String
    /// The path after the sign-in, the form field `return_to`.
    let returnTo: String
    /// The address of the sign-in page with its other ways.
    let otherWays: String
    let title: LocalizedText
    let happened: LocalizedText
    let next: LocalizedText
    /// Whether the page takes another code of the person, and does not offer to show one.
    private(set) var takesPersonCode = false

    /// - Parameter state: The state of the request; `nil` for one that the page shows otherwise.
    init?(_ state: BrowserSignInState, formToken: String, returnTo: String, otherWays: String) {
        let words: (title: TextKey, happened: TextKey, next: TextKey)
        switch state {
        case .waiting, .approved: return nil
        case .absent: words = (.phoneTitle, .phoneAbsentHappened, .phoneAbsentNext)
        case .denied: words = (.resultDenied, .phoneDeniedHappened, .phoneDeniedNext)
        case .expired: words = (.resultExpired, .phoneExpiredHappened, .phoneExpiredNext)
        case .cancelled: words = (.phoneCancelled, .phoneCancelledHappened, .phoneCancelledNext)
        case .redeemed: words = (.phoneRedeemed, .phoneRedeemedHappened, .phoneRedeemedNext)
        }
        self.init(formToken: formToken, returnTo: returnTo, otherWays: otherWays, words)
    }

    private init(
        formToken: String,
        returnTo: String,
        otherWays: String,
        _ words: (title: TextKey, happened: TextKey, next: TextKey)
    ) {
        self.formToken = formToken
        self.returnTo = returnTo
        self.otherWays = otherWays
        title = .text(words.title)
        happened = .text(words.happened)
        next = .text(words.next)
    }

    /// The page after a code of a person that does not work.
    static func wrongCode(formToken: String, returnTo: String, otherWays: String) -> Self {
        var page = Self(
            formToken: formToken, returnTo: returnTo, otherWays: otherWays,
            (.phoneWrongCode, .phoneWrongCodeHappened, .phoneWrongCodeNext))
        page.takesPersonCode = true
        return page
    }
}

extension SignInRequest {
    /// The facts about the browser that asks, as its own page shows them.
    var browserFacts: [FactLine] {
        [address.map { FactLine.address($0) }, software.map { FactLine.software($0) }].compactMap(\.self)
    }
}
