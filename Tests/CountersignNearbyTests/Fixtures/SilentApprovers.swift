import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Devices that accept connections and never say anything.
struct SilentApprovers: Sendable {
    /// The connections that were made.
    private struct Accepted {
        var channels: [any Channel] = []
        var isOver = false
    }

    private let channel: any Channel
    private let accepted: NIOLockedValueBox<Accepted>
    var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }

    static func listen(at host: String) async throws -> SilentApprovers {
        let accepted = NIOLockedValueBox(Accepted())
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 512)
            .childChannelInitializer { channel in
                let isOver = accepted.withLockedValue { accepted in
                    accepted.channels.append(channel)
                    return accepted.isOver
                }
                return isOver ? channel.close() : channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: host, port: 0).get()
        return SilentApprovers(channel: channel, accepted: accepted)
    }

    /// Goes away, and hangs up.
    func close() async {
        try? await channel.close()
        let channels = accepted.withLockedValue { accepted in
            accepted.isOver = true
            return accepted.channels
        }
        for channel in channels { try? await channel.close() }
    }
}
