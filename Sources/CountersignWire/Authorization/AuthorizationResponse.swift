/// The answer to an authorization request, as it travels to the app through the browser.
///
/// Standard: RFC 6749 §4.1.2, §4.1.2.1; RFC 9207 §2 (`iss`).
public struct AuthorizationResponse: Sendable, Equatable {
    /// The outcome of a request.
    public enum Outcome: Sendable, Equatable {
        /// A code to redeem.
        case code(AuthorizationCode)
        /// No code; the error has the reason.
        case refused(OAuthError)
    }

    /// The outcome of the request.
    public let outcome: Outcome
    /// The `state` of the request.
    public let state: String?
    /// The server that answers, so that an app that talks to several cannot mix them up.
    public let issuer: String?

    /// Creates an answer.
    public init(_ outcome: Outcome, state: String?, issuer: String?) {
        self.outcome = outcome
        self.state = state
        self.issuer = issuer
    }

    /// Reads the parameters of a redirect.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when it has neither a code nor an error, or both.
    public init(form: Form) throws(OAuthError) {
        state = form["state"]
        issuer = form["iss"]
        switch (form["code"], form["error"]) {
        case (let code?, nil): outcome = .code(AuthorizationCode(revealing: code))
        case (nil, let error?):
            outcome = .refused(
                OAuthError(.init(error), form["error_description"], because: "the server answered \(error)")
            )
        default:
            throw OAuthError(.invalidRequest, "neither a code nor an error", because: "a redirect without an answer")
        }
    }

    /// The parameters of the redirect.
    public var form: Form {
        var form = Form()
        switch outcome {
        case .code(let code): form["code"] = code.revealed
        case .refused(let error):
            form["error"] = error.code.rawValue
            form["error_description"] = error.description
        }
        form["state"] = state
        form["iss"] = issuer
        return form
    }
}
