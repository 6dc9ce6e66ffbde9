package import NIOCore

/// A message that was received on the local link.
package struct ReceivedMessage: Sendable {
    package let message: Message
    package let source: SocketAddress
    /// Whether it was sent by multicast.
    package let isMulticast: Bool
    /// Whether it is a message of this host that was looped back.
    package let isEcho: Bool

    package init(_ message: Message, from source: SocketAddress, isMulticast: Bool = true, isEcho: Bool = false) {
        self.message = message
        self.source = source
        self.isMulticast = isMulticast
        self.isEcho = isEcho
    }

    /// The address of the sender without its port, 4 or 16 bytes.
    var sender: [UInt8] { source.packed ?? [] }

    /// Whether the sender uses multicast DNS; others are plain unicast resolvers, whose answers are ignored.
    var isFromMulticastPort: Bool { source.port == MulticastPort.number }
}

extension SocketAddress {
    /// The 4 or 16 bytes of the address alone.
    var packed: [UInt8]? {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
        case .v6(let address): withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
        case .unixDomainSocket: nil
        }
    }
}

/// The port of multicast DNS.
package enum MulticastPort {
    /// The number, for UDP.
    ///
    /// Standard: RFC 6762 §3.
    package static let number = 5353
}

/// A message that is to be sent.
package struct OutgoingMessage: Sendable, Equatable {
    /// The receiver of a message.
    package enum Recipient: Sendable, Hashable {
        /// The multicast group of the link.
        case everyone
        /// One host, at its address and port.
        case one(SocketAddress)
    }

    package var message: Message
    package var recipient: Recipient
    /// Whether it is for a plain resolver, which does not support name compression in newer record types.
    package var isForResolver = false

    package init(_ message: Message, to recipient: Recipient) {
        self.message = message
        self.recipient = recipient
    }

    package var packets: [[UInt8]] { message.packets(shorteningHosts: !isForResolver) }
}
