public import FoundationEssentialsCompat

/// Sends text messages to telephones.
///
/// A call must end within ``DeliveryTimes/longestCall``. A repeated message has the same identifier.
public protocol SMSGateway: Sendable {
    /// Sends a message, once.
    ///
    /// - Parameter message: The number, the words and the expiry, with the identifier of all attempts.
    /// - Returns: The outcome of the attempt.
    func send(_ message: TextMessage) async -> DeliveryOutcome
}

/// A text message to send.
public struct TextMessage: Sendable, Equatable {
    /// The identifier, the same in every attempt, so that a gateway can detect repetitions.
    public let id: Delivery.ID
    /// The number of the receiver.
    public let number: PhoneNumber
    /// The words.
    public let text: MessageText
    /// The expiry of the message.
    public let expires: Date

    /// Creates a message.
    public init(id: Delivery.ID, to number: PhoneNumber, _ text: MessageText, expires: Date) {
        self.id = id
        self.number = number
        self.text = text
        self.expires = expires
    }
}
