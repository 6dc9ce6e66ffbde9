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
    var config = "/etc/countersign/gate.json"

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
            let gate = try Self.gate(configuration, logger: logger)
            guard !check else {
                let problems = await gate.problems()
                guard problems.isEmpty else { throw CommandError(Self.sentence(problems)) }
                let sites = configuration.sites.count
                return Terminal.say(
                    "\(config) is good: \(sites) site\(sites == 1 ? "" : "s"). The server accepts the gate.")
            }
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
            for problem in await gate.problems() {
                logger.warning("the server is not ready for the gate", metadata: ["reason": "\(problem)"])
            }
            try await run.run()
        }
    }

    static func configuration(in path: String) throws(CommandError) -> GateConfiguration {
        let bytes = try SuppliedText.bytes(in: path, called: "The configuration file")
        do throws(GateConfigurationError) {
            return try GateConfiguration(reading: bytes)
        } catch {
            throw CommandError("\(path): \(error)")
        }
    }

    static func gate(_ configuration: GateConfiguration, logger: Logger) throws(CommandError) -> Gate {
        let secret = try SuppliedText.secret(in: configuration.secretFile)
        guard !secret.isEmpty else { throw CommandError("The file \(configuration.secretFile) is empty.") }
        do throws(GateStateError) {
            return try Gate(
                configuration, secret: ClientSecret(revealing: secret), over: SystemTransport.make(), clock: .system,
                random: .system, logger: logger)
        } catch {
            throw CommandError(error.description)
        }
    }

    private static func sentence(_ problems: [String]) -> String {
        "The server is not ready for the gate: \(problems.joined(separator: "; "))."
    }
}
