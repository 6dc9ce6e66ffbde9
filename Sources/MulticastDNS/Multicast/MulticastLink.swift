#if os(Linux)
internal import NIOCore

/// One interface in use: its sockets, its responder and its querier.
struct MulticastLink: Sendable {
    private(set) var interface: NetworkInterface
    /// The IPv4 socket and the IPv6 socket; one may be missing.
    private(set) var sockets: [MulticastSocket]
    /// Answers for advertised services.
    var responder: LinkResponder
    /// Queries for searches.
    var querier: LinkQuerier

    /// Opens the sockets of an interface; one of the two may fail.
    ///
    /// - Throws: The system's error, when none could be opened.
    init(
        on interface: NetworkInterface,
        ownsPort: Bool,
        jitter: Jitter,
        delivering intake: PacketIntake
    ) async throws {
        self.interface = interface
        sockets = []
        responder = LinkResponder(jitter: jitter, ownsPort: ownsPort)
        querier = LinkQuerier(jitter: jitter, ownsPort: ownsPort)
        var failure: (any Error)?
        if let own = interface.version4 {
            do {
                sockets.append(try await .version4(on: interface, own: own, delivering: intake))
            } catch {
                failure = error
            }
        }
        if interface.hasVersion6 {
            do {
                sockets.append(try await .version6(on: interface, delivering: intake))
            } catch {
                failure = error
            }
        }
        if sockets.isEmpty, let failure { throw failure }
    }

    /// Whether the sockets can still be used when the interface has changed to `other`.
    func fits(_ other: NetworkInterface) -> Bool {
        other.version4 == interface.version4 && other.hasVersion6 == interface.hasVersion6
            && sockets.allSatisfy(\.isOpen)
    }

    /// Records changed addresses that need no new sockets.
    mutating func note(_ other: NetworkInterface) { interface = other }

    /// All packets to send, each with its socket.
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

    /// Closes the sockets; returns when they are closed.
    func close() async {
        for socket in sockets { await socket.close() }
    }

    /// Whether a packet comes from this link: it was sent by multicast, which routers do not forward, or its source has
    /// one of the interface's own prefixes (RFC 6762 §11).
    func believes(_ arrival: ReceivedPacket) -> Bool { arrival.isMulticast || isOnLink(arrival.source) }

    /// Whether an address is on this link by its prefix.
    func isOnLink(_ address: SocketAddress) -> Bool {
        guard let bytes = address.packed else { return false }
        return interface.addresses.contains { $0.hasOnLink(bytes) }
    }
}

extension ReceivedPacket {
    /// Whether it was sent by multicast.
    var isMulticast: Bool {
        let bytes = destination?.packed
        return bytes == MulticastSocket.groups.version4 || bytes == MulticastSocket.groups.version6
    }
}
#endif
