internal import Foundation
package import NIOCore

/// A TCP port of this machine that is reserved, while this object lives, until a server listens on it.
///
/// A server whose issuer names its port has to know the port before it listens. Until then a socket is bound to the
/// port and does not listen: Linux gives the port to no other program that asks for a free one, but still lets a
/// listener with `SO_REUSEADDR`, as Hummingbird's, bind to it. On other systems the port is chosen but not reserved.
package final class ReservedPort: Sendable {
    package let number: Int
    private let socket: CInt

    /// Takes a free port.
    ///
    /// - Parameter address: The address to listen on; its port does not count.
    /// - Throws: `IOError`, when the machine has no such address or no free port.
    package convenience init(at address: SocketAddress) throws {
        var address = address
        address.port = 0
        try self.init(exactly: address)
    }

    /// Takes the port of an address.
    ///
    /// It does not listen, since a client that could connect would wait without end.
    ///
    /// - Parameter address: The address to listen on later; any free port for port 0.
    /// - Throws: `IOError`, when the machine has no such address, another program listens there, or this user may not.
    package init(exactly address: SocketAddress) throws {
        let family = CInt(address.protocol.rawValue)
        #if canImport(Darwin)
        let socket = Foundation.socket(family, SOCK_STREAM, 0)
        #else
        let socket = Foundation.socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard socket >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        do {
            number = try Self.bind(socket, to: address)
        } catch {
            close(socket)
            throw error
        }
        #if os(Linux)
        self.socket = socket
        #else
        close(socket)
        self.socket = -1
        #endif
    }

    deinit {
        if socket >= 0 { close(socket) }
    }

    /// Binds to any port, and returns which one it is.
    private static func bind(_ socket: CInt, to address: SocketAddress) throws -> Int {
        var yes: CInt = 1
        let length = socklen_t(MemoryLayout<CInt>.size)
        guard setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, length) == 0 else {
            throw IOError(errnoCode: errno, reason: "setsockopt")
        }
        guard address.withSockAddr({ Foundation.bind(socket, $0, socklen_t($1)) }) == 0 else {
            throw IOError(errnoCode: errno, reason: "bind")
        }
        var bound = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &bound) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
        }
        guard status == 0 else { throw IOError(errnoCode: errno, reason: "getsockname") }
        // `sin_port` and `sin6_port` have the same offset.
        let port = withUnsafeBytes(of: &bound) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        return Int(UInt16(bigEndian: port))
    }
}
