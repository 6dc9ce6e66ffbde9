internal import FoundationEssentialsCompat
internal import HTTPTypes

/// The problem of a page, which ``ProblemView`` shows.
enum PageError: Error, Sendable, Equatable {
    /// The form is too old, belongs to another browser, or did not come from a page of this server.
    case formExpired
    /// The body of a form cannot be read.
    case unreadableForm
    /// The browser sent no cookie back, so that its forms are not protected against forgery.
    case cookiesNeeded
    case notFound
    case methodNotAllowed(allowed: String)
    case unknownExpectation
    case tooManyAttempts(RateLimitError)
    /// The request has another host.
    case misdirected
    /// The request has no host, or several.
    case noSingleHost
    /// The return address is not registered for the request's domain.
    case strayReturn
    /// An authorization request has no client that is registered for it.
    case unknownApp(named: String?)
    /// An authorization request has an unregistered redirect URI.
    case unregisteredRedirect(client: ClientID, address: String)
    /// An authorization request has no redirect URI.
    case noRedirect(client: ClientID)
    /// A sign-out request has an unregistered redirect URI.
    case unregisteredSignOutRedirect
    /// A sign-out request is invalid, or its hint is no token of this server.
    case unreadableSignOut
    /// An authorization request is so invalid that its client cannot be notified.
    case unreadableAuthorization(because: String)
    /// The request object of an authorization request is invalid.
    case badRequestObject(because: String)
    /// The page is for administrators, and the visitor is not one.
    case administratorsOnly
    /// The act is for administrators with a second factor, and the account of the visitor has none.
    case secondFactorNeeded
    /// The person wants to delete their account, and no other operator can sign in.
    case lastOperator
    /// The browser is signed in until a chosen time only, and the act has an effect for longer.
    case limitedBrowser(until: Date)
    /// The sign-in with another provider failed.
    case provider(ProviderSignInError, named: String)
    case unavailable
    case serverFault
}

extension PageError {
    /// The check that refused an authorization request, for the log; `nil` for other problems.
    var refusal: String? {
        switch self {
        case .unknownApp: "the client is not registered for authorization"
        case .unregisteredRedirect: "the redirect_uri is not registered"
        case .noRedirect: "the redirect_uri is missing"
        case .unreadableAuthorization(let reason), .badRequestObject(let reason): reason
        default: nil
        }
    }

    /// The additional header fields of the answer.
    ///
    /// Standard: RFC 6585 §4; RFC 9110 §10.2.3, §15.5.6.
    var headers: HTTPFields {
        switch self {
        case .methodNotAllowed(let allowed): [.allow: allowed]
        case .tooManyAttempts(let reached): [.retryAfter: String(reached.retryAfter)]
        case .unavailable: [.retryAfter: "\(ServiceError.retryAfterSeconds)"]
        default: [:]
        }
    }

    /// The pages on which the person mends it.
    var remedies: [PageLink] {
        guard case .secondFactorNeeded = self else { return [] }
        return [
            PageLink(.text(.passkeyTitle), to: PasskeysPage.path),
            PageLink(.text(.oneTimeTitle), to: OneTimePasswordPage.path),
        ]
    }

    /// The status of the answer, and the texts of the page.
    var content: Content {
        switch self {
        case .formExpired:
            (.forbidden, .problemFormExpired, .problemFormExpiredHappened, .problemFormExpiredAdvice)
        case .unreadableForm:
            (.badRequest, .problemFormExpired, .problemFormExpiredHappened, .problemFormExpiredAdvice)
        case .cookiesNeeded:
            (.forbidden, .problemCookiesNeeded, .problemCookiesNeededHappened, .problemCookiesNeededAdvice)
        case .notFound:
            (.notFound, .problemNotFound, .problemNotFoundHappened, .problemNotFoundAdvice)
        case .methodNotAllowed:
            (.methodNotAllowed, .problemMethodNotAllowed, .problemMethodNotAllowedHappened, .problemFromPagesBelow)
        case .unknownExpectation:
            (.expectationFailed, .problemUnknownExpectation, .problemUnknownExpectationHappened, .problemFromPagesBelow)
        case .tooManyAttempts(let reached):
            (
                .tooManyRequests, .problemTooManyAttempts, .problemTooManyAttemptsHappened,
                // For guesses it names the ways without delay.
                reached.delaysGuesses ? .problemTooManyGuessesAdvice : .problemTooManyAttemptsAdvice
            )
        case .misdirected:
            (.misdirectedRequest, .problemMisdirected, .problemMisdirectedHappened, .problemMisdirectedAdvice)
        case .noSingleHost:
            (.badRequest, .problemMisdirected, .problemMisdirectedHappened, .problemMisdirectedAdvice)
        case .strayReturn:
            (.badRequest, .problemLeadsElsewhere, .problemStrayReturnHappened, .problemBackToApp)
        case .unknownApp:
            (.badRequest, .problemUnknownApp, .problemUnknownAppHappened, .problemTellAppMaker)
        case .unregisteredRedirect:
            (.badRequest, .problemLeadsElsewhere, .problemUnregisteredRedirectHappened, .problemBackToApp)
        case .noRedirect:
            (.badRequest, .problemNoRedirect, .problemNoRedirectHappened, .problemTellAppMaker)
        case .unregisteredSignOutRedirect:
            (.badRequest, .problemLeadsElsewhere, .problemUnregisteredSignOutRedirectHappened, .problemSignOutOnAccount)
        case .unreadableSignOut:
            (.badRequest, .problemUnreadable, .problemUnreadableSignOutHappened, .problemSignOutOnAccount)
        case .unreadableAuthorization:
            (.badRequest, .problemUnreadable, .problemUnreadableAuthorizationHappened, .problemTellAppMaker)
        case .badRequestObject:
            (.badRequest, .problemBadRequestObject, .problemBadRequestObjectHappened, .problemTellAppMaker)
        case .administratorsOnly:
            (
                .forbidden, .problemAdministratorsOnly, .problemAdministratorsOnlyHappened,
                .problemAdministratorsOnlyAdvice
            )
        case .secondFactorNeeded:
            (
                .forbidden, .problemSecondFactorNeeded, .problemSecondFactorNeededHappened,
                .problemSecondFactorNeededAdvice
            )
        case .lastOperator:
            (.conflict, .problemLastOperator, .problemLastOperatorHappened, .problemLastOperatorAdvice)
        case .limitedBrowser:
            (.forbidden, .problemLimitedBrowser, .problemLimitedBrowserHappened, .problemLimitedBrowserAdvice)
        case .provider(let problem, named: _):
            problem.content
        case .unavailable:
            (.serviceUnavailable, .problemUnavailable, .problemUnavailableHappened, .problemLookAtAccount)
        case .serverFault:
            (.internalServerError, .problemServerFault, .problemServerFaultHappened, .problemLookAtAccount)
        }
    }

    typealias Content = (status: HTTPResponse.Status, heading: TextKey, happened: TextKey, advice: TextKey)
}
