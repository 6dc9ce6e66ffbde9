internal import CountersignWire

/// An error that declares the page that shows it.
protocol PageAnswerable: Error {
    var pageProblem: PageProblem { get }
}

extension PageProblem: PageAnswerable {
    var pageProblem: PageProblem { self }
}

extension OAuthError: PageAnswerable {
    var pageProblem: PageProblem { .unreadableForm }
}

extension LimitReached: PageAnswerable {
    var pageProblem: PageProblem { .tooManyAttempts(self) }
}

extension MethodNotAllowedError: PageAnswerable {
    var pageProblem: PageProblem { .methodNotAllowed(allowed: allowed) }
}

extension RefusedRequestError: PageAnswerable {
    var pageProblem: PageProblem {
        switch self {
        case .noSingleHost, .unknownTarget: .noSingleHost
        case .unknownExpectation: .unknownExpectation
        case .misdirected: .misdirected
        }
    }
}

extension Administrator.NoAdministrator: PageAnswerable {
    var pageProblem: PageProblem { .administratorsOnly }
}

extension ServiceFailure: PageAnswerable {
    var pageProblem: PageProblem { self == .unavailable ? .unavailable : .serverFault }
}

/// No person is signed in; after signing in the browser goes to the path that it asked for.
struct NotSignedInError: Error {
    let target: String
}
