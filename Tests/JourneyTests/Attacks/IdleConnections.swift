import Glibc
import NIOCore
import NIOPosix

/// Many clients that connect and then say nothing.
struct IdleConnections: Sendable {
    private let channels: [any Channel]

    /// The count of connections that the server has not closed.
    var present: Int { channels.count(where: \.isActive) }

    /// Connects `count` clients to the server at `port`, for as long as `body` takes.
    static func with(
        _ count: Int,
        at port: Int,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (IdleConnections) async throws -> Void
    ) async throws {
        allowMoreFiles()
        var channels: [any Channel] = []
        do {
            for _ in 0..<count {
                channels.append(
                    try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                        .connect(host: "127.0.0.1", port: port).get()
                )
            }
            try await body(IdleConnections(channels: channels))
        } catch {
            await leave(channels)
            throw error
        }
        await leave(channels)
    }

    private static func leave(_ channels: [any Channel]) async {
        for channel in channels { try? await channel.close() }
    }

    /// Lets this process have as many files as the system allows it.
    private static func allowMoreFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
