import Foundation
import TestShell

/// Two hosts on a network of their own, made of namespaces; `lan.sh` tells how.
struct Network: Sendable {
    let name: String

    /// Whether this machine lets us make one: as root, with the programs for it.
    static let canBeMade: Bool = {
        guard getuid() == 0 else { return false }
        let name = "csprobe\(getpid())"
        defer { _ = try? Shell.run("\(script) down \(name) 2>&1") }
        let wanted = "command -v avahi-daemon avahi-browse avahi-publish dbus-daemon nft setpriv"
        return
            (try? Shell.run(
                "\(script) up \(name) 2>&1 && PATH=$PATH:/usr/sbin && \(wanted) && \(python) -c 'import zeroconf'"))
            != nil
    }()

    /// Why tests do not run where that can't be.
    static let need = "needs network namespaces (root), setpriv, Avahi, nftables and python-zeroconf"

    /// Python with the packages that tests use, as `make test` names it.
    static var python: String {
        Shell.word(ProcessInfo.processInfo.environment["COUNTERSIGN_TEST_PYTHON"] ?? "python3")
    }

    /// Makes a network, and takes it away when `body` ends.
    static func with<Value>(_ body: (Network) async throws -> Value) async throws -> Value {
        let network = Network(name: "cs\(getpid())n\(UInt16.random(in: 0...9999))")
        defer { _ = try? Shell.run("\(script) down \(network.name) 2>&1") }
        try await Shell.run(aside: "\(script) up \(network.name) 2>&1")
        return try await body(network)
    }

    func startAvahi(on host: Host) async throws {
        try await Shell.run(aside: "\(Self.script) avahi \(name) \(host) 2>&1")
    }

    func lose(_ percent: Int, at host: Host) async throws {
        try await Shell.run(aside: "\(Self.script) lose \(name) \(host) \(percent) 2>&1")
    }

    func unplug(_ host: Host) async throws {
        try await Shell.run(aside: "\(Self.script) unplug \(name) \(host) 2>&1")
    }

    /// Makes one more host of the network namespace of a process.
    func plug(_ process: Substring) async throws {
        try await Shell.run(aside: "\(Self.script) plug \(name) \(process) 2>&1")
    }

    /// Takes the addresses of the other version away, on both hosts.
    func keepOnly(_ version: Version) async throws {
        for host in [Host.a, .b] {
            try await run("ip -\(version == .four ? 6 : 4) address flush dev eth0", on: host)
        }
    }

    enum Version: Sendable {
        case four, six
    }

    /// The words that run the rest of a line on a host, with all privileges.
    func runner(on host: Host) -> String {
        "\(Self.script) run \(name) \(host)"
    }

    /// The words that run the rest of a line on a host as people do: as a user without any privilege.
    func userRunner(on host: Host) -> String {
        "\(Self.script) user \(name) \(host)"
    }

    /// Runs a line to its end.
    @discardableResult
    func run(_ line: String, on host: Host) async throws -> String {
        try await Shell.run(aside: "\(runner(on: host)) \(line) 2>&1")
    }

    /// Starts a line, and goes on.
    func start(_ line: String, on host: Host) throws -> Program {
        try Program("exec \(runner(on: host)) \(line)")
    }

    /// Starts our own command, as an ordinary user.
    func countersign(_ arguments: String, on host: Host) throws -> Program {
        try Program("exec \(userRunner(on: host)) \(Program.countersign) \(arguments)")
    }

    /// Starts one of the programs in Python that stand beside the tests.
    func python(_ file: String, _ arguments: String = "", on host: Host) throws -> Program {
        try start("\(Self.python) -u \(Shell.word(Self.place("Peers/\(file)"))) \(arguments)", on: host)
    }

    /// Runs one of these to its end.
    func runPython(_ file: String, _ arguments: String, on host: Host) async throws {
        try await run("\(Self.python) \(Shell.word(Self.place("Peers/\(file)"))) \(arguments)", on: host)
    }

    enum Host: String, CustomStringConvertible {
        case a, b
        var description: String { rawValue }
    }

    private static let script = Shell.word(place("../../Scripts/lan.sh"))

    private static func place(_ path: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent(path).path
    }
}
