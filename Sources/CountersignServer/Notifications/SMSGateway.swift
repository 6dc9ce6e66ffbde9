public import CountersignWire
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sends text messages to telephones.
///
/// A call must end within ``DeliveryTimes/longestCall``. A message whose answer was lost is sent again with the same
/// identifier.
public protocol SMSGateway: Sendable {
    /// Hands a message to the network, once.
    ///
    /// - Parameter message: Number, words and expiry, with the identifier of all attempts.
    /// - Returns: The outcome of the attempt.
    func send(_ message: TextMessage) async -> DeliveryOutcome
}

/// A text message to send.
public struct TextMessage: Sendable, Equatable {
    /// The identifier, the same in every attempt; a gateway that knows it already sends nothing again.
    public let id: Delivery.ID
    /// The number to send it to.
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
