internal import CountersignWire

extension OAuthError {
    /// The error for a request whose demands none of its ways can meet: those of its scope, of its client, or of the
    /// classes of authentication that it asks for.
    ///
    /// Standard: OpenID Connect Unmet Authentication Requirements 1.0 §2.
    static let noWay = OAuthError(
        .unmetAuthenticationRequirements,
        "no way of this request can prove what it needs",
        because: "no way meets the demands"
    )
}
