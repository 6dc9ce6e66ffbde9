internal import Foundation

/// A network of two hosts, made of namespaces: `Scripts/lan.sh` tells how.
struct Lan {
    enum Host: String {
        /// The host that searches.
        case a
        /// The host that is found.
        case b
    }

    let name: String

    /// Makes a network.
    ///
    /// - Throws: ``BenchmarkFailure`` where that is not possible.
    init(_ name: String) throws {
        self.name = name
        do {
            try TimedProgram.run(Self.script, ["up", name])
        } catch {
            take()
            throw error
        }
    }

    /// Removes the network.
    func take() {
        _ = try? TimedProgram.run(Self.script, ["down", name])
    }

    /// A new Avahi daemon, with an empty cache.
    func startAvahi(on host: Host) throws {
        try TimedProgram.run(Self.script, ["avahi", name, host.rawValue])
    }

    func endAvahi(on host: Host) throws {
        try TimedProgram.run(Self.script, ["quit", name, host.rawValue])
    }

    /// Drops a part of all packets that the searching host sends and receives.
    func lose(percent: Int) throws {
        try TimedProgram.run(Self.script, ["lose", name, Host.a.rawValue, "\(percent)"])
    }

    /// Starts a program on a host; its first line says that it begins, before it is loaded.
    func start(_ words: [String], on host: Host) throws -> TimedProgram {
        let announced = ["sh", "-c", #"echo \#(TimedProgram.beginning); exec "$0" "$@""#] + words
        return try TimedProgram(Self.script, ["run", name, host.rawValue] + announced)
    }

    /// Runs a program on a host to its end.
    func run(_ words: [String], on host: Host) throws {
        try TimedProgram.run(Self.script, ["run", name, host.rawValue] + words)
    }

    /// Gives a host so many addresses besides its own, and returns them.
    func add(_ count: Int, to host: Host) throws -> [String] {
        let addresses = (100..<(100 + count)).map { "10.78.0.\($0)" }
        for address in addresses { try run(["ip", "address", "add", "\(address)/24", "dev", "eth0"], on: host) }
        return addresses
    }

    /// Takes such addresses from a host.
    func remove(_ addresses: [String], from host: Host) {
        for address in addresses { try? run(["ip", "address", "del", "\(address)/24", "dev", "eth0"], on: host) }
    }

    private static let script = "Scripts/lan.sh"
}
