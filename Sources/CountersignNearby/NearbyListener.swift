internal import Countersign
public import MulticastDNS
internal import NIOCore

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
        /// What happened, in words for a person.
        public let description: String
    }

    /// What this device says about itself.
    private let settings: NearbySettings
    /// What asks the person.
    private let approval: any NearbyApproval
    /// How it is made known.
    private let discovery: (any Discovery)?
    /// Where it listens.
    private let place: NearbyListeningPlace
    /// What all its conversations share.
    private let coordinator: ListenerCoordinator

    /// An approver; it listens once ``run(ready:found:)`` is called.
    ///
    /// - Parameters:
    ///   - settings: What this device says about itself, and where it keeps the screens that it remembers.
    ///   - approval: What asks the person, and decides.
    ///   - discovery: How it is made known; `nil` for one whose address requesters are told otherwise.
    ///   - place: Where it listens; every address and any free port by default.
    ///   - limits: How much screens that are not remembered may ask; those of the protocol by default.
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
    /// After too many wrong codes the window stays closed for some minutes. The time is kept in the store of the pairings, so
    /// that a program that is started anew keeps to it.
    ///
    /// - Returns: `nil` when it is open; otherwise from when on that is possible again.
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
    /// - Throws: ``ListeningError`` when the place is taken or not ours, and when the system closes the socket later;
    ///   `DiscoveryError` when it cannot be made known.
    public func run(
        ready: @escaping @Sendable (_ port: UInt16) async -> Void = { _ in },
        found: @escaping @Sendable (_ name: String) async -> Void = { _ in }
    ) async throws {
        let socket = try await listen()
        let presence: NearbyPresence?
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

    /// What makes it known; `nil` without discovery.
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

    /// Takes connections until the socket is closed; returns when all conversations have ended.
    private func accept(from socket: ListeningSocket) async {
        // Conversations are told to stop and have a last word, so they are not cancelled with this task.
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
        guard place.interfaces.lead(to: NearbyAddress(connection.localAddress)),
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

    /// The socket.
    private func listen() async throws(ListeningError) -> ListeningSocket {
        do {
            return try await ListeningSocket.bind(to: place.hosts, port: place.port)
        } catch {
            throw ListeningError(description: "Port \(place.port) can't be listened on: \(error)")
        }
    }
}

/// Where an approver listens, and by what name it is found.
public struct NearbyListeningPlace: Sendable {
    /// Addresses of this device, of which the first possible one is taken.
    public let hosts: [String]
    /// A port, or 0 for any that is free.
    public let port: UInt16
    /// The interfaces by which screens may come; connections by others are closed unheard.
    public let interfaces: InterfaceSelection
    /// The name by which it is found; `nil` for one that is drawn at random, and again from time to time
    /// (``NearbyTimes/name``), so that the device cannot be followed by it.
    public let instanceName: String?

    /// Where to listen; by default at every address of version 6 and 4, or of version 4 alone where there is no other.
    ///
    /// - Parameters:
    ///   - hosts: Addresses of this device, of which the first possible one is taken.
    ///   - port: A port from 1 to 65535, or 0 for any that is free.
    ///   - interfaces: The interfaces by which screens may come.
    ///   - instanceName: The name by which it is found, 1 to 63 bytes of UTF-8; `nil` for one that is drawn at random.
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
