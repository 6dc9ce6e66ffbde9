/// The header that presents an access token that is bound to the client's key; a proof goes with it.
///
/// Standard: RFC 9449 §7.1.
package enum DPoPHeader {
    /// Reads the token from the value of an `Authorization` header.
    ///
    /// The scheme is compared without regard to case (RFC 9110 §11.1).
    ///
    /// - Returns: The token; `nil` for another scheme, or for characters that a token may not have.
    package static func token(in header: String) -> AccessToken? { BearerHeader.token(in: header, scheme: "dpop") }

    /// Returns the value of the header that presents `token`.
    package static func value(for token: AccessToken) -> String { "DPoP \(token.revealed)" }
}
