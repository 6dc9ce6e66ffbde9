public import Countersign

/// An exchange together with its method, and the code that finds it.
public struct SignInExchangeRecord: Sendable, Equatable {
    /// The request and its state.
    public var exchange: SignInExchange
    /// The digest of the code that the asking side polls with or redeems: its device code, its authorization code, or
    /// the identifier of its request over the back channel.
    public let requestCode: SecretDigest
    /// The method of the request.
    public package(set) var method: SignInMethod
    /// The shortest time between two polls, in seconds: raised by every `slow_down`.
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

/// The HMAC of a user code under the server's key: it finds the code, but a stolen database does not reveal it.
public struct UserCodeDigest: Sendable, Hashable {
    /// The 32 bytes of the HMAC.
    public let bytes: [UInt8]

    package init(restoring bytes: [UInt8]) {
        self.bytes = bytes
    }
}
