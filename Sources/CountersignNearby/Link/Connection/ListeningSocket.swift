package import NIOCore
internal import NIOPosix

/// A TCP socket that listens, and the connections that it accepts.
///
/// A connection that cannot be accepted is dropped, and later ones are still accepted.
package struct ListeningSocket: Sendable {
    /// The maximum number of accepted connections that wait to be handled; further ones are closed.
    private static let mostWaiting = 64

    package let channel: any Channel
    /// The connections, in the order of their acceptance; nothing is read from one before
    /// ``NIOCore/Channel/speaking()``. The sequence ends when the socket is closed.
    package let connections: AsyncStream<any Channel>

    package var port: UInt16 { UInt16(channel.localAddress?.port ?? 0) }

    /// Listens at the first of several addresses that can be used.
    ///
    /// - Parameters:
    ///   - hosts: Addresses of this machine, such as `::` and `0.0.0.0`.
    ///   - port: The port, or 0 for any that is free.
    /// - Throws: the system's error for the last of the addresses.
    package static func bind(to hosts: [String], port: UInt16) async throws -> ListeningSocket {
        var reason: any Error = SocketAddressError.unsupported
        for host in hosts {
            do {
                return try await bind(to: host, port: port)
            } catch {
                reason = error
            }
        }
        throw reason
    }

    /// Listens at one address.
    private static func bind(to host: String, port: UInt16) async throws -> ListeningSocket {
        let (connections, accepted) = AsyncStream<any Channel>.makeStream(
            bufferingPolicy: .bufferingOldest(mostWaiting))
        // NIO disables Nagle's algorithm by default. An option of a connection that the system refuses would be an
        // error of the listening socket, so none is set here.
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { connection in
                switch accepted.yield(connection) {
                case .enqueued: break
                default: connection.close(promise: nil)
                }
                return connection.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: host, port: Int(port)).get()
        channel.closeFuture.whenComplete { _ in accepted.finish() }
        return ListeningSocket(channel: channel, connections: connections)
    }

    /// Accepts no more connections; returns at once.
    package func close() { channel.close(promise: nil) }
}
