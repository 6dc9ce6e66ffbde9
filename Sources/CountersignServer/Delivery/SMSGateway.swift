public import CountersignWire
public import Foundation

/// Sends text messages to telephones.
///
/// A call must end within ``DeliveryTimes/longestCall``. A message whose answer was lost is sent again with the same
/// identifier.
public protocol SMSGateway: Sendable {
    /// Hands a message to the network, once.
    ///
    /// - Parameter message: Number, words and expiry, with the identifier of all attempts.
    /// - Returns: What became of it.
    func send(_ message: TextMessage) async -> DeliveryOutcome
}

/// A text message to send.
public struct TextMessage: Sendable, Equatable {
    /// The identifier, the same in every attempt; a gateway that knows it already sends nothing again.
    public let id: Delivery.ID
    /// To where.
    public let number: PhoneNumber
    /// The words.
    public let text: MessageText
    /// When the words make no sense any more.
    public let expires: Date

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - id: The identifier, the same in every attempt.
    ///   - number: To where.
    ///   - text: The words.
    ///   - expires: When the words make no sense any more.
    public init(id: Delivery.ID, to number: PhoneNumber, _ text: MessageText, expires: Date) {
        self.id = id
        self.number = number
        self.text = text
        self.expires = expires
    }
}

/// The outcome of one attempt to send something.
public enum DeliveryOutcome: Sendable, Equatable {
    /// It was accepted.
    case accepted
    /// It is refused for good; the reason is for the log.
    case rejected(String)
    /// The app is not on that device any more; the reason is for the log.
    case deadAddress(String)
    /// It was sent, and the answer was lost: it may have been accepted. It is not sent again, since each text message
    /// costs money; the reason is for the log.
    case unknown(String)
    /// It may be accepted later, in so many seconds at the earliest if the other side said when; the reason is for the
    /// log.
    case retry(String, after: Int? = nil)
}

/// The times of deliveries.
public enum DeliveryTimes {
    /// How long one call of a gateway, a push service or a customer's server may take.
    public static let longestCall: Duration = .seconds(10)
    /// How long after each attempt at a message the next one follows, in seconds; a message is given up when it
    /// expires.
    static let messageDelays: [TimeInterval] = [15, 20, 30, 45, 60, 90, 120, 240, 480, 600]
    /// The same for calls of customers' servers: about 80 minutes altogether.
    static let webhookDelays: [TimeInterval] = [15, 30, 60, 120, 300, 600, 900, 1200, 1500, 15]
    /// How long the result of a request makes sense to a customer's server, in seconds.
    public static let webhookLifetime: TimeInterval = 6 * 3600
}
