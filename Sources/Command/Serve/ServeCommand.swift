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
            Where others can reach it, it needs TLS: a certificate, or a proxy that has one.
            Each setting can be a flag, an environment variable or a key of the configuration file; the first of \
            these counts. Stop it with Ctrl-C or SIGTERM: it answers what it has begun.

            Example of a configuration file:
              { "issuer": "https://id.example.com", "listen": "127.0.0.1:8080", "longest-wait": 30 }
            """
    )

    @OptionGroup var storage: StoreOptions

    @OptionGroup var serving: ServeOptions

    func run() async throws {
        try await ending(isService: true) {
            let settings = try storage.settings(try serving.flags)
            let configuration = try ServerConfiguration(settings)
            let (exposure, logger) = (configuration.exposure, configuration.logger)
            let address = exposure.listen
            let issuer = exposure.issuer
            if let danger = exposure.danger { logger.warning("insecure", metadata: ["danger": "\(danger)"]) }
            for warning in EnvironmentCheck().warnings + exposure.warnings(at: TimeSource.system.now()) {
                logger.warning("\(warning)")
            }
            for address in exposure.addresses { try address.tried() }
            let metrics = PrometheusMetrics()
            let opened = try storage.open(by: settings, whenMissing: .make, measuring: metrics)
            let auditKey: AuditSealKey?
            if let file = AuditKeyFile(settings) {
                let found = try await file.key(sealing: opened.store, for: .server, at: TimeSource.system.now())
                auditKey = found.key
                if found.isAnother {
                    logger.warning("\(AuditKeyFile.anotherKeyWords)", metadata: ["file": "\(file.path)"])
                }
            } else {
                auditKey = nil
                logger.warning("the audit's head is logged without a signature; --audit-key names a key that signs it")
            }
            let server = try AuthorizationServer(
                configuration.settings,
                keeping: opened.store,
                clock: .system,
                random: .system,
                logger: logger,
                measuring: metrics
            )
            let application = server.application(listening: address.bindAddress) { _ in
                Terminal.say("Countersign answers at \(issuer) (press Ctrl-C to stop).")
                Terminal.say("It listens on \(address).")
                Task { await StartupCode.release(by: .system) }
            }
            var listeners = [Listener(application: application, address: address)]
            if let clients = exposure.clientCertificates {
                let application = server.listener(
                    for: clients.mutualTLS,
                    listening: clients.address.bindAddress
                ) { _ in
                    Terminal.say("Apps with certificates are answered on \(clients.address).")
                }
                listeners.insert(Listener(application: application, address: clients.address), at: 0)
            }
            if let operations = exposure.operations {
                let application = server.operations(listening: operations.bindAddress, named: operations.host) { _ in
                    Terminal.say("Metrics and health are answered on \(operations).")
                }
                listeners.insert(Listener(application: application, address: operations), at: 0)
            }
            // It ends last, so that it logs what the last requests did.
            let heads = AuditHeadLog(of: opened.store, sealedBy: auditKey, clock: .system, logger: logger)
            try await ServerRun(services: [heads] + listeners, certificate: exposure.certificate, logger: logger).run()
            try await opened.close()
        }
    }

    /// The issuer, or a sentence that says what is wrong with it.
    static func issuer(_ text: String, allowingInsecureHTTP: Bool = false) throws -> Issuer {
        do {
            return try Issuer(text, allowingInsecureHTTP: allowingInsecureHTTP)
        } catch .insecure {
            throw Failure(
                "The issuer \(text) has no TLS. Give the server a certificate with --tls-certificate and --tls-key, or "
                    + "put a proxy with TLS in front; then name the https:// address with --issuer.",
                status: .usage
            )
        } catch {
            throw Failure(
                "The issuer \(text) is no base URL: it needs https://, a host, and neither query nor fragment.",
                status: .usage
            )
        }
    }

    /// The networks in a list.
    static func networks(_ list: String) throws -> [AddressNetwork] {
        try list.split(separator: ",").map { part in
            let text = part.trimmingCharacters(in: .whitespaces)
            guard let network = AddressNetwork(text) else {
                throw Failure("\(text) is no address and no network, as in 10.0.0.5 or 10.0.0.0/8.", status: .usage)
            }
            return network
        }
    }

    /// The words of a scope.
    static func scope(_ text: String, called name: String = "nearby-scope") throws -> Scope {
        guard let scope = Scope(parsing: text) else {
            throw Failure("\(name) has a character that no scope may have.", status: .usage)
        }
        return scope
    }

    /// The words that are given only so many seconds after a sign-in.
    static func recentScope(_ text: String) throws -> [ScopeWord: Int] {
        var seconds: [ScopeWord: Int] = [:]
        for part in text.split(separator: " ") {
            guard let mark = part.lastIndex(of: "="), let number = Int(part[part.index(after: mark)...]),
                (1...86_400).contains(number),
                let word = Scope(parsing: String(part[..<mark]))?.words.first
            else {
                throw Failure(
                    "recent-scope takes words with a number of seconds from 1 to 86400, as in transfer=300; not \(part).",
                    status: .usage
                )
            }
            seconds[word] = number
        }
        return seconds
    }

    /// The origins in a list.
    static func origins(_ list: String) throws -> [WebOrigin] {
        try list.split(separator: ",").map { part in
            let text = part.trimmingCharacters(in: .whitespaces)
            guard let origin = WebOrigin(parsing: text) else {
                throw Failure("\(text) is no origin of web pages, as in https://radio.example.com.", status: .usage)
            }
            return origin
        }
    }

    /// The Android apps that a text names, with commas between.
    static func androidApps(_ list: String) throws -> Set<AndroidAppOrigin> {
        Set(
            try list.split(separator: ",").map { part in
                let text = part.trimmingCharacters(in: .whitespaces)
                guard let app = AndroidAppOrigin(parsing: text) else {
                    throw Failure(
                        "\(text) is no Android app: it is android:apk-key-hash: and the SHA-256 digest of the app's "
                            + "certificate as base64url.",
                        status: .usage
                    )
                }
                return app
            })
    }

    /// A logger that writes to standard error.
    static func logger(_ level: String, as form: String = "text") throws -> Logger {
        guard let level = Logger.Level(rawValue: level.lowercased()) else {
            throw Failure("There is no log level \(level); see countersign serve --help.", status: .usage)
        }
        guard let form = LogForm(rawValue: form.lowercased()) else {
            throw Failure("There is no log format \(form): it is text or json.", status: .usage)
        }
        var logger = Logger(label: "countersign") { _ in LogLines(form) }
        logger.logLevel = level
        return logger
    }
}

extension ConfigReader {
    /// The time that an entry of the audit is kept, in seconds.
    func auditLifetime() throws -> Double {
        86_400 * Double(try wholeNumber("audit-lifetime", in: 1...36_500) ?? 400)
    }

    /// A setting that is a whole number in `range`; `nil` when it is not set.
    func wholeNumber(_ key: ConfigKey, in range: ClosedRange<Int>) throws -> Int? {
        guard let number = int(forKey: key) ?? string(forKey: key).map({ Int($0) ?? .min }) else { return nil }
        guard range.contains(number) else {
            throw Failure(
                "The setting \(key) takes a whole number from \(range.lowerBound) to \(range.upperBound).",
                status: .usage
            )
        }
        return number
    }
}
