#if os(Linux)
internal import NIOCore

/// One interface while it is used: its sockets, and what is told and known on it.
struct MulticastLink: Sendable {
    /// The interface, with the addresses that it has now.
    private(set) var interface: NetworkInterface
    /// One socket for each version of the internet protocol.
    private(set) var sockets: [MulticastSocket]
    /// Answers for what is advertised.
    var responder: LinkResponder
    /// Asks for what is looked for.
    var querier: LinkQuerier

    /// Opens the sockets of an interface, as far as that goes.
    ///
    /// - Throws: what the system says, when none could be opened.
    init(
        on interface: NetworkInterface,
        isAloneAtPort: Bool,
        jitter: Jitter,
        delivering deliver: @escaping @Sendable (ReceivedPacket) -> Void
    ) async throws {
        self.interface = interface
        sockets = []
        responder = LinkResponder(jitter: jitter, isAloneAtPort: isAloneAtPort)
        querier = LinkQuerier(jitter: jitter, isAloneAtPort: isAloneAtPort)
        var failure: (any Error)?
        if let own = interface.version4 {
            do {
                sockets.append(try await .version4(on: interface, own: own, delivering: deliver))
            } catch {
                failure = error
            }
        }
        if interface.hasVersion6 {
            do {
                sockets.append(try await .version6(on: interface, delivering: deliver))
            } catch {
                failure = error
            }
        }
        if sockets.isEmpty, let failure { throw failure }
    }

    /// Whether the sockets still fit an interface of that state.
    ///
    /// - Parameter other: What it is compared with.
    func fits(_ other: NetworkInterface) -> Bool {
        other.version4 == interface.version4 && other.hasVersion6 == interface.hasVersion6
            && sockets.allSatisfy(\.isOpen)
    }

    /// Takes note of other addresses that need no other sockets.
    ///
    /// - Parameter other: What it is compared with.
    mutating func note(_ other: NetworkInterface) {
        interface = other
    }

    /// Everything that is to be sent, packet by packet, with the socket for each.
    ///
    /// - Parameter dispatches: The messages, each with its recipient.
    func outgoing(_ dispatches: [OutgoingMessage]) -> [(
        socket: MulticastSocket, packet: [UInt8], to: OutgoingMessage.Recipient
    )] {
        dispatches.flatMap { dispatch in
            dispatch.packets.flatMap { packet in
                sockets.filter { socket in
                    switch dispatch.recipient {
                    case .everyone: true
                    case .one(let address): socket.isVersion6 == (address.protocol == .inet6)
                    }
                }
                .map { ($0, packet, dispatch.recipient) }
            }
        }
    }

    /// Closes the sockets; returns when that is done.
    func close() async {
        for socket in sockets { await socket.close() }
    }

    /// Whether a packet comes from this link: it was sent to everybody, which no router passes on, or its source has one of
    /// the interface's own prefixes. (RFC 6762 §11)
    ///
    /// - Parameter arrival: The packet, with what the system says about its way.
    func believes(_ arrival: ReceivedPacket) -> Bool {
        arrival.isMulticast || isOnLink(arrival.source)
    }

    /// Whether an address is on this link by its prefix.
    ///
    /// - Parameter address: The network address.
    func isOnLink(_ address: SocketAddress) -> Bool {
        guard let bytes = address.packed else { return false }
        return interface.addresses.contains { $0.hasOnLink(bytes) }
    }
}

extension ReceivedPacket {
    /// Whether it was sent to everybody.
    var isMulticast: Bool {
        let bytes = destination?.packed
        return bytes == MulticastSocket.groups.version4 || bytes == MulticastSocket.groups.version6
    }
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
#endif
