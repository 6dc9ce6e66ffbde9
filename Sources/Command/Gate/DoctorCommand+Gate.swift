internal import ArgumentParser
internal import CountersignGate
internal import CountersignWire
internal import Foundation
internal import Logging

extension DoctorCommand {
    /// `countersign doctor gate`: describes the errors of a gate's set-up.
    struct Gate: OutputCommand {
        static let configuration = CommandConfiguration(
            commandName: "gate",
            abstract: "Say what is wrong with a gate's file, its secret and its client at the server.",
            discussion: "It makes the keys of the gate where there are none, and works while the gate runs or not."
        )

        @Option(help: ArgumentHelp("The file with sites and rules.", valueName: "path"))
        var config = "/etc/countersign/gate.json"

        @Flag(help: "Print JSON.")
        var json = false

        func output() async throws -> CommandOutput { CommandOutput(about: await findings) }

        private var findings: [Finding] {
            get async {
                do {
                    let configuration = try GateCommand.configuration(in: config)
                    let gate = try GateCommand.gate(configuration, logger: ServeCommand.logger(.critical))
                    let problems = await gate.problems().map { problem in
                        Finding.problem(
                            "server", "\(problem).", "Compare issuer, client-id and the secret with the server's.")
                    }
                    let file = Finding.fine("file", "\(config) can be used; sites: \(configuration.sites.count)")
                    let server = problems.isEmpty ? [Finding.fine("server", "accepts the gate")] : problems
                    let secret = Finding.exposed("secret", configuration.secretFile).map { [$0] } ?? []
                    return [file] + secret + unneededTrust(configuration) + server
                } catch {
                    return [.problem("file", "\(error)", "No other checks were made.")]
                }
            }
        }

        private func unneededTrust(_ configuration: GateConfiguration) -> [Finding] {
            configuration.proxies.filter(\.isWide).map { network in
                .notice(
                    "proxies", "trusted-proxies has the whole of \(network).",
                    "Name the addresses of the proxies: the others in it could ask in their place.")
            }
        }
    }
}
