internal import Countersign

/// A client revokes a token, and with it every token of the same grant.
///
/// Standard: RFC 7009 §2.1. A `token_type_hint` is ignored.
public struct RevocationRequest: Sendable, Equatable {
    /// The token to revoke.
    public let token: PresentedToken

    /// Creates a request to send.
    public init(token: PresentedToken) {
        self.token = token
    }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the token is missing.
    public init(form: Form) throws(OAuthError) {
        token = PresentedToken(revealing: try form.required("token"))
    }

    /// The form that a client sends, without its credentials.
    public var form: Form { ["token": token.revealed] }
}
