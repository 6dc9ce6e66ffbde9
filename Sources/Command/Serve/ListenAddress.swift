internal import CountersignWire
internal import Foundation
internal import Hummingbird
internal import NIOCore
internal import NIOPosix

/// A host and a port to listen on, `127.0.0.1:8080` or `[::1]:8080`.
struct ListenAddress: Sendable, CustomStringConvertible {
    let host: String
    let port: Int

    /// Reads the form that the command takes.
    init(_ text: String, setting: String = "listen") throws {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw Failure("--\(setting) takes host:port, as in 127.0.0.1:8080.")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw Failure("--\(setting) takes an IPv6 address in brackets, as in [::1]:8080.")
        }
        self.init(host: host.isEmpty ? "127.0.0.1" : host, port: Int(port))
    }

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The same with a free port in place of port 0.
    func settled() async throws -> ListenAddress {
        guard port == 0 else { return self }
        let probe = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(host: host, port: 0)
            .get()
        let free = probe.localAddress?.port ?? 0
        try await probe.close()
        return ListenAddress(host: host, port: free)
    }

    /// Whether only this machine itself can reach it.
    var isLoopback: Bool { Issuer.isLoopback(host) }

    var bindAddress: BindAddress { .hostname(host, port: port) }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
