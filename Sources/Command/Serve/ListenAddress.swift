internal import CountersignServer
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird
internal import NIOCore

/// A host and a port to listen on, `127.0.0.1:8080` or `[::1]:8080`.
struct ListenAddress: Sendable, CustomStringConvertible {
    let host: String
    let port: Int
    /// The setting that names it.
    let setting: String
    /// Stores a port configured as 0 until it is listened on.
    private let reserved: ReservedPort?

    /// Parses an address as the command takes it.
    init(_ text: String, setting: String = "listen") throws {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw CommandError.usage("--\(setting) takes host:port, as in 127.0.0.1:8080.")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw CommandError.usage("--\(setting) takes an IPv6 address in brackets, as in [::1]:8080.")
        }
        self.init(host: host.isEmpty ? "127.0.0.1" : host, port: Int(port), setting: setting)
    }

    private init(host: String, port: Int, setting: String, reserved: ReservedPort? = nil) {
        self.host = host
        self.port = port
        self.setting = setting
        self.reserved = reserved
    }

    /// Returns the address with a free port in place of port 0; no other program gets that port as long as the result
    /// lives.
    ///
    /// - Throws: a ``CommandError`` when there is no such host, or this machine has no such address.
    func settled() throws -> ListenAddress {
        let address = try resolved()
        guard port == 0 else { return self }
        do {
            let reserved = try ReservedPort(at: address)
            return ListenAddress(host: host, port: reserved.number, setting: setting, reserved: reserved)
        } catch {
            throw failure(error) ?? error
        }
    }

    /// Finds out whether the address can be used, without listening: clients that come now are still refused.
    ///
    /// - Throws: a ``CommandError`` that says why it can't.
    func tried() throws {
        do {
            _ = try ReservedPort(exactly: resolved())
        } catch {
            throw failure(error) ?? error
        }
    }

    private func resolved() throws -> SocketAddress {
        do {
            return try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            throw CommandError("This machine knows no host \(host). Choose another with --\(setting).")
        }
    }

    /// Whether the program cannot listen on both addresses.
    func collides(with other: ListenAddress) throws -> Bool {
        guard port == other.port, port != 0 else { return false }
        return try isEverywhere || other.isEverywhere || resolved() == other.resolved()
    }

    /// The failure in words, if the reason why the program cannot listen is known.
    func failure(_ error: any Error) -> CommandError? {
        let text = "\(error)"
        if text.contains("EADDRINUSE") || text.contains("already in use") {
            return CommandError("Something else listens on \(self) already. Choose another with --\(setting).")
        }
        if text.contains("EACCES") || text.contains("ermission denied") {
            return CommandError("This user may not listen on \(self). Choose another with --\(setting).")
        }
        if text.contains("annot assign requested address") {
            return CommandError("This machine has no address \(self). Choose another with --\(setting).")
        }
        return nil
    }

    /// Whether it is the wildcard address.
    var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

    /// Whether only this machine itself can reach it.
    var isLoopback: Bool { Issuer.isLoopback(host) }

    var bindAddress: BindAddress { .hostname(host, port: port) }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
