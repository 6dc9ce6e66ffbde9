internal import ArgumentParser
internal import Countersign
internal import MulticastDNS
internal import UnixSignals

extension DNSSDCommand {
    /// `countersign dns-sd advertise`
    struct Advertise: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a service known until this is stopped.",
            discussion: """
                If another has the name, a number is added to it. Ctrl-C or SIGTERM ends it with a goodbye.

                Example:  countersign dns-sd advertise 'Living room' _http._tcp 8080 path=/ secure
                """
        )

        @Argument(help: "Its name: 1 to 63 bytes of UTF-8, dots and spaces included.")
        var name: String

        @Argument(help: "Its type: _http._tcp, or with a subtype _printer._sub._http._tcp.")
        var type: String

        @Argument(help: "The port at which it listens.")
        var port: UInt16

        @Argument(help: ArgumentHelp("What it says about itself: KEY=VALUE, or KEY alone.", valueName: "key=value"))
        var text: [String] = []

        @OptionGroup var network: InterfaceOptions

        func run() async throws {
            try await ending(isService: true) {
                let service = try advertised()
                let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
                let advertisement: Advertisement
                do {
                    advertisement = try await network.discovery().advertise(service)
                } catch let error as DiscoveryError {
                    throw CommandError(error.description, status: error.code == .notWellFormed ? .usage : .failed)
                }
                let telling = Task {
                    for await event in advertisement.events { Terminal.say(Self.sentence(event)) }
                }
                for await _ in signals { break }
                await advertisement.withdraw()
                await telling.value
            }
        }

        private func advertised() throws -> ServiceAdvertisement {
            guard port > 0 else { throw CommandError.usage("A port is a number from 1 to 65535.") }
            let pairs = text.map { entry -> (key: String, value: [UInt8]?) in
                guard let named = NamedValue(parsing: entry) else { return (entry, nil) }
                return (named.name, Array(named.value.utf8))
            }
            do {
                return ServiceAdvertisement(
                    name: name, type: try ServiceType(typed: type), port: port, text: try TXTRecord(pairs))
            } catch let error as DiscoveryError {
                throw CommandError.usage(error.description)
            }
        }

        private static func sentence(_ event: AdvertisementEvent) -> String {
            switch event {
            case .established(let name): "'\(name)' is advertised."
            case .renamed(let from, let to): "'\(from)' is another's name; '\(to)' is tried."
            case .contested(let name): "Each name is contested; '\(name)' is kept all the same."
            }
        }
    }
}
