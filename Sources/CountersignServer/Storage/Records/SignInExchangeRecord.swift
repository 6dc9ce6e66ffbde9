public import Countersign

/// An exchange together with the codes that find it.
public struct SignInExchangeRecord: Sendable, Equatable {
    /// The request and its state.
    public var exchange: SignInExchange
    /// The digest of the code that the requester polls with; of its authorization code if it has a ``binding``, and of
    /// the identifier of its request over the back channel if it has terms for that.
    public let deviceCode: SecretDigest
    /// The digest of the code that the person types or scans.
    public let userCode: UserCodeDigest
    /// The shortest time between two polls, in seconds: raised by every `slow_down`.
    public var interval: Int
    /// The binding of the authorization code, if the client gets its answer by a redirect; then the code takes the
    /// place of the device code. `nil` for a client that polls.
    public let binding: AuthorizationBinding?
    /// The additional fields of a request over the back channel; `nil` for every other request.
    public let backchannel: BackchannelTerms?
    /// The additional fields of a request for enrolled devices; `nil` for a request without them.
    public var authenticator: AuthenticatorTerms?
    /// The requirements for its approval.
    public var terms: ApprovalTerms
    /// SHA-256 challenge that a nearby phone must answer; `nil` when the client sent none.
    public let nearbyChallenge: NearbyChallenge?

    /// Creates an exchange to store.
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
