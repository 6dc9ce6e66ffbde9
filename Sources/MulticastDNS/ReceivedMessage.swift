package import NIOCore

/// A message as it came in from the local link.
package struct ReceivedMessage: Sendable {
    package let message: Message
    package let source: SocketAddress
    /// Whether it was sent to everybody.
    package let isMulticast: Bool
    /// Whether it is one of our own that came back.
    package let isEcho: Bool

    package init(_ message: Message, from source: SocketAddress, isMulticast: Bool = true, isEcho: Bool = false) {
        self.message = message
        self.source = source
        self.isMulticast = isMulticast
        self.isEcho = isEcho
    }

    /// Whether the sender speaks multicast DNS; others are plain resolvers, whose answers are nobody's.
    var isFromMulticastPort: Bool { source.port == MulticastPort.number }
}

/// The port of multicast DNS.
package enum MulticastPort {
    package static let number = 5353
}

/// A message that is to be sent.
package struct OutgoingMessage: Sendable, Equatable {
    package enum Recipient: Sendable, Hashable {
        case everyone
        case one(SocketAddress)
    }

    package var message: Message
    package var recipient: Recipient
    /// Whether a plain resolver gets it, which does not know shortened names in new types of records.
    package var isForResolver = false

    package init(_ message: Message, to recipient: Recipient) {
        self.message = message
        self.recipient = recipient
    }

    /// The packets that hold it.
    package var packets: [[UInt8]] { message.packets(shorteningHosts: !isForResolver) }
}
