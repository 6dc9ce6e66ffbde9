internal import ArgumentParser
internal import Countersign
internal import CountersignGate
internal import CountersignTransport
internal import Foundation
internal import Logging

/// `countersign gate`: runs forward authentication for sites behind a proxy.
struct GateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Sign people in to sites behind nginx, Caddy, Traefik or HAProxy.",
        discussion: """
            The proxy asks the gate about each request. The gate lets it pass, with the person in header fields, sends \
            the browser to sign in, or refuses it. Sites and rules are in one file; SIGTERM or Ctrl-C stops it.

            Example of the file:
              {
                "issuer": "https://id.example.com",
                "client-id": "gate",
                "client-secret-file": "/etc/countersign/gate.secret",
                "original-request": "x-forwarded",
                "sites": [
                  { "url": "https://photos.example.com",
                    "rules": [ { "path": "/admin/*", "groups": ["admins"], "max-age": 300 } ] }
                ]
              }
            """
    )

    @Option(help: ArgumentHelp("The file with sites and rules.", valueName: "path"))
    var config = Self.standardPath

    @Flag(help: "Only say what is wrong with the file, its secret and the server, and whether it would run.")
    var check = false

    @Option(help: "The least level that is logged: trace, debug, info, notice, warning, error.")
    var logLevel = "info"

    @Option(help: "The form of the log: text or json.")
    var logFormat = "text"

    func run() async throws {
        try await ending(isService: !check) {
            let onHangUp = Terminal.hangUp.action
            let (level, form) = (try ServeCommand.logLevel(logLevel), try ServeCommand.logForm(logFormat))
            let logger = ServeCommand.logger(level, as: form)
            let configuration = try Self.configuration(in: config)
            let look = try Self.check(configuration)
            guard !check else {
                let unchecked = try Self.unchecked(await look.findings())
                let sites = configuration.sites.count
                let start = "\(config) is good: \(sites) site\(sites == 1 ? "" : "s"). The server accepts the gate."
                return Terminal.say(([start] + unchecked.map { "Not checked: \($0)." }).joined(separator: "\n"))
            }
            let gate = try Self.gate(configuration, logger: logger)
            let address = try ListenAddress(configuration.listen).settled()
            try address.tried()
            let application = gate.application(listening: address.bindAddress) { _ in
                form.tell("The gate answers proxies at \(address)", hint: " (press Ctrl-C to stop)", or: logger)
            }
            let run = ServerRun(
                services: [Listener(application: application, address: address)],
                certificate: nil,
                onHangUp: onHangUp,
                drain: ServerRun.Drain(length: .zero, begin: {}),
                logger: logger
            )
            if case .problem(let problem, _) = await look.acceptance() {
                logger.warning("the server is not ready for the gate", metadata: ["reason": "\(problem)"])
            }
            try await run.run()
        }
    }

    /// The file where a gate reads its configuration.
    static let standardPath = "/etc/countersign/gate.json"

    static func configuration(in path: String) throws(CommandError) -> GateConfiguration {
        let bytes = try SuppliedText.bytes(in: path, called: "The configuration file")
        do throws(GateConfigurationError) {
            return try GateConfiguration(reading: bytes)
        } catch {
            throw CommandError("\(path): \(error)")
        }
    }

    /// The look at the server, which writes nothing.
    static func check(_ configuration: GateConfiguration) throws(CommandError) -> GateCheck {
        let (secret, transport) = (try secret(of: configuration), try transport(of: configuration))
        do throws(GateStateError) {
            return try GateCheck(configuration, secret: secret, over: transport, clock: .system, random: .system)
        } catch {
            throw CommandError(error.description)
        }
    }

    private static func gate(_ configuration: GateConfiguration, logger: Logger) throws(CommandError) -> Gate {
        let (secret, transport) = (try secret(of: configuration), try transport(of: configuration))
        do throws(GateStateError) {
            return try Gate(
                configuration, secret: secret, over: transport, clock: .system, random: .system, logger: logger)
        } catch {
            throw CommandError(error.description)
        }
    }

    private static func secret(of configuration: GateConfiguration) throws(CommandError) -> ClientSecret {
        let secret = try SuppliedText.secret(in: configuration.secretFile)
        guard !secret.isEmpty else { throw CommandError("The file \(configuration.secretFile) is empty.") }
        return ClientSecret(revealing: secret)
    }

    private static func transport(of configuration: GateConfiguration) throws(CommandError) -> any HTTPTransport {
        if let path = configuration.certificates {
            try TrustedCertificates.use(path, by: "ca-file", called: "The ca-file")
        }
        return SystemTransport.make()
    }

    /// The points that a look did not reach.
    ///
    /// - Throws: a ``CommandError`` with the problems that it found.
    private static func unchecked(_ findings: [GateFinding]) throws(CommandError) -> [String] {
        var (problems, advices, unchecked): ([String], [String], [String]) = ([], [], [])
        for finding in findings {
            switch finding {
            case .problem(let problem, let advice):
                problems.append(problem)
                if !advices.contains(advice) { advices.append(advice) }
            case .unchecked(let point): unchecked.append(point)
            }
        }
        guard !problems.isEmpty else { return unchecked }
        let list = problems.joined(separator: "; ")
        throw CommandError("The server is not ready for the gate: \(list). \(advices.joined(separator: " "))")
    }
}
