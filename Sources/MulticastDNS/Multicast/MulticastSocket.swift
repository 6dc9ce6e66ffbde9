#if os(Linux)
internal import NIOCore
internal import NIOPosix

/// A received packet, with its addresses and interface.
struct ReceivedPacket: Sendable {
    /// The bytes of one datagram.
    let packet: [UInt8]
    let source: SocketAddress
    /// The address that it was sent to, if known.
    let destination: SocketAddress?
    /// The number of the interface that it arrived on, if known.
    let interface: UInt32?
    /// The number of the interface whose socket received it.
    let socket: UInt32
}

/// The socket of one interface for IPv4 or IPv6, at the port that all responders share.
struct MulticastSocket: Sendable {
    private let channel: any Channel
    /// The multicast address and port.
    private let group: SocketAddress

    static let groups = (
        version4: [UInt8](arrayLiteral: 224, 0, 0, 251),
        version6: [0xFF, 0x02] + [UInt8](repeating: 0, count: 13) + [0xFB]
    )

    /// Opens the IPv4 socket of an interface that has the address `own`.
    static func version4(
        on interface: NetworkInterface,
        own: [UInt8],
        delivering intake: PacketIntake
    ) async throws -> MulticastSocket {
        let socket = try await open("0.0.0.0", groups.version4, on: interface, intake)
        // The loopback interface lacks the multicast flag, which NIO checks, so the option is set directly.
        let membership = Membership4(group: word(groups.version4), own: word(own), interface: Int32(interface.index))
        try await socket.set(.ip, Option.membership4, membership)
        // The address is needed too: with the number only, the source address would be another interface's.
        try await socket.set(.ip, Option.sender4, membership)
        try await socket.set(.ip, Option.lifetime4, CInt(255))
        try await socket.set(.ip, Option.unicastLifetime4, CInt(255))
        try await socket.set(.ip, Option.loop4, CInt(1))
        try await socket.set(.ip, Option.allGroups4, CInt(0))
        return socket
    }

    /// Opens the IPv6 socket of an interface.
    static func version6(
        on interface: NetworkInterface,
        delivering intake: PacketIntake
    ) async throws -> MulticastSocket {
        let socket = try await open("::", groups.version6, on: interface, intake)
        let group = groups.version6
        let membership = Membership6(
            group: (word(group[0..<4]), word(group[4..<8]), word(group[8..<12]), word(group[12..<16])),
            interface: interface.index
        )
        try await socket.set(.ipv6, Option.membership6, membership)
        try await socket.set(.ipv6, Option.sender6, CInt(interface.index))
        try await socket.set(.ipv6, Option.lifetime6, CInt(255))
        try await socket.set(.ipv6, Option.unicastLifetime6, CInt(255))
        try await socket.set(.ipv6, Option.loop6, CInt(1))
        try await socket.set(.ipv6, Option.allGroups6, CInt(0))
        return socket
    }

    /// Whether no other program on this machine listens at the port: only then are unicast answers sure to arrive.
    static func isPortFree() async -> Bool {
        let bootstrap = DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        guard let channel = try? await bootstrap.bind(host: "0.0.0.0", port: MulticastPort.number).get() else {
            return false
        }
        try? await channel.close()
        return true
    }

    /// Whether it can be used; it is closed when its interface disappears.
    var isOpen: Bool { channel.isActive }

    /// Whether it is an IPv6 socket.
    var isVersion6: Bool { group.protocol == .inet6 }

    /// Sends a packet by multicast or to one host; returns when the system has it. Errors are ignored: packets may get
    /// lost anyway.
    func send(_ packet: [UInt8], to recipient: OutgoingMessage.Recipient) async {
        let address =
            switch recipient {
            case .everyone: group
            case .one(let address): address
            }
        try? await channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: address, data: channel.allocator.buffer(bytes: packet)))
    }

    /// Closes it; returns when it is closed.
    func close() async { try? await channel.close() }

    /// Opens a socket at the port, which other programs on this machine may use as well.
    private static func open(
        _ any: String,
        _ group: [UInt8],
        on interface: NetworkInterface,
        _ intake: PacketIntake
    ) async throws -> MulticastSocket {
        let index = interface.index
        var bootstrap = DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            .channelOption(.socket(Option.socketLevel, Option.reusePort), value: 1)
            .channelOption(.receivePacketInfo, value: true)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 9216))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Receiver(socket: index, intake: intake))
                }
            }
        if group.count == 16 {
            bootstrap = bootstrap.channelOption(.socket(Option.version6Level, Option.version6Only), value: 1)
        }
        let channel = try await bootstrap.bind(host: any, port: MulticastPort.number).get()
        let address = try SocketAddress(packedIPAddress: ByteBuffer(bytes: group), port: MulticastPort.number)
        return MulticastSocket(channel: channel, group: address)
    }

    /// Sets an option that NIO has no name for.
    private func set(_ level: NIOBSDSocket.OptionLevel, _ option: CInt, _ value: some Sendable) async throws {
        guard let provider = channel as? any SocketOptionProvider else { return }
        try await provider.unsafeSetSocketOption(
            level: level, name: NIOBSDSocket.Option(rawValue: option), value: value
        ).get()
    }

    /// Four bytes as a number in network order.
    private static func word(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }.bigEndian
    }
}

/// Linux's `ip_mreqn`.
private struct Membership4: Sendable {
    let group: UInt32
    let own: UInt32
    let interface: Int32
}

/// Linux's `ipv6_mreq`.
private struct Membership6: Sendable {
    let group: (UInt32, UInt32, UInt32, UInt32)
    let interface: UInt32
}

/// Linux's numbers of options that NIO has no names for.
private enum Option {
    static let (socketLevel, version6Level) = (1, 41)
    static let (reusePort, version6Only): (CInt, CInt) = (15, 26)
    static let (membership4, sender4, lifetime4, loop4): (CInt, CInt, CInt, CInt) = (35, 32, 33, 34)
    static let (unicastLifetime4, allGroups4): (CInt, CInt) = (2, 49)
    static let (membership6, sender6, lifetime6, loop6): (CInt, CInt, CInt, CInt) = (20, 17, 18, 19)
    static let (unicastLifetime6, allGroups6): (CInt, CInt) = (16, 29)
}

/// Passes received packets on.
private final class Receiver: ChannelInboundHandler {
    /// One datagram.
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let socket: UInt32
    private let intake: PacketIntake

    /// Passes packets from the socket of an interface to `intake`.
    init(socket: UInt32, intake: PacketIntake) {
        self.socket = socket
        self.intake = intake
    }

    /// Passes on one datagram, with its addresses and interface.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { intake.take(unwrapInboundIn(data), at: socket) }

    /// Ignores the error of a single datagram; the socket stays open.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
#endif
