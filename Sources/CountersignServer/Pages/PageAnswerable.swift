/// An error with a page.
protocol PageAnswerable: Error {
    var pageProblem: PageError { get }
}

extension PageError: PageAnswerable {
    var pageProblem: PageError { self }
}

extension OAuthError: PageAnswerable {
    var pageProblem: PageError { .unreadableForm }
}

extension RateLimitError: PageAnswerable {
    var pageProblem: PageError { .tooManyAttempts(self) }
}

extension MethodNotAllowedError: PageAnswerable {
    var pageProblem: PageError { .methodNotAllowed(allowed: allowed) }
}

extension RefusedRequestError: PageAnswerable {
    var pageProblem: PageError {
        switch self {
        case .noSingleHost, .unknownTarget: .noSingleHost
        case .unknownExpectation: .unknownExpectation
        case .misdirected: .misdirected
        }
    }
}

extension Administrator.NotAdministratorError: PageAnswerable {
    var pageProblem: PageError { .administratorsOnly }
}

extension ServiceError: PageAnswerable {
    var pageProblem: PageError { self == .unavailable ? .unavailable : .serverFault }
}

extension LimitedBrowserError: PageAnswerable {
    var pageProblem: PageError { .limitedBrowser(until: ends) }
}

/// No person is signed in; the browser returns to the target after the sign-in.
struct NotSignedInError: Error {
    let target: String
    /// The reason for a new sign-in of a person whose session is not enough; `nil`, the default, for no session.
    var reason: LoginPage.ReauthenticationReason?
}
