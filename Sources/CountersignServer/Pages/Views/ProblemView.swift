/// What a person sees when a page cannot be shown: what happened, and what to try.
struct ProblemView: Page {
    static let template = PageTemplate.errorPage

    /// The HTTP status.
    let status: Int
    let heading: LocalizedText
    let happened: LocalizedText
    let advice: LocalizedText

    var title: LocalizedText { heading }

    /// 404.
    static let notFound = ProblemView(
        status: 404,
        heading: .text(.problemNotFound),
        happened: .text(.problemNotFoundHappened),
        advice: .text(.problemNotFoundAdvice)
    )

    /// 403: the form was too old, from another sign-in, or sent from elsewhere.
    static let formExpired = ProblemView(
        status: 403,
        heading: .text(.problemFormExpired),
        happened: .text(.problemFormExpiredHappened),
        advice: .text(.problemFormExpiredAdvice)
    )

    /// 405.
    static let methodNotAllowed = ProblemView(
        status: 405,
        heading: .text(.problemMethodNotAllowed),
        happened: .text(.problemMethodNotAllowedHappened),
        advice: .text(.problemFromPagesBelow)
    )

    /// 417.
    static let unknownExpectation = ProblemView(
        status: 417,
        heading: .text(.problemUnknownExpectation),
        happened: .text(.problemUnknownExpectationHappened),
        advice: .text(.problemFromPagesBelow)
    )

    /// 429; `wait` says for how long, in words: "2 minutes".
    static func tooManyAttempts(wait: LocalizedText) -> ProblemView {
        ProblemView(
            status: 429,
            heading: .text(.problemTooManyAttempts),
            happened: .text(.problemTooManyAttemptsHappened),
            advice: .text(.problemTooManyAttemptsAdvice, ["wait": wait])
        )
    }

    /// 421, or 400 if no host was named.
    static func misdirected(status: Int = 421) -> ProblemView {
        ProblemView(
            status: status,
            heading: .text(.problemMisdirected),
            happened: .text(.problemMisdirectedHappened),
            advice: .text(.problemMisdirectedAdvice)
        )
    }

    /// 400: the link names a return address that the domain has not registered.
    static let strayReturn = ProblemView(
        status: 400,
        heading: .text(.problemLeadsElsewhere),
        happened: .text(.problemStrayReturnHappened),
        advice: .text(.problemBackToApp)
    )

    /// 400: an authorization request of an unknown client.
    static let unknownApp = ProblemView(
        status: 400,
        heading: .text(.problemUnknownApp),
        happened: .text(.problemUnknownAppHappened),
        advice: .text(.problemTellAppMaker)
    )

    /// 400: an authorization request with a redirect URI that its client has not registered.
    static let unregisteredRedirect = ProblemView(
        status: 400,
        heading: .text(.problemLeadsElsewhere),
        happened: .text(.problemUnregisteredRedirectHappened),
        advice: .text(.problemBackToApp)
    )

    /// 400: an authorization request without a redirect URI, of a client that must name one.
    static let noRedirect = ProblemView(
        status: 400,
        heading: .text(.problemNoRedirect),
        happened: .text(.problemNoRedirectHappened),
        advice: .text(.problemTellAppMaker)
    )

    /// 400: a request to sign out that names an address that its client has not registered.
    static let unregisteredSignOutRedirect = ProblemView(
        status: 400,
        heading: .text(.problemLeadsElsewhere),
        happened: .text(.problemUnregisteredSignOutRedirectHappened),
        advice: .text(.problemSignOutOnAccount)
    )

    /// 400: a request to sign out that is unreadable, or has a hint that is not ours.
    static let unreadableSignOut = ProblemView(
        status: 400,
        heading: .text(.problemUnreadable),
        happened: .text(.problemUnreadableSignOutHappened),
        advice: .text(.problemSignOutOnAccount)
    )

    /// 400: an authorization request whose signature is wrong, or that is expired.
    static let badRequestObject = ProblemView(
        status: 400,
        heading: .text(.problemBadRequestObject),
        happened: .text(.problemBadRequestObjectHappened),
        advice: .text(.problemTellAppMaker)
    )

    /// 400: an authorization request that is unreadable, expired or incomplete.
    static let unreadableAuthorization = ProblemView(
        status: 400,
        heading: .text(.problemUnreadable),
        happened: .text(.problemUnreadableAuthorizationHappened),
        advice: .text(.problemTellAppMaker)
    )

    /// 403 for a page of administrators.
    static let administratorsOnly = ProblemView(
        status: 403,
        heading: .text(.problemAdministratorsOnly),
        happened: .text(.problemAdministratorsOnlyHappened),
        advice: .text(.problemAdministratorsOnlyAdvice)
    )

    /// 503.
    static let unavailable = ProblemView(
        status: 503,
        heading: .text(.problemUnavailable),
        happened: .text(.problemUnavailableHappened),
        advice: .text(.problemLookAtAccount)
    )

    /// 500.
    static let serverFault = ProblemView(
        status: 500,
        heading: .text(.problemServerFault),
        happened: .text(.problemServerFaultHappened),
        advice: .text(.problemLookAtAccount)
    )
}
