public import Countersign

/// An exchange together with the codes under which it is found.
public struct SignInExchangeRecord: Sendable, Equatable {
    /// The request and its state.
    public var exchange: SignInExchange
    /// The digest of the code by which the requester polls; of its authorization code if it has a ``binding``, and of
    /// the identifier of its request over the back channel if it has terms for that.
    public let deviceCode: SecretDigest
    /// The digest of the code that the person types or scans.
    public let userCode: UserCodeDigest
    /// The shortest time between two polls, in seconds: raised by every `slow_down`.
    public var interval: Int
    /// What the authorization code is bound to, if the client gets its answer by a redirect; then the code takes the
    /// place of the device code. `nil` for a client that polls.
    public let binding: AuthorizationBinding?
    /// What belongs to a request over the back channel; `nil` for every other request.
    public let backchannel: BackchannelTerms?
    /// What enrolled devices need beside what every request has; `nil` for a request of which they are told nothing
    /// more.
    public var authenticator: AuthenticatorTerms?
    /// What it may be approved with.
    public var terms: ApprovalTerms
    /// SHA-256 challenge that a nearby phone must answer; `nil` when the client sent none.
    public let nearbyChallenge: NearbyChallenge?

    /// Creates an exchange to store.
    ///
    /// - Parameters:
    ///   - exchange: The request and its state.
    ///   - deviceCode: The digest of the code by which the requester polls.
    ///   - userCode: The digest of the code that the person types or scans.
    ///   - interval: How long the requester must leave between two polls, in seconds.
    ///   - nearbyChallenge: The SHA-256 challenge of the requester for phones nearby; `nil` when it offers none.
    ///   - binding: What the authorization code is bound to; `nil` by default, for a requester that polls.
    ///   - backchannel: What belongs to a request over the back channel; `nil`, the default, for every other request.
    ///   - authenticator: What enrolled devices need beside it; `nil`, the default, for nothing.
    ///   - terms: What it may be approved with; ``ApprovalTerms/standard`` by default.
    public init(
        exchange: SignInExchange,
        deviceCode: SecretDigest,
        userCode: UserCodeDigest,
        interval: Int,
        nearbyChallenge: NearbyChallenge? = nil,
        binding: AuthorizationBinding? = nil,
        backchannel: BackchannelTerms? = nil,
        authenticator: AuthenticatorTerms? = nil,
        terms: ApprovalTerms = .standard
    ) {
        self.exchange = exchange
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.interval = interval
        self.nearbyChallenge = nearbyChallenge
        self.binding = binding
        self.backchannel = backchannel
        self.authenticator = authenticator
        self.terms = terms
    }

    /// The identifier of the request.
    public var id: SignInRequest.ID { exchange.request.id }
}

/// The HMAC of a user code under the server's key: it finds the code, but a stolen database does not reveal it.
public struct UserCodeDigest: Sendable, Hashable {
    /// The 32 bytes of the HMAC.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }
}
