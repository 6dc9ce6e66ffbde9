/// A client's registration for requests over the back channel.
///
/// Standard: OpenID CIBA Core 1.0 §4.
public struct BackchannelRegistration: Sendable, Equatable, Codable {
    /// The delivery mode of decisions.
    public var deliveryMode: BackchannelDeliveryMode
    /// The address for notifications, in the modes *ping* and *push*.
    public var notificationEndpoint: String?
    /// The required algorithm of the client's signed requests; `nil` for a client that need not sign them.
    public var signingAlgorithm: String?
    /// Whether the server reports an unknown person to the client. By default such a request is answered like any
    /// other, and expires without a decision.
    ///
    /// This is an addition of Countersign.
    public var revealsUnknownPeople: Bool
    /// Whether the client shows a number that the person types to approve.
    ///
    /// This is an addition of Countersign.
    public var showsNumber: Bool
    /// Whether the client sends the user codes of people, and learns of a wrong one.
    public var sendsUserCodes: Bool

    /// Creates a registration.
    public init(
        deliveryMode: BackchannelDeliveryMode = .poll,
        notificationEndpoint: String? = nil,
        signingAlgorithm: String? = nil,
        revealsUnknownPeople: Bool = false,
        showsNumber: Bool = false,
        sendsUserCodes: Bool = false
    ) {
        self.deliveryMode = deliveryMode
        self.notificationEndpoint = notificationEndpoint
        self.signingAlgorithm = signingAlgorithm
        self.revealsUnknownPeople = revealsUnknownPeople
        self.showsNumber = showsNumber
        self.sendsUserCodes = sendsUserCodes
    }

    /// The registration of a client that polls, and signs nothing.
    public static let polling = BackchannelRegistration()

    enum CodingKeys: String, CodingKey {
        case deliveryMode = "backchannel_token_delivery_mode"
        case notificationEndpoint = "backchannel_client_notification_endpoint"
        case signingAlgorithm = "backchannel_authentication_request_signing_alg"
        case revealsUnknownPeople = "reveals_unknown_people"
        case showsNumber = "shows_number"
        case sendsUserCodes = "backchannel_user_code_parameter"
    }
}
