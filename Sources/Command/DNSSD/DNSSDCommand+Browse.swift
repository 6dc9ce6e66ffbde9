internal import ArgumentParser
internal import MulticastDNS

extension DNSSDCommand {
    /// `countersign dns-sd browse`
    struct Browse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the services of a type as they come, change and go.",
            discussion: """
                A line for each event: '+' found, '=' resolved (again when something changes), '-' removed. \
                Ctrl-C ends it.

                Every type that a device may have is taken, also one that breaks the rules for names. \
                _services._dns-sd._udp shows which types there are.
                """
        )

        @Argument(help: "Their type: _http._tcp, or with a subtype _printer._sub._http._tcp.")
        var type: String

        @Flag(help: "Print one JSON object a line.")
        var json = false

        @OptionGroup var network: InterfaceOptions

        func run() async throws {
            try await ending {
                let (type, discovery) = (try browsed(), try network.discovery())
                try await untilInterrupted { [json] in
                    for await event in discovery.browse(type) {
                        if json {
                            try Terminal.sayJSON(event.members, inOneLine: true)
                        } else {
                            Terminal.say(Self.line(event).shown)
                        }
                    }
                }
            }
        }

        private func browsed() throws -> ServiceType {
            do {
                return try ServiceType(browsing: type)
            } catch {
                throw CommandError.usage(error.description)
            }
        }

        private static func line(_ event: DiscoveryEvent) -> String {
            switch event {
            case .found(let instance): return "+ \(instance.name)"
            case .removed(let instance): return "- \(instance.name)"
            case .resolved(let service):
                let text = service.text.entries.map { $0.key + ($0.text.map { "=\($0)" } ?? "") }
                let parts = ["\(service.host):\(service.port)"] + service.addresses.map(\.description) + text
                return "= \(service.instance.name)  " + parts.joined(separator: "  ")
            }
        }
    }
}

extension DiscoveryEvent {
    /// The event as a program reads it: addresses without their interfaces, as others write them, and null for a key
    /// without a value, which is not the same as an empty one.
    fileprivate var members: OutputMembers {
        switch self {
        case .found(let instance): ["event": "found", "name": instance.name]
        case .removed(let instance): ["event": "removed", "name": instance.name]
        case .resolved(let service):
            [
                "event": "resolved", "name": service.instance.name, "host": service.host, "port": service.port,
                "addresses": service.addresses.map(\.bare).reduce(into: [String]()) {
                    if !$0.contains($1) { $0.append($1) }
                },
                "txt": Dictionary(service.text.entries.map { ($0.key, $0.text) }) { first, _ in first },
            ]
        }
    }
}
