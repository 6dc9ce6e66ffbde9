import NIOCore
import NIOPosix

/// Devices that accept connections and never say anything.
struct SilentApprovers: Sendable {
    private let channel: any Channel
    var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }

    static func listen(at host: String) async throws -> SilentApprovers {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 512)
            .bind(host: host, port: 0).get()
        return SilentApprovers(channel: channel)
    }

    func close() async { try? await channel.close() }
}
