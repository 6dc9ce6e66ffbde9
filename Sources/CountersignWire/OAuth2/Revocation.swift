internal import Countersign

/// Ends the life of a token, and of whatever came with it.
///
/// Standard: RFC 7009 §2.1. The hint is read and not needed.
public struct RevocationRequest: Sendable, Equatable {
    public let token: PresentedToken

    public init(token: PresentedToken) {
        self.token = token
    }

    /// Reads a request's form.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the token is missing.
    public init(form: Form) throws(OAuthError) {
        token = PresentedToken(revealing: try form.required("token"))
    }

    /// The form that a client sends, without its credentials.
    public var form: Form {
        var form = Form()
        form["token"] = token.revealed
        return form
    }
}
