/// A part of the queue with separate slots, so that an unresponsive server delays no message.
public enum DeliveryLane: String, Sendable, Hashable, CaseIterable {
    /// Texts, mails and push messages, over a few services.
    case messages
    /// Push messages over the many services that devices and browsers name.
    case webPush = "web_push"
    /// Calls of many servers.
    case calls
}

extension DeliveryLane {
    /// The maximum number of concurrent attempts of the lane at one node.
    package var slots: Int {
        switch self {
        // Enough for each of the four services: both gateways, Apple and Google.
        case .messages: 4 * slotsPerReceiver
        case .webPush: 64
        case .calls: 48
        }
    }

    /// The maximum number of concurrent attempts for one receiver.
    package var slotsPerReceiver: Int {
        switch self {
        case .messages: 16
        // Most browsers of one maker have the same service.
        case .webPush: 16
        case .calls: 3
        }
    }
}
