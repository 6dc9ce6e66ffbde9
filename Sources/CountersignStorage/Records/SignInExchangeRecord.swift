/// An exchange with its method and its device code.
public struct SignInExchangeRecord: Sendable, Equatable {
    /// The request and its state.
    public var exchange: SignInExchange
    /// The digest of the device code, the authorization code, or the `auth_req_id`.
    public let requestCode: SecretDigest
    /// The method of the request.
    public package(set) var method: SignInMethod
    /// The shortest time between two polls, in seconds; raised by every `slow_down`.
    public var interval: Int
    /// The requirements for its approval.
    public var terms: ApprovalTerms

    /// Creates an exchange to store.
    public init(
        exchange: SignInExchange,
        requestCode: SecretDigest,
        method: SignInMethod,
        interval: Int,
        terms: ApprovalTerms = .standard
    ) {
        self.exchange = exchange
        self.requestCode = requestCode
        self.method = method
        self.interval = interval
        self.terms = terms
    }

    /// The identifier of the request.
    public var id: SignInRequest.ID { exchange.request.id }
}

/// The HMAC of a user code under the server's key, so that a stolen database does not reveal the code.
public struct UserCodeDigest: Sendable, Hashable {
    /// The 32 bytes of the HMAC.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }
}
