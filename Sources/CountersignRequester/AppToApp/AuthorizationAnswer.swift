public import CountersignTransport
public import CountersignWire

/// The provider's answer to a request for authorization, with `Granted` where the person approved.
///
/// Every address that can open an app is one of these; reading never fails.
public enum AuthorizationAnswer<Granted: Sendable & Equatable>: Sendable, Equatable {
    /// The person approved.
    case granted(Granted)
    /// The person refused (`access_denied`, or Apple's or LinkedIn's code for it).
    case denied
    /// The provider refused for another reason. ``OAuthError/code`` is the reason, ``OAuthError/description`` is the
    /// provider's text for a developer, and with ``OAuthError/isTransient`` the same may succeed later.
    case refused(OAuthError)
    /// This app did not ask, or not recently: a hint at most. An attacker may have sent it to sign the person in to
    /// another account, so nothing in it is used; the app may offer its own sign-in
    /// (``AppToAppSignIn/start(offeringStore:)``).
    case unasked
    /// The address is none of this sign-in's redirect URIs, but some other link to the app.
    case otherAddress
    /// It answers a request of this app, and is not acceptable; the sign-in has ended.
    case rejected(AuthorizationResponseError)

    /// The same answer with another value where the person approved.
    ///
    /// ```swift
    /// let completed = await answer.map { await signIn.redeem($0) }
    /// ```
    ///
    /// - Parameter transform: Makes that value, such as what came of redeeming the code.
    /// - Returns: The answer with the new value; every other answer unchanged.
    public func map<Other: Sendable & Equatable>(
        _ transform: (Granted) async -> Other
    ) async -> AuthorizationAnswer<Other> {
        switch self {
        case .granted(let granted): .granted(await transform(granted))
        case .denied: .denied
        case .refused(let error): .refused(error)
        case .unasked: .unasked
        case .otherAddress: .otherAddress
        case .rejected(let fault): .rejected(fault)
        }
    }
}

extension OAuthError: TransientError {
    /// Whether the server reports a failure or an overload.
    ///
    /// Standard: RFC 6749 §4.1.2.1: `server_error` and `temporarily_unavailable` stand for 500 and 503, which no
    /// redirect can have.
    public var isTransient: Bool { [.serverError, .temporarilyUnavailable].contains(code) }
}
