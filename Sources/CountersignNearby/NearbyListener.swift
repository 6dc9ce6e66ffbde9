internal import NIOCore

/// The approver's side of nearby sign-in: it advertises itself, listens, and lets the app answer.
///
/// ```swift
/// let listener = NearbyListener(settings, approval: app, discovery: discovery)
/// async let running: Void = listener.run()
/// _ = await listener.openWindow()  // the person opens "sign in a screen"
/// try await running
/// ```
///
/// Paired screens are accepted whenever it runs, others only while the window is open. Cancelling the task that
/// runs it ends all conversations and withdraws the advertisement.
public final class NearbyListener: Sendable {
    /// The reason that an approver cannot listen.
    public struct ListeningError: Error, Sendable, CustomStringConvertible {
        /// The failure, in words for a person.
        public let description: String
    }

    private let settings: NearbySettings
    /// The app, which asks the person.
    private let approval: any NearbyListenerDelegate
    /// Advertises the approver.
    private let discovery: (any Discovery)?
    /// The addresses, the port and the interfaces to listen on, and the advertised name.
    private let configuration: NearbyListenerConfiguration
    /// The state that all its conversations share.
    private let coordinator: ListenerCoordinator

    /// An approver; it listens once ``run(ready:found:)`` is called.
    ///
    /// - Parameters:
    ///   - settings: The app's settings for this device, with the store of its pairings with screens.
    ///   - approval: The app, which asks the person and decides.
    ///   - discovery: Advertises the approver; `nil` if requesters learn its address in another way.
    ///   - configuration: The addresses and the port to listen on, and the advertised name; every address and any free
    ///     port by default.
    ///   - limits: The limits for screens that are not paired; those of the protocol by default.
    public init(
        _ settings: NearbySettings,
        approval: any NearbyListenerDelegate,
        discovery: (any Discovery)?,
        configuration: NearbyListenerConfiguration = NearbyListenerConfiguration(),
        limits: ListenerLimits = .standard
    ) {
        self.settings = settings
        self.approval = approval
        self.discovery = discovery
        self.configuration = configuration
        coordinator = ListenerCoordinator(settings: settings, approval: approval, limits: limits)
    }

    /// Accepts screens that are not paired, for ten minutes or until ``closeWindow()``.
    ///
    /// After too many wrong codes the window stays closed for some minutes. That time is stored in the pairing store,
    /// so that it also holds after a restart.
    ///
    /// - Returns: `nil` when the window is open; otherwise the earliest instant for opening it.
    public func openWindow() async -> ContinuousClock.Instant? { await coordinator.openWindow() }

    /// Stops accepting unpaired screens, and disconnects the waiting ones.
    public func closeWindow() async { await coordinator.closeWindow() }

    /// Whether screens that are not paired are accepted.
    public var isWindowOpen: Bool { get async { await coordinator.isWindowOpen } }

    /// Whether a screen is being answered.
    public var isBusy: Bool { get async { await coordinator.isBusy } }

    /// Listens until its task is cancelled.
    ///
    /// - Parameters:
    ///   - ready: Called with the port once it listens and is being advertised.
    ///   - found: Called with the advertised name once that is established, and with each name that replaces it later.
    /// - Throws: ``ListeningError`` when the address cannot be used, or the system closes the socket later;
    ///   `DiscoveryError` when it cannot be advertised.
    public func run(
        ready: @escaping @Sendable (_ port: UInt16) async -> Void = { _ in },
        found: @escaping @Sendable (_ name: String) async -> Void = { _ in }
    ) async throws {
        let socket = try await listen()
        let presence: ApproverAdvertiser?
        do {
            presence = try self.presence(at: socket.port, telling: found)
            try await presence?.begin()
        } catch {
            socket.close()
            throw error
        }
        await ready(socket.port)
        let renaming = Task { [coordinator, settings] in
            await presence?.rename(every: settings.times.name) { await coordinator.isBusy }
        }
        await withTaskCancellationHandler {
            await accept(from: socket)
        } onCancel: {
            socket.close()
        }
        renaming.cancel()
        await renaming.value
        await presence?.end()
        guard Task.isCancelled else {
            throw ListeningError(description: "The system has closed the socket at port \(socket.port).")
        }
    }

    /// The advertiser; `nil` without discovery.
    private func presence(
        at port: UInt16,
        telling found: @escaping @Sendable (String) async -> Void
    ) throws -> ApproverAdvertiser? {
        guard let discovery else { return nil }
        let service = ServiceAdvertisement(
            name: configuration.instanceName,
            type: .countersign(app: settings.app.rawValue),
            port: port,
            text: try TXTRecord(["v": "1"])
        )
        let approval = approval
        return ApproverAdvertiser(of: service, by: discovery, clock: settings.clock) { event in
            switch event {
            case .established(let name): await found(name)
            case .renamed(let from, let to): await approval.renamed(from: from, to: to)
            case .contested: await approval.nameContested()
            }
        }
    }

    /// Accepts connections until the socket is closed; returns when all conversations have ended.
    private func accept(from socket: ListeningSocket) async {
        // Conversations send a last message when they stop, so they are not cancelled with this task.
        let accepting = Task { [self] in
            await withDiscardingTaskGroup { group in
                for await connection in socket.connections { await begin(connection, in: &group) }
                await coordinator.stop()
            }
        }
        await accepting.value
    }

    /// Begins a conversation, or closes the connection.
    private func begin(_ connection: any Channel, in group: inout DiscardingTaskGroup) async {
        let address = NearbyAddress(connection.remoteAddress)
        guard configuration.interfaces.lead(to: NearbyAddress(connection.localAddress)),
            let (id, conversation) = await coordinator.arrive(from: address)
        else {
            connection.close(promise: nil)
            return
        }
        let (settings, approval, coordinator) = (settings, approval, coordinator)
        group.addTask {
            guard let channel = await connection.speaking() else { return await coordinator.leave(id) }
            let approver = ApproverConversation(
                id: id, from: address, settings: settings, approval: approval, coordinator: coordinator,
                conversation: conversation)
            await approver.run(on: channel)
        }
    }

    private func listen() async throws(ListeningError) -> ListeningSocket {
        do {
            return try await ListeningSocket.bind(to: configuration.hosts, port: configuration.port)
        } catch {
            throw ListeningError(description: "Port \(configuration.port) can't be listened on: \(error)")
        }
    }
}

/// The addresses, the port and the interfaces that an approver listens on, and its advertised name.
public struct NearbyListenerConfiguration: Sendable {
    /// Addresses of this device; the first usable one is taken.
    public let hosts: [String]
    /// A port, or 0 for any that is free.
    public let port: UInt16
    /// The interfaces that screens may connect on; connections on others are closed at once.
    public let interfaces: InterfaceSelection
    /// The advertised name; `nil` for a random one, which is replaced from time to time (``NearbyTimes/name``), so that
    /// the device cannot be tracked by it.
    public let instanceName: String?

    /// A configuration; by default for every IPv6 and IPv4 address, or for IPv4 addresses only if IPv6 is not
    /// available.
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
