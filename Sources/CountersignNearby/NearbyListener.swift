internal import Countersign
public import MulticastDNS
internal import NIOCore
internal import NIOPosix

/// The approver's side of nearby sign-in: makes itself known, listens, and lets the app answer.
///
///     let listener = NearbyListener(settings, approval: app, discovery: discovery)
///     async let running: Void = listener.run()
///     _ = await listener.openWindow()  // the person opens "sign in a screen"
///
/// Screens that it knows are heard whenever it runs, others only while the window is open. Cancelling the task in which
/// it runs ends all conversations and withdraws what was made known.
public final class NearbyListener: Sendable {
    /// Why an approver cannot listen.
    public struct ListeningError: Error, Sendable, CustomStringConvertible {
        public let description: String
    }

    private let settings: NearbySettings
    private let approval: any NearbyApproval
    private let discovery: (any Discovery)?
    private let place: NearbyListeningPlace
    private let coordinator: ListenerCoordinator

    /// An approver.
    ///
    /// - Parameters:
    ///   - discovery: How it is made known; `nil` for one whose address requesters are told otherwise.
    ///   - place: Where it listens.
    public init(
        _ settings: NearbySettings,
        approval: any NearbyApproval,
        discovery: (any Discovery)?,
        at place: NearbyListeningPlace = NearbyListeningPlace(),
        limits: ListenerLimits = .standard
    ) {
        self.settings = settings
        self.approval = approval
        self.discovery = discovery
        self.place = place
        coordinator = ListenerCoordinator(settings: settings, approval: approval, limits: limits)
    }

    /// Lets screens be heard that are not remembered, for ten minutes or until ``closeWindow()``.
    ///
    /// - Returns: `nil`, or from when on that is possible again after too many wrong codes.
    public func openWindow() async -> ContinuousClock.Instant? {
        await coordinator.openWindow()
    }

    /// Lets no screen be heard any more that is not remembered; those that wait are sent away.
    public func closeWindow() async {
        await coordinator.closeWindow()
    }

    /// Whether screens are heard that are not remembered.
    public var isWindowOpen: Bool {
        get async { await coordinator.isWindowOpen }
    }

    /// Whether a screen is being answered.
    public var isBusy: Bool {
        get async { await coordinator.isBusy }
    }

    /// Listens until its task is cancelled.
    ///
    /// - Parameters:
    ///   - ready: Told the port once it listens and is being made known.
    ///   - found: Told the name by which it is found once that is sure, and each that takes its place later.
    /// - Throws: ``ListeningError`` when the place is taken or not ours, ``DiscoveryError`` when it cannot be made known.
    public func run(
        ready: @escaping @Sendable (_ port: UInt16) async -> Void = { _ in },
        found: @escaping @Sendable (_ name: String) async -> Void = { _ in }
    ) async throws {
        let server = try await bind()
        let port = UInt16(server.channel.localAddress?.port ?? 0)
        let presence: NearbyPresence?
        do {
            presence = try self.presence(at: port, telling: found)
            try await presence?.begin()
        } catch {
            try? await server.channel.close()
            throw error
        }
        await ready(port)
        let renaming = Task { [coordinator, settings] in
            await presence?.rename(every: settings.times.name) { await coordinator.isBusy }
        }
        await withTaskCancellationHandler {
            await accept(from: server)
        } onCancel: {
            server.channel.close(promise: nil)
        }
        renaming.cancel()
        await renaming.value
        await presence?.end()
    }

    private func presence(
        at port: UInt16,
        telling found: @escaping @Sendable (String) async -> Void
    ) throws -> NearbyPresence? {
        guard let discovery else { return nil }
        let service = ServiceAdvertisement(
            name: place.instanceName,
            type: .countersign(app: settings.app.rawValue),
            port: port,
            text: try ServiceText(["v": "1"])
        )
        return NearbyPresence(of: service, by: discovery, clock: settings.clock, telling: found)
    }

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private func accept(from server: NIOAsyncChannel<Connection, Never>) async {
        // Its conversations are told to stop and have a last word, so they are not cancelled with it.
        let accepting = Task { [self] in
            await withDiscardingTaskGroup { group in
                try? await server.executeThenClose { inbound in
                    for try await connection in inbound {
                        await begin(connection, in: &group)
                    }
                }
                await coordinator.stop()
            }
        }
        await accepting.value
    }

    private func begin(_ connection: Connection, in group: inout DiscardingTaskGroup) async {
        let address = NearbyAddress(connection.channel.remoteAddress)
        guard place.interfaces.lead(to: NearbyAddress(connection.channel.localAddress)),
            let (id, conversation) = await coordinator.arrive(from: address)
        else {
            // Used, if for nothing: a connection that is dropped would end the program.
            group.addTask { try? await connection.executeThenClose { _, _ in } }
            return
        }
        let (settings, approval, coordinator) = (settings, approval, coordinator)
        group.addTask {
            let approver = ApproverConversation(
                id: id, from: address, settings: settings, approval: approval, coordinator: coordinator,
                conversation: conversation)
            await approver.run(on: connection)
        }
    }

    private func bind() async throws -> NIOAsyncChannel<Connection, Never> {
        var reason: (any Error)?
        for host in place.hosts {
            do {
                return try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .serverChannelOption(.backlog, value: 64)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                    .serverChannelInitializer { $0.pipeline.addHandler(FailedAccepts()) }
                    .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                    .bind(host: host, port: Int(place.port)) { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try Connection(wrappingChannelSynchronously: channel)
                        }
                    }
            } catch {
                reason = error
            }
        }
        throw ListeningError(description: "Port \(place.port) can't be listened on: \(reason.map { "\($0)" } ?? "")")
    }
}

/// Forgets connections that were gone, or too many for this process, when they were to be accepted: the others count.
private final class FailedAccepts: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

/// Where an approver listens, and by what name it is found.
public struct NearbyListeningPlace: Sendable {
    /// Addresses of this device, of which the first possible one is taken.
    public let hosts: [String]
    /// A port, or 0 for any that is free.
    public let port: UInt16
    /// The interfaces by which screens may come; connections by others are closed unheard.
    public let interfaces: InterfaceSelection
    /// The name by which it is found; `nil` for one that is drawn by chance, and again from time to time
    /// (``NearbyTimes/name``), so that nobody is followed by it.
    public let instanceName: String?

    /// Every address of version 6 and 4, or of version 4 alone where there is no other; any port.
    public init(
        hosts: [String] = ["::", "0.0.0.0"],
        port: UInt16 = 0,
        interfaces: InterfaceSelection = .all,
        instanceName: String? = nil
    ) {
        self.hosts = hosts
        self.port = port
        self.interfaces = interfaces
        self.instanceName = instanceName
    }
}
