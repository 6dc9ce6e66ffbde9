internal import NIOConcurrencyHelpers
package import NIOCore
internal import NIOPosix

/// The host and the port of an approver.
public struct NearbyEndpoint: Sendable, Hashable {
    /// A host's name or address; an IPv6 address with its interface if it needs one.
    public let host: String
    /// The port at that host.
    public let port: UInt16

    /// A place to connect to.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// Connects to the first of several addresses that answers.
///
/// Each is tried several times, since the system repeats a lost first packet only after a second. The first connection
/// is used, and the other attempts are cancelled at once.
package struct Connector: Sendable {
    /// The time between two attempts, each to the next address.
    private static let stagger: Duration = .milliseconds(250)
    /// The number of attempts at each address: so few that an approver does not take them for a flood.
    private static let rounds = 4

    private let clock: TimeSource
    /// The time limit of all attempts together.
    private let timeout: Duration

    package init(clock: TimeSource, timeout: Duration) {
        self.clock = clock
        self.timeout = timeout
    }

    /// A connection that was made.
    package struct Connection: Sendable {
        /// Nothing is read on it before ``NIOCore/Channel/speaking()``.
        package let channel: any Channel
        /// The address that has answered.
        package let endpoint: NearbyEndpoint
    }

    /// Connects; `nil` when no connection was made in time.
    package func connect(to endpoints: [NearbyEndpoint]) async -> Connection? {
        let start = clock.instant()
        let attempt = await withTaskGroup(of: Attempt.self) { group in
            for (place, endpoint) in endpoints.enumerated() {
                let tries = (0..<Self.rounds).map { start + Self.stagger * (place + $0 * max(endpoints.count, 2)) }
                group.addTask { await reach(endpoint, at: tries) }
            }
            group.addTask {
                try? await clock.sleep(until: start + timeout)
                return .outOfTime
            }
            return await Self.first(of: &group, givingUpAfter: endpoints.count)
        }
        guard case .connected(let connection) = attempt else { return nil }
        return connection
    }

    /// Tries one address at each of these instants, until it accepts or refuses.
    private func reach(_ endpoint: NearbyEndpoint, at tries: [ContinuousClock.Instant]) async -> Attempt {
        await withTaskGroup(of: Attempt.self) { group in
            for moment in tries {
                group.addTask {
                    if moment > clock.instant() {
                        guard (try? await clock.sleep(until: moment)) != nil else { return .failed }
                    }
                    return await Self.attempt(endpoint, timeout: timeout)
                }
            }
            return await Self.first(of: &group, givingUpAfter: 1)
        }
    }

    /// The result of an attempt.
    private enum Attempt: Sendable {
        /// A connection was made.
        case connected(Connection)
        /// The address has refused, or cannot be reached.
        case failed
        /// Time has run out.
        case outOfTime
    }

    /// The first connection; all other attempts are cancelled.
    private static func first(of group: inout TaskGroup<Attempt>, givingUpAfter failures: Int) async -> Attempt {
        var left = failures
        var first: Connection?
        for await attempt in group {
            switch attempt {
            case .connected(let connection) where first == nil && left > 0:
                first = connection
                group.cancelAll()
            case .connected(let connection): connection.channel.close(promise: nil)
            case .failed: left -= 1
            case .outOfTime: left = 0
            }
            if left <= 0 { group.cancelAll() }
        }
        return first.map { .connected($0) } ?? .failed
    }

    /// Tries an address once.
    private static func attempt(_ endpoint: NearbyEndpoint, timeout: Duration) async -> Attempt {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.autoRead, value: false)
        let pending = PendingChannels()
        return await withTaskCancellationHandler {
            do {
                let channel = try await bootstrap.channelInitializer { channel in
                    pending.hold(channel)
                    return channel.eventLoop.makeSucceededVoidFuture()
                }.connect(host: endpoint.host, port: Int(endpoint.port)).get()
                return .connected(Connection(channel: channel, endpoint: endpoint))
            } catch {
                return .failed
            }
        } onCancel: {
            pending.cancel()
        }
    }
}

extension Channel {
    /// Begins to read; `nil` when the connection is closed already. The result must be used: NIO stops the program if
    /// it is dropped.
    package func speaking() async -> NIOAsyncChannel<ByteBuffer, ByteBuffer>? {
        let wrapped = try? await eventLoop.submit {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: self)
        }.get()
        guard wrapped != nil else { return nil }
        #if os(Linux)
        try? await setOption(.tcpOption(.thinLinearTimeouts), value: 1).get()
        #endif
        try? await setOption(.autoRead, value: true).get()
        return wrapped
    }
}

#if os(Linux)
extension NIOBSDSocket.Option {
    /// Retransmits lost packets at even intervals, in place of exponential backoff: a conversation has few packets
    /// under way, and the person waits for each.
    ///
    /// Standard: Linux, `TCP_THIN_LINEAR_TIMEOUTS` in `linux/tcp.h`.
    package static let thinLinearTimeouts = NIOBSDSocket.Option(rawValue: 16)
}
#endif

/// Connections that are being made, so that they can be cancelled: waiting for them would delay the connection that was
/// made.
private final class PendingChannels: Sendable {
    /// The state shared with the event loop.
    private struct State {
        /// The connections that are being made.
        var channels: [any Channel] = []
        /// Whether they were cancelled.
        var isCancelled = false
    }

    private let state = NIOLockedValueBox(State())

    /// Records a connection that is being made; closes it when they were cancelled already.
    func hold(_ channel: any Channel) {
        let isCancelled = state.withLockedValue { state in
            state.channels.append(channel)
            return state.isCancelled
        }
        if isCancelled { channel.close(promise: nil) }
    }

    func cancel() {
        let channels = state.withLockedValue { state in
            state.isCancelled = true
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
