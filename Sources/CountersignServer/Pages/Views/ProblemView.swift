internal import Countersign

/// The page in place of one that cannot be shown: what happened, and what to try.
struct ProblemView: Page {
    static let template = PageTemplate.errorPage

    /// The HTTP status.
    let status: Int
    let heading: LocalizedText
    let happened: LocalizedText
    let advice: LocalizedText
    /// The page of this server where the person can go on.
    var nextPage: String?
    /// The values in the request, for the developer of the app.
    var details: [Detail] = []

    /// Something that a request named, as far as it can be shown: visible ASCII, shortened, and never as a link.
    struct Detail: Sendable {
        private static let longest = 200

        let label: LocalizedText
        let named: String

        init?(_ label: TextKey, _ text: String?) {
            guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
            self.label = .text(label)
            named = text.utf8.count > Self.longest ? "\(text.prefix(Self.longest))…" : text
        }
    }

    var title: LocalizedText { heading }

    /// 404.
    static let notFound = ProblemView(
        status: 404,
        heading: .text(.problemNotFound),
        happened: .text(.problemNotFoundHappened),
        advice: .text(.problemNotFoundAdvice)
    )

    /// 403: the form was too old, from another sign-in, or sent from elsewhere; from `page`, if that is known.
    static func formExpired(goingOnTo page: String? = nil) -> ProblemView {
        ProblemView(
            status: 403,
            heading: .text(.problemFormExpired),
            happened: .text(.problemFormExpiredHappened),
            advice: .text(.problemFormExpiredAdvice),
            nextPage: page
        )
    }

    /// 403: the browser sent no cookie back, so that its forms cannot be told from forged ones.
    static func cookiesNeeded(goingOnTo page: String) -> ProblemView {
        ProblemView(
            status: 403,
            heading: .text(.problemCookiesNeeded),
            happened: .text(.problemCookiesNeededHappened),
            advice: .text(.problemCookiesNeededAdvice),
            nextPage: page
        )
    }

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

    /// 429.
    ///
    /// - Parameters:
    ///   - wait: The time to wait, in words: "2 minutes".
    ///   - isGuess: Whether what was typed can be guessed; then the page names the ways that do not wait.
    static func tooManyAttempts(wait: LocalizedText, isGuess: Bool) -> ProblemView {
        ProblemView(
            status: 429,
            heading: .text(.problemTooManyAttempts),
            happened: .text(.problemTooManyAttemptsHappened),
            advice: .text(
                isGuess ? .problemTooManyGuessesAdvice : .problemTooManyAttemptsAdvice, ["wait": wait])
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
    static func unknownApp(_ client: String?) -> ProblemView {
        ProblemView(
            status: 400,
            heading: .text(.problemUnknownApp),
            happened: .text(.problemUnknownAppHappened),
            advice: .text(.problemTellAppMaker),
            details: [Detail(.problemDetailApp, client)].compactMap(\.self)
        )
    }

    /// 400: an authorization request with a redirect URI that its client has not registered.
    static func unregisteredRedirect(_ address: String, of client: ClientID) -> ProblemView {
        ProblemView(
            status: 400,
            heading: .text(.problemLeadsElsewhere),
            happened: .text(.problemUnregisteredRedirectHappened),
            advice: .text(.problemBackToApp),
            details: [Detail(.problemDetailApp, client.rawValue), Detail(.problemDetailAddress, address)]
                .compactMap(\.self)
        )
    }

    /// 400: an authorization request without a redirect URI, of a client that must name one.
    static func noRedirect(of client: ClientID) -> ProblemView {
        ProblemView(
            status: 400,
            heading: .text(.problemNoRedirect),
            happened: .text(.problemNoRedirectHappened),
            advice: .text(.problemTellAppMaker),
            details: [Detail(.problemDetailApp, client.rawValue)].compactMap(\.self)
        )
    }

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
