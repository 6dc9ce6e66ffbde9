internal import Foundation

/// A loopback port on which nobody listens.
package enum FreePort {
    package static func find() throws -> Int {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(probe, address, length) == 0 && getsockname(probe, address, &length) == 0
            }
        }
        guard probe >= 0, found else { throw NoPort() }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    package struct NoPort: Error {}
}
