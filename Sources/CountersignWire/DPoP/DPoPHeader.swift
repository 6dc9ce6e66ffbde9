public import Countersign

/// The header that presents an access token that is bound to the client's key; a proof goes with it.
///
/// Standard: RFC 9449 §7.1.
public enum DPoPHeader {
    /// Reads the token from the value of an `Authorization` header.
    ///
    /// The scheme is compared without regard to case (RFC 9110 §11.1).
    ///
    /// - Parameter header: The value of the header.
    /// - Returns: The token; `nil` for another scheme, or for characters that a token may not have.
    public static func token(in header: String) -> AccessToken? {
        BearerHeader.token(in: header, scheme: "dpop")
    }

    /// Returns the value of the header that presents `token`.
    ///
    /// - Parameter token: A token that is bound to the key of the accompanying proof.
    public static func value(for token: AccessToken) -> String {
        "DPoP \(token.revealed)"
    }
}
