internal import CountersignServer
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import Hummingbird
internal import NIOCore

/// A host and a port to listen on, `127.0.0.1:8080` or `[::1]:8080`.
struct ListenAddress: Sendable, CustomStringConvertible {
    let host: String
    let port: Int
    private let source: Source
    /// Stores a port configured as 0 until it is listened on.
    private let reserved: ReservedPort?

    /// The setting that names an address.
    enum Source: Sendable {
        /// An option of the command.
        case option(String)
        /// The member `listen` of a file.
        case member(of: String)
    }

    /// Parses an address as the command takes it.
    init(_ text: String, setting: String = "listen") throws(CommandError) {
        try self.init(text, from: .option(setting))
    }

    /// Parses an address of a setting.
    init(_ text: String, from source: Source) throws(CommandError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw source.mistake("takes host:port, as in 127.0.0.1:8080.")
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw source.mistake("takes an IPv6 address in brackets, as in [::1]:8080.")
        }
        self.init(host: host.isEmpty ? "127.0.0.1" : host, port: Int(port), from: source)
    }

    private init(host: String, port: Int, from source: Source, reserved: ReservedPort? = nil) {
        self.host = host
        self.port = port
        self.source = source
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
            return ListenAddress(host: host, port: reserved.number, from: source, reserved: reserved)
        } catch {
            throw failure(error) ?? error
        }
    }

    /// Finds out whether the address can be used, without listening: clients that come now are still refused.
    ///
    /// - Parameter allowingTaken: Whether it may be taken, as by the program for whose start this is a check.
    /// - Throws: a ``CommandError`` that says why it can't.
    func tried(allowingTaken: Bool = false) throws {
        do {
            _ = try ReservedPort(exactly: resolved())
        } catch {
            guard !allowingTaken || !Self.isTaken(error) else { return }
            throw failure(error) ?? error
        }
    }

    private func resolved() throws -> SocketAddress {
        do {
            return try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            throw source.obstacle("This machine knows no host \(host).")
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
        if Self.isTaken(error) { return source.obstacle("Something else listens on \(self) already.") }
        if text.contains("EACCES") || text.contains("ermission denied") {
            return source.obstacle("This user may not listen on \(self).")
        }
        if text.contains("annot assign requested address") {
            return source.obstacle("This machine has no address \(self).")
        }
        return nil
    }

    private static func isTaken(_ error: any Error) -> Bool {
        let text = "\(error)"
        return text.contains("EADDRINUSE") || text.contains("already in use")
    }

    /// Whether it is the wildcard address.
    var isEverywhere: Bool { host == "0.0.0.0" || host == "::" }

    /// Whether only this machine itself can reach it.
    var isLoopback: Bool { Issuer.isLoopback(host) }

    var bindAddress: BindAddress { .hostname(host, port: port) }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension ListenAddress.Source {
    /// The error of a text that is no address.
    fileprivate func mistake(_ sentence: String) -> CommandError {
        switch self {
        case .option(let name): CommandError.usage("--\(name) \(sentence)")
        case .member(of: let file): CommandError("\(file): listen: It \(sentence)")
        }
    }

    /// The error of an address that the program cannot listen on.
    fileprivate func obstacle(_ sentence: String) -> CommandError {
        switch self {
        case .option(let name): CommandError("\(sentence) Choose another with --\(name).")
        case .member(of: let file): CommandError("\(file): listen: \(sentence)")
        }
    }
}
