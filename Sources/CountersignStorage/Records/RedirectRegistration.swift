/// A client's registration for authorization in a browser: the addresses for answers, and the consent of people.
///
/// Standard: RFC 7591 §2; RFC 9101 §10.5; RFC 9126 §6; OpenID Connect RP-Initiated Logout 1.0 §3.1.
public struct RedirectRegistration: Sendable, Equatable, Codable {
    /// Whether people are asked for their consent.
    public enum Consent: String, Sendable, Codable, CaseIterable {
        /// A person is asked once for each scope value; the consent is stored.
        case ask
        /// People are not asked: the client belongs to the same organisation as the server.
        case skip
    }

    /// The addresses for answers; each is compared character by character, except for the port of a loopback address.
    public var redirectURIs: [String]
    /// The addresses for a browser after a sign-out at the client's request.
    public var postLogoutRedirectURIs: [String]
    /// The origins of its web pages, which may call the endpoints for clients.
    public var webOrigins: [WebOrigin]
    /// Whether people are asked.
    public var consent: Consent
    /// Whether requests must be pushed, so that a browser cannot change them.
    public var requiresPushedRequests: Bool
    /// Whether requests must be signed with one of the client's keys. Standard: RFC 9101 §10.5.
    public var requiresSignedRequests: Bool
    /// Whether requests need a PKCE challenge.
    public var pkce: PKCEUse
    /// The security profile; `nil` for none.
    public var profile: SecurityProfile?
    /// The registration for logout tokens; `nil` for none.
    public var backChannelLogout: BackChannelLogout?

    /// Creates a registration.
    public init(
        redirectURIs: [String] = [],
        postLogoutRedirectURIs: [String] = [],
        webOrigins: [WebOrigin] = [],
        consent: Consent = .ask,
        requiresPushedRequests: Bool = false,
        requiresSignedRequests: Bool = false,
        pkce: PKCEUse = .required,
        profile: SecurityProfile? = nil,
        backChannelLogout: BackChannelLogout? = nil
    ) {
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs
        self.webOrigins = webOrigins
        self.consent = consent
        self.requiresPushedRequests = requiresPushedRequests
        self.requiresSignedRequests = requiresSignedRequests
        self.pkce = pkce
        self.profile = profile
        self.backChannelLogout = backChannelLogout
    }

    /// The registration of a client without authorization in a browser.
    public static let none = RedirectRegistration()

    enum CodingKeys: String, CodingKey {
        case redirectURIs = "redirect_uris"
        case postLogoutRedirectURIs = "post_logout_redirect_uris"
        case webOrigins = "web_origins"
        case consent
        case backChannelLogout = "backchannel_logout"
        case requiresPushedRequests = "require_pushed_authorization_requests"
        case requiresSignedRequests = "require_signed_request_object"
        case pkce, profile
    }
}
