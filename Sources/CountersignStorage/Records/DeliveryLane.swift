/// A part of the queue with workers of its own, so that a server that never answers delays no message.
public enum DeliveryLane: String, Sendable, Hashable, CaseIterable {
    /// Text and push messages, which a few services bring to everybody.
    case messages
    /// Calls of servers; each server receives its own.
    case calls
}

extension DeliveryLane {
    /// The maximum number of items of the lane that one node works on at once.
    package var slots: Int {
        switch self {
        // Enough for each of the three services: the gateway, Apple and Google.
        case .messages: 3 * slotsPerReceiver
        case .calls: 48
        }
    }

    /// The maximum number of those for one receiver.
    package var slotsPerReceiver: Int {
        switch self {
        case .messages: 16
        case .calls: 3
        }
    }
}
