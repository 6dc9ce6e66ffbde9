internal import ArgumentParser
internal import MulticastDNS

/// `countersign dns-sd`: the services on the local network, for debugging.
struct DNSSDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dns-sd",
        abstract: "Advertise and find services on the local network.",
        discussion: "By multicast DNS (RFC 6762) and DNS-SD (RFC 6763); another responder may run on the same machine.",
        subcommands: [Advertise.self, Browse.self]
    )
}

/// The interfaces of the network.
struct InterfaceOptions: ParsableArguments {
    @Option(
        name: .customLong("interface"),
        help: ArgumentHelp(
            "Use this interface only; may be repeated. All by default; 'lo' works too.", valueName: "name")
    )
    var interfaces: [String] = []

    /// The selected interfaces.
    var selection: InterfaceSelection {
        interfaces.isEmpty ? .all : .named(Set(interfaces))
    }

    /// Discovery on these interfaces.
    ///
    /// - Throws: ``CommandError`` when one does not exist.
    func discovery() throws -> any Discovery {
        do {
            return try LocalNetwork.discovery(on: selection)
        } catch {
            throw CommandError(error.description)
        }
    }
}

extension ServiceType {
    /// The type that was typed.
    ///
    /// - Throws: ``CommandError`` when it is invalid.
    init(typed text: String) throws {
        do {
            try self.init(text)
        } catch {
            throw CommandError.usage(error.description)
        }
    }
}
