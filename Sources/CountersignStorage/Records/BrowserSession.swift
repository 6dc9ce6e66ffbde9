public import FoundationEssentialsCompat

/// The secret in the session cookie of a browser.
public struct BrowserCookie: Secret {
    /// The value of the cookie.
    public let revealed: String
    /// Creates a cookie from its value.
    public init(revealing text: String) { revealed = text }
}

/// A browser when a person signed in there.
public struct BrowserDetails: Sendable, Equatable {
    /// The name of the browser; `nil` if unknown.
    public let name: String?
    /// The network address of the browser; `nil` when the server saw none.
    public let address: String?

    /// Creates the details of a browser.
    public init(name: String? = nil, address: String? = nil) {
        self.name = name
        self.address = address
    }
}

/// A browser where a person is signed in.
public struct BrowserSession: Sendable, Equatable {
    /// The digest of its cookie.
    public let cookie: SecretDigest
    /// The identifier of the session as an approver of requests.
    public let id: ApproverID
    /// The person who is signed in.
    public let subject: Subject
    /// The time when the person authenticated.
    public let authenticated: Date
    /// The way of the authentication.
    public let authentication: Authentication
    /// The expiry of the session.
    public let expires: Date
    /// The approval on another device that opened it; `nil` for a sign-in in the browser itself.
    public let opening: SessionOpening?
    /// The browser when the person signed in there.
    public let browser: BrowserDetails
    /// The time when the browser last used the session, to the hour.
    public var lastUsed: Date

    /// Creates a session to store.
    public init(
        cookie: SecretDigest,
        id: ApproverID,
        subject: Subject,
        authenticated: Date,
        expires: Date,
        by authentication: Authentication = .password,
        opening: SessionOpening? = nil,
        at browser: BrowserDetails = BrowserDetails(),
        lastUsed: Date
    ) {
        self.cookie = cookie
        self.id = id
        self.subject = subject
        self.authenticated = authenticated
        self.authentication = authentication
        self.expires = expires
        self.opening = opening
        self.browser = browser
        self.lastUsed = lastUsed
    }

    /// The person's proofs when they signed in.
    public var proofs: [Evidence.Proof] { Evidence.proofs(of: authentication, at: authenticated) }

    /// The end of the session, if an approver chose it; `nil` for the usual one.
    package var limit: Date? { opening?.isLimited == true ? expires : nil }

    /// The session as the approver of requests.
    public var approver: ApproverIdentity { ApproverIdentity(subject: subject, id: id) }

    /// The position of a session in a list of several people's, which is the same after its end.
    public struct Position: Sendable, Hashable {
        /// The expiry of the session.
        public let expires: Date
        /// The identifier of the session.
        public let id: ApproverID

        /// Creates a position.
        public init(expires: Date, id: ApproverID) {
            self.expires = expires
            self.id = id
        }

        /// Whether a list, in which the session that ends last is the first one, has this position before another one.
        package func isListed(before other: Position) -> Bool {
            expires == other.expires
                ? other.id.rawValue.utf8.lexicographicallyPrecedes(id.rawValue.utf8) : other.expires < expires
        }
    }

    /// The position in a list of several people's sessions.
    public var position: Position { Position(expires: expires, id: id) }
}
