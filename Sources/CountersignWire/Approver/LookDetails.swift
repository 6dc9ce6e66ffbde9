/// The facts specific to one way of finding the request; their members are siblings of those of ``ApproverLook``.
public protocol LookDetails: Sendable, Equatable, Codable {
    static var method: ApprovalMethod { get }
}

/// The facts of the request of a screen nearby.
public struct NearbyLook: LookDetails {
    /// The code and the verifier from the screen.
    public static let method = ApprovalMethod.nearby
    /// The network address that it asks from, observed; `nil` when the server saw none.
    public var address: String?
    /// Whether the server observes both devices in the same network.
    public var sameNetwork: SameNetwork
    /// The conditions for an approval; `nil` when the server does not say.
    @TolerantMember public var approval: ApprovalConditions?

    /// Creates the facts; the conditions are `nil`.
    public init(address: String?, sameNetwork: SameNetwork) {
        self.address = address
        self.sameNetwork = sameNetwork
    }

    enum CodingKeys: String, SnakeCaseKey { case address, sameNetwork, approval }
}

/// The facts of the authorization request of another app.
public struct AuthorizationLook: LookDetails {
    /// The parameters that the app was opened with.
    public static let method = ApprovalMethod.authorization

    /// One thing that the other app would be allowed.
    public struct Permission: Sendable, Hashable, Codable {
        /// The scope value.
        public let word: ScopeWord
        /// The meaning, in words for people.
        public let meaning: String

        /// Creates a permission.
        public init(_ word: ScopeWord, meaning: String) {
            self.word = word
            self.meaning = meaning
        }
    }

    /// The address of the answer; registered.
    public var redirectURI: String
    /// The permissions that the app would get: the scope values.
    public var permissions: [Permission]
    /// The challenge that the code will be bound to.
    public var challenge: CodeChallenge
    /// Whether this person allowed that app all of it before.
    public var isAllowedBefore: Bool
    /// Whether the person must be asked in any case.
    public var mustAsk: Bool

    /// Creates the facts.
    public init(
        redirectURI: String,
        permissions: [Permission],
        challenge: CodeChallenge,
        isAllowedBefore: Bool,
        mustAsk: Bool
    ) {
        self.redirectURI = redirectURI
        self.permissions = permissions
        self.challenge = challenge
        self.isAllowedBefore = isAllowedBefore
        self.mustAsk = mustAsk
    }

    enum CodingKeys: String, SnakeCaseKey {
        case redirectURI, permissions, mustAsk
        case challenge = "code_challenge"
        case isAllowedBefore = "allowed_before"
    }
}

/// The facts of the request of a screen on the same device.
public struct ActivationLook: LookDetails {
    /// The code and the way back in the link that opened the app.
    public static let method = ApprovalMethod.activation
    /// The address of the answer; registered.
    public var redirectURI: String
    /// The permissions that the screen would get: the scope values.
    public var permissions: [AuthorizationLook.Permission]
    /// The name that the screen claims for itself; `nil` when it gave none.
    public var deviceName: String?

    /// Creates the facts.
    public init(redirectURI: String, permissions: [AuthorizationLook.Permission], deviceName: String?) {
        self.redirectURI = redirectURI
        self.permissions = permissions
        self.deviceName = deviceName
    }

    enum CodingKeys: String, SnakeCaseKey { case redirectURI, permissions, deviceName }
}

/// The facts of a request in the inbox of a device.
public struct InboxLook: LookDetails {
    /// The inbox or a push message.
    public static let method = ApprovalMethod.inbox

    /// The way on which a request came to the server.
    public enum Channel: String, Sendable, Hashable, Codable, CaseIterable {
        /// A screen that shows a code, and remembers the person or got a code of theirs.
        case deviceCode = "device_code"
        /// A browser at the sign-in page of the server, which got a code of the person.
        case browserSession = "browser_session"
        /// A browser at the server's page for a forgotten password, which got a code of the person.
        case passwordReset = "password_reset"
        /// A device where the person signed in before.
        case singleSignOn = "single_sign_on"
        /// A client that named the person.
        case backchannel
        /// A site of a customer that named the person's telephone number.
        case customerSite = "site"
    }

    /// The way on which the request came; `nil` when the server does not say.
    @TolerantMember public private(set) var channel: Channel?
    /// The name that the asking screen claims for itself; `nil` when it gave none.
    @TolerantMember public private(set) var deviceName: String?
    /// The software of the asking side, by its own words, as "Firefox, Linux"; `nil` when it gave none.
    @TolerantMember public var software: String?
    /// The requested kind of answer.
    public var kind: AuthenticationRequest.Kind
    /// The site of the request; `nil` for a request that was not made by a site.
    public var environment: CustomerSiteListing?
    /// The requesting party's message, which the person should also see on the screen where they started; `nil` for
    /// nothing.
    public var message: String?
    /// The address of the person who signs in, asserted by the requesting party; `nil` when it gave none.
    public var address: String?
    /// The place of that address, as far as the server knows; `nil` when it does not.
    public var place: AuthenticationRequest.Location?
    /// The length of the number that is shown where the person started, and that they type to approve:
    /// ``VerificationNumber/length``; `nil` when there is none.
    public var numberDigits: Int?
    /// The conditions for an approval; `nil` when the server does not say, and for a one-time password.
    @TolerantMember public var approval: ApprovalConditions?
    /// The one-time password that the person types at the other screen; `nil` for a request to approve.
    public var pin: String?

    /// Creates the facts; the others are `nil`.
    public init(kind: AuthenticationRequest.Kind, channel: Channel? = nil, deviceName: String? = nil) {
        self.kind = kind
        self.channel = channel
        self.deviceName = deviceName
    }

    enum CodingKeys: String, SnakeCaseKey {
        case channel, deviceName, software, environment, address, numberDigits, approval, pin
        case kind = "auth_type"
        case message = "binding_message"
        case place = "geoip"
    }
}
