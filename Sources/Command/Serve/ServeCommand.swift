internal import ArgumentParser
internal import Configuration
internal import Countersign
internal import CountersignServer
internal import CountersignWire
internal import Foundation
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle

/// `countersign serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: """
            Without any setting it listens on 127.0.0.1:8080 and keeps everything in one SQLite database.
            Where others can reach it, it needs TLS: a certificate, or a proxy that has one.
            Each setting can be a flag, an environment variable or a key of the configuration file; the first of \
            these counts. Stop it with Ctrl-C or SIGTERM: it answers what it has begun. On a terminal it ends with that; \
            elsewhere, and under nohup, SIGHUP lets it read its certificate again.

            Example of a configuration file:
              { "issuer": "https://id.example.com", "listen": "127.0.0.1:8080", "longest-wait": 30 }
            """
    )

    @OptionGroup(title: "Name and database") var storage: StoreOptions

    @OptionGroup var serving: ServeOptions

    func run() async throws {
        try await ending(isService: true) {
            let onHangUp = Terminal.hangUp.action
            let settings = try storage.settings(try serving.flags)
            let metrics = PrometheusMetrics()
            let configuration = try ServerConfiguration(settings, measuring: metrics)
            let (exposure, logger, logForm) = (configuration.exposure, configuration.logger, configuration.logForm)
            let address = exposure.listen
            let issuer = exposure.issuer
            if let danger = exposure.danger { logger.warning("insecure", metadata: ["danger": "\(danger)"]) }
            for warning in EnvironmentCheck().warnings + exposure.warnings(at: TimeSource.system.now()) {
                logger.warning("\(warning)")
            }
            for address in exposure.addresses { try address.tried() }
            let opened = try storage.open(by: settings, whenMissing: .make, measuring: metrics)
            do {
                try await StoreOptions.keep(settings, at: issuer, in: opened.store)
            } catch {
                logger.warning("links of the command cannot lead here", metadata: ["reason": "\(error)"])
            }
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
                logForm.tell("Countersign answers at \(issuer)", hint: " (press Ctrl-C to stop)", or: logger)
                logForm.tell("It listens on \(address)", or: logger)
                Task { await StartupCode.release(by: .system) }
            }
            var listeners = [Listener(application: application, address: address)]
            if let clients = exposure.clientCertificates {
                let application = server.listener(for: clients.mutualTLS, listening: clients.address.bindAddress) { _ in
                    logForm.tell("Apps with certificates are answered on \(clients.address)", or: logger)
                }
                listeners.insert(Listener(application: application, address: clients.address), at: 0)
            }
            if let operations = exposure.operations {
                let application = server.operations(listening: operations.bindAddress, named: operations.host) { _ in
                    logForm.tell("Metrics and health are answered on \(operations)", or: logger)
                }
                listeners.insert(Listener(application: application, address: operations), at: 0)
            }
            // These end last, so that they log and export what the last requests did.
            let heads = AuditHeadLog(of: opened.store, sealedBy: auditKey, clock: .system, logger: logger)
            let traces: [any Service] = configuration.traces.map { [$0] } ?? []
            let run = ServerRun(
                services: [heads] + traces + listeners,
                certificate: exposure.certificate,
                onHangUp: onHangUp,
                drain: ServerRun.Drain(length: configuration.drainTime, begin: server.drain),
                logger: logger
            )
            try await run.run()
            try await opened.close()
        }
    }

    /// The issuer, or a sentence that describes its error.
    static func issuer(_ text: String, allowingInsecureHTTP: Bool = false) throws -> Issuer {
        do {
            return try Issuer(text, allowingInsecureHTTP: allowingInsecureHTTP)
        } catch .insecure {
            throw CommandError.usage(
                "The issuer \(text) has no TLS. Give the server a certificate with --tls-certificate and --tls-key, or "
                    + "put a proxy with TLS in front; then name the https:// address with --issuer."
            )
        } catch {
            throw CommandError.usage(
                "The issuer \(text) is no base URL: it needs https://, a host, and neither query nor fragment.")
        }
    }

    /// A logger that writes to standard error.
    static func logger(_ level: Logger.Level, as form: LogForm = .text) -> Logger {
        var logger = Logger(label: "countersign") { _ in LogLines(form) }
        logger.logLevel = level
        return logger
    }

    /// The least level of the log by its name.
    static func logLevel(_ name: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: name.lowercased()) else {
            throw Suggestion(from: Logger.Level.allCases.map(\.rawValue)).refusal(
                "There is no log level \(name); see countersign serve --help.", of: name)
        }
        return level
    }

    /// The form of the log's lines by its name.
    static func logForm(_ name: String) throws -> LogForm {
        guard let form = LogForm(rawValue: name.lowercased()) else {
            let known = Suggestion(from: LogForm.allCases.map(\.rawValue))
            throw known.refusal("There is no log format \(name): it is \(known.choice).", of: name)
        }
        return form
    }
}
