/// The answer that a browser brings back to the screen on whose device it was opened, in the address of its redirect.
///
/// It tells the screen only how to go on: the tokens come by the device code, which no browser has.
///
/// Standard: RFC 6749 §4.1.2.1 (`error`, `state`), RFC 9207 §2 (`iss`); `link` is an addition of Countersign.
public struct BrowserReturnResponse: Sendable, Equatable {
    /// The outcome of the request.
    public enum Outcome: Sendable, Equatable {
        /// The person approved; the screen names this link in its next token request.
        case approved(over: NearbyLinkID)
        /// They did not; the code has the reason.
        case refused(OAuthError.Code)
    }

    /// The outcome of the request.
    public let outcome: Outcome
    /// The `state` of the request; `nil` when it had none.
    public let state: String?
    /// The server that answers; `nil` when the redirect names none.
    public let issuer: String?

    /// Creates an answer.
    public init(_ outcome: Outcome, state: String?, issuer: String?) {
        self.outcome = outcome
        self.state = state
        self.issuer = issuer
    }

    /// Reads the parameters of a redirect.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when it has neither a link nor an error, or both.
    public init(form: Form) throws(OAuthError) {
        state = form["state"]
        issuer = form["iss"]
        let link = try form.parsed(BrowserReturn.link) { NearbyLinkID(parsing: $0) }
        switch (link, form["error"]) {
        case (let link?, nil): outcome = .approved(over: link)
        case (nil, let error?): outcome = .refused(OAuthError.Code(error))
        default:
            throw OAuthError(.invalidRequest, "neither a link nor an error", because: "a redirect without an answer")
        }
    }

    /// The parameters of the redirect.
    public var form: Form {
        var form = Form()
        switch outcome {
        case .approved(over: let link): form[BrowserReturn.link] = link.description
        case .refused(let error): form["error"] = error.rawValue
        }
        form["state"] = state
        form["iss"] = issuer
        return form
    }
}
