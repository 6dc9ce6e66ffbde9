public import Countersign
public import CountersignWire

/// The outcome of a request over the back channel.
public enum BackchannelOutcome: Sendable, Equatable {
    /// The person approved; these are the tokens, and who they are.
    case signedIn(CompletedSignIn)
    /// The person refused, or took the approval back.
    case denied
    /// No decision was made in time. A server may answer so, too, for a person whom it does not know.
    case expired
}

/// A request over the back channel that the server has accepted, until there is a decision.
///
/// It may be stored until the server's notification, over a restart too, by its three members:
/// ``init(restoring:scope:notificationToken:)``. ``BackchannelSignIn/outcome(of:)`` needs nothing else.
public struct AwaitedDecision: Sendable, Equatable {
    /// The server's response.
    public let response: BackchannelAuthenticationResponse
    /// The requested scope.
    public let scope: Scope
    /// The token that proves the server's calls; `nil` for a client that only polls.
    public let notificationToken: ClientNotificationToken?
    /// The identifier that lets the server repeat a lost answer; `nil` when none was drawn.
    public let requestID: TokenRequestID?
    /// Whether the server has announced a decision, so that it may be polled at once.
    public private(set) var isDecided = false

    init(
        _ response: BackchannelAuthenticationResponse,
        scope: Scope,
        notificationToken: ClientNotificationToken?,
        requestID: TokenRequestID?
    ) {
        self.response = response
        self.scope = scope
        self.notificationToken = notificationToken
        self.requestID = requestID
    }

    /// A request from its kept members.
    public init(
        restoring response: BackchannelAuthenticationResponse,
        scope: Scope,
        notificationToken: ClientNotificationToken?,
        requestID: TokenRequestID? = nil
    ) {
        self.init(response, scope: scope, notificationToken: notificationToken, requestID: requestID)
    }

    /// Takes in a request that arrived at the client's notification endpoint.
    ///
    /// - Parameters:
    ///   - notification: The body, read as JSON.
    ///   - authorization: The value of its `Authorization` header; `nil` without one.
    /// - Returns: Whether it is about this request, and comes from the server; anything else is to be answered with
    ///   401.
    ///
    /// Standard: OpenID CIBA Core 1.0 §10.2.
    public mutating func take(_ notification: BackchannelNotification, authorization: String?) -> Bool {
        guard let notificationToken, notification.request == response.request,
            let presented = authorization.flatMap({ BearerHeader.token(in: $0) }),
            ClientNotificationToken(revealing: presented.revealed) == notificationToken
        else { return false }
        isDecided = true
        return true
    }
}
