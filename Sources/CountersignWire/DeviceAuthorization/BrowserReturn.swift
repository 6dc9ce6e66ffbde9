/// The way back from a browser on the device of a screen that asks to be signed in.
///
/// After an approval, the browser is sent to the redirect URI with the parameters `iss`, `state` and `link`. The last one
/// is a ``Countersign/NearbyLinkID``, which the screen names in its next token request as it names a link to a phone
/// nearby: only this device got it, so nobody else redeems the approval. After a denial the parameters are `iss`,
/// `state` and `error`.
///
/// ```swift
/// let back = BrowserReturn(to: try RedirectURI("http://127.0.0.1:49152/callback"), state: state)
/// var request = DeviceAuthorizationRequest(scope: scope)
/// request.browserReturn = back
/// ```
///
/// Standard: RFC 6749 §4.1.1, §4.1.2.1 and RFC 9207 §2 for the parameters; RFC 8252 §7.3 for the port of a loopback
/// address. Its use with a device code is an addition of Countersign.
public struct BrowserReturn: Sendable, Equatable, Codable {
    /// The parameter of the answer that names the link.
    public static let link = "link"

    /// The address, registered for the client; of a loopback address the port is free.
    public let redirectURI: RedirectURI
    /// The text that comes back with the browser, at most 512 characters; `nil` for none.
    public let state: String?

    /// Creates a way back.
    public init(to redirectURI: RedirectURI, state: String?) {
        self.redirectURI = redirectURI
        self.state = state
    }

    /// Reads the parameters of a request; `nil` when it names no redirect URI.
    ///
    /// - Throws: ``OAuthError`` `invalid_request` for a malformed address, or a state that is too long.
    init?(form: Form) throws(OAuthError) {
        guard (form["state"]?.unicodeScalars.count ?? 0) <= 512 else {
            throw OAuthError(.invalidRequest, "state is longer than 512 characters", because: "a long state")
        }
        let parsed = try form.parsed("redirect_uri") { try? RedirectURI($0) }
        guard let redirectURI = parsed else { return nil }
        self.init(to: redirectURI, state: form["state"])
    }
}
