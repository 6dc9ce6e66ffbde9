internal import NIOCore
internal import NIOPosix

/// Where an approver can be reached.
public struct NearbyEndpoint: Sendable, Hashable {
    /// A host's name or address; of version 6 with its interface, where it needs one.
    public let host: String
    public let port: UInt16

    /// A place to connect to.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }
}

/// Connects to the first of several addresses that answers.
struct Dialling: Sendable {
    /// A later address gets its chance when the ones before have not answered in this time.
    private static let stagger: Duration = .milliseconds(250)

    let clock: NearbyClock
    let patience: Duration

    /// A connection; `nil` when there is none in time.
    func connect(to endpoints: [NearbyEndpoint]) async -> NIOAsyncChannel<ByteBuffer, ByteBuffer>? {
        let start = clock.instant()
        return await withTaskGroup(of: Attempt.self) { group in
            for (place, endpoint) in endpoints.enumerated() {
                group.addTask {
                    if place > 0 {
                        guard (try? await clock.sleep(start + Self.stagger * place)) != nil else { return .failed }
                    }
                    return await Self.attempt(endpoint, patience: patience)
                }
            }
            group.addTask {
                try? await clock.sleep(start + patience)
                return .outOfTime
            }
            var left = endpoints.count
            var found: NIOAsyncChannel<ByteBuffer, ByteBuffer>?
            for await attempt in group {
                switch attempt {
                case .connected(let channel) where found == nil:
                    found = channel
                    group.cancelAll()
                case .connected(let channel): channel.channel.close(promise: nil)
                case .failed: left -= 1
                case .outOfTime: left = 0
                }
                if left == 0 { group.cancelAll() }
            }
            return found
        }
    }

    private enum Attempt: Sendable {
        case connected(NIOAsyncChannel<ByteBuffer, ByteBuffer>)
        case failed
        case outOfTime
    }

    private static func attempt(_ endpoint: NearbyEndpoint, patience: Duration) async -> Attempt {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(TimeAmount(patience))
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
        do {
            let channel = try await bootstrap.connect(host: endpoint.host, port: Int(endpoint.port)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
            return .connected(channel)
        } catch {
            return .failed
        }
    }
}
