internal import ArgumentParser
internal import CountersignGate
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
    var config = GateSetup.standardPath

    @Flag(help: "Only say what is wrong with the file, its secret, the address, the folder of keys, and the server.")
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
            let setup = try GateSetup(in: config)
            guard !check else {
                let unchecked = try Self.unchecked(await setup.findings)
                let sites = setup.configuration.sites.count
                let start = "\(config) is good: \(sites) site\(sites == 1 ? "" : "s"). The server accepts the gate."
                return Terminal.say(([start] + unchecked.map { "Not checked: \($0)." }).joined(separator: "\n"))
            }
            let address = try setup.address.settled()
            try address.tried()
            let gate = try setup.gate(logger: logger)
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
            for case .problem(let subject, let problem, let advice) in await setup.check.warnings() {
                logger.warning(
                    "the gate is not well set up",
                    metadata: ["subject": "\(subject.rawValue)", "reason": "\(problem)", "advice": "\(advice)"])
            }
            try await run.run()
        }
    }

    /// The points that a look did not reach.
    ///
    /// - Throws: a ``CommandError`` with the problems that it found.
    private static func unchecked(_ findings: [GateFinding]) throws(CommandError) -> [String] {
        var (problems, unchecked): ([String], [String]) = ([], [])
        for finding in findings {
            switch finding {
            case .problem(let subject, let problem, let advice):
                problems.append("\(subject.rawValue): \(problem) \(advice)")
            case .unchecked(let point): unchecked.append(point)
            }
        }
        guard problems.isEmpty else { throw CommandError(problems.joined(separator: "\n")) }
        return unchecked
    }
}
