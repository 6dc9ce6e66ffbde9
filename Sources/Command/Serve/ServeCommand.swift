internal import ArgumentParser
internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import Hummingbird
internal import Logging

/// `countersign serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            Without any setting it listens on 127.0.0.1:8080 and keeps everything in one SQLite database.
            Each setting can be a flag, an environment variable or a key of the configuration file; the first of \
            these counts. Stop it with Ctrl-C or SIGTERM: it answers what it has begun.

            Example of a configuration file:
              { "issuer": "https://id.example.com", "listen": "127.0.0.1:8080", "longest-wait": 30 }
            """
    )

    @OptionGroup var storage: StoreOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where to listen. (default: 127.0.0.1:8080; port 0 takes a free one)",
            discussion: "Key listen, environment COUNTERSIGN_LISTEN.",
            valueName: "host:port"
        )
    )
    var listen: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long a requester may hold a token request open, in seconds. (default: 60; 0 for not at all)",
            discussion: "Key longest-wait, environment COUNTERSIGN_LONGEST_WAIT.",
            valueName: "seconds"
        )
    )
    var longestWait: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long a browser stays signed in, in seconds. (default: 43200)",
            discussion: "Key session-lifetime, environment COUNTERSIGN_SESSION_LIFETIME.",
            valueName: "seconds"
        )
    )
    var sessionLifetime: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The addresses or networks of proxies in front, with commas between: their X-Forwarded-For is believed.",
            discussion: "Key trusted-proxies, environment COUNTERSIGN_TRUSTED_PROXIES.",
            valueName: "addresses"
        )
    )
    var trustedProxies: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How many connections may be open. (default: 60000, or as many as the system lets it have files)",
            discussion: "Key most-connections, environment COUNTERSIGN_MOST_CONNECTIONS.",
            valueName: "number"
        )
    )
    var mostConnections: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How much to log: trace, debug, info, notice, warning, error, critical. (default: info)",
            discussion: "Key log-level, environment COUNTERSIGN_LOG_LEVEL.",
            valueName: "level"
        )
    )
    var logLevel: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A limit: so many times in so many seconds, or off. Repeat it for others. (see Documentation/Limits.md)",
            discussion: "Key limits, an object; environment COUNTERSIGN_LIMITS_ and the name, with _ for each -.",
            valueName: "name=10/60"
        )
    )
    var limit: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long an entry of the audit is kept, in days. (default: 400)",
            discussion: "Key audit-lifetime, environment COUNTERSIGN_AUDIT_LIFETIME.",
            valueName: "days"
        )
    )
    var auditLifetime: Int?

    func run() async throws {
        try await ending {
            let settings = try await storage.settings(
                [
                    "audit-lifetime": auditLifetime.map(String.init),
                    "listen": listen,
                    "longest-wait": longestWait.map(String.init),
                    "most-connections": mostConnections.map(String.init),
                    "session-lifetime": sessionLifetime.map(String.init),
                    "trusted-proxies": trustedProxies,
                    "log-level": logLevel,
                ].merging(try LimitSettings.flags(limit)) { $1 })
            let address = try await ListenAddress(settings.string(forKey: "listen") ?? "127.0.0.1:8080").settled()
            let issuer = try Self.issuer(settings.string(forKey: "issuer") ?? "http://\(address)")
            let logger = try Self.logger(settings.string(forKey: "log-level") ?? "info")
            let opened = try storage.open(by: settings)
            let server = try AuthorizationServer(
                ServerSettings(
                    issuer: issuer,
                    trustedProxies: try Self.networks(settings.string(forKey: "trusted-proxies") ?? ""),
                    longestWait: try settings.wholeNumber("longest-wait", in: 0...3600) ?? 60,
                    browserSessionLifetime: Double(
                        try settings.wholeNumber("session-lifetime", in: 60...31_536_000) ?? 43_200
                    ),
                    limits: try LimitSettings.table(in: settings),
                    auditLifetime: 86_400
                        * Double(try settings.wholeNumber("audit-lifetime", in: 1...36_500) ?? 400),
                    connections: ConnectionLimits(
                        most: FileLimit.connections(
                            asked: try settings.wholeNumber("most-connections", in: 1...1_000_000))
                    )
                ),
                keeping: opened.store,
                clock: .system,
                random: .system,
                logger: logger
            )
            do {
                try await server.application(listening: address.bindAddress) { _ in
                    Terminal.say("Countersign answers at \(issuer) (press Ctrl-C to stop).")
                }.runService()
            } catch let error where "\(error)".contains("EADDRINUSE") || "\(error)".contains("already in use") {
                throw Failure("Something else listens on \(address) already. Choose another with --listen.")
            }
            try await opened.close()
        }
    }

    /// The issuer, or a sentence that says what is wrong with it.
    static func issuer(_ text: String) throws -> Issuer {
        do {
            return try Issuer(text)
        } catch .insecure {
            throw Failure(
                "The issuer \(text) has no TLS. Put a proxy with TLS in front and name its https:// address with --issuer."
            )
        } catch {
            throw Failure(
                "The issuer \(text) is no base URL: it needs https://, a host, and neither query nor fragment.")
        }
    }

    /// The networks in a list.
    static func networks(_ list: String) throws -> [AddressNetwork] {
        try list.split(separator: ",").map { part in
            let text = part.trimmingCharacters(in: .whitespaces)
            guard let network = AddressNetwork(text) else {
                throw Failure("\(text) is no address and no network, as in 10.0.0.5 or 10.0.0.0/8.")
            }
            return network
        }
    }

    /// A logger that writes to standard error.
    static func logger(_ level: String) throws -> Logger {
        guard let level = Logger.Level(rawValue: level.lowercased()) else {
            throw Failure("There is no log level \(level); see countersign serve --help.")
        }
        var logger = Logger(label: "countersign") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }
}

extension ConfigReader {
    /// A setting that is a whole number in `range`; `nil` when it is not set.
    func wholeNumber(_ key: ConfigKey, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = int(forKey: key) ?? string(forKey: key).map({ Int($0) ?? .min }) else { return nil }
        guard range.contains(number) else {
            throw Failure("The setting \(key) takes a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
