#if os(Linux)
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Takes the packets of one link's sockets, and passes on as many as their senders may send.
struct PacketIntake: Sendable {
    /// The state shared by the sockets.
    private struct State {
        /// Limits the packets that are passed on.
        var limiter: SenderRateLimiter
        /// The number of packets that waited when the last one was passed on.
        var backlog = 0
    }

    /// The state shared by the sockets.
    private let state: NIOLockedValueBox<State>
    private let clock: TimeSource
    /// Takes each packet, and returns how many wait.
    private let deliver: @Sendable (ReceivedPacket) -> Int

    /// An intake that has taken nothing.
    init(clock: TimeSource, delivering deliver: @escaping @Sendable (ReceivedPacket) -> Int) {
        state = NIOLockedValueBox(State(limiter: SenderRateLimiter(at: clock.instant())))
        self.clock = clock
        self.deliver = deliver
    }

    /// Takes one datagram, which is copied only when it is passed on.
    func take(_ envelope: AddressedEnvelope<ByteBuffer>, at socket: UInt32) {
        let (packet, source) = (envelope.data, envelope.remoteAddress)
        let questions = packet.getInteger(at: packet.readerIndex + 4, as: UInt16.self) ?? 0
        let now = clock.instant()
        let isAdmitted = state.withLockedValue { state in
            state.limiter.admits(
                packet.readableBytes, questions: Int(questions), from: source.packed ?? [],
                isBusy: state.backlog > Self.longestBacklog, at: now)
        }
        guard isAdmitted else { return }
        let info = envelope.metadata?.packetInfo
        let backlog = deliver(
            ReceivedPacket(
                packet: Array(packet.readableBytesView),
                source: source,
                destination: info?.destinationAddress,
                interface: info.map { UInt32($0.interfaceIndex) },
                socket: socket
            ))
        state.withLockedValue { $0.backlog = backlog }
    }

    /// The number of waiting packets above which only those of infrequent senders are passed on.
    private static let longestBacklog = 128
}
#endif
