/// A client revokes a token, and with it every token of the same grant.
///
/// Standard: RFC 7009 §2.1. A `token_type_hint` is ignored.
package struct RevocationRequest: Sendable, Equatable {
    package let token: PresentedToken

    /// Creates a request to send.
    package init(token: PresentedToken) { self.token = token }

    /// Reads a request.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` when the token is missing.
    package init(form: Form) throws(OAuthError) { token = PresentedToken(revealing: try form.required("token")) }

    /// The form that a client sends, without its credentials.
    package var form: Form { ["token": token.revealed] }
}
