import NIOCore
import NIOPosix

/// A loopback port on which nobody listens.
package enum FreePort {
    package static func find() async throws -> Int {
        let probe = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = probe.localAddress?.port ?? 0
        try await probe.close()
        return port
    }
}
