internal import ArgumentParser
internal import CountersignGate
internal import CountersignWire
internal import Foundation

extension DoctorCommand {
    /// `countersign doctor gate`: describes the errors of a gate's set-up.
    struct Gate: OutputCommand {
        static let configuration = CommandConfiguration(
            commandName: "gate",
            abstract: "Say what is wrong with a gate's file, secret, address, folder, and client at the server.",
            discussion: """
                Reads \(GateSetup.standardPath), or the file that --config names. It writes nothing, and works while \
                the gate runs or not. Run it as the user of the gate, whose rights it looks at.
                """
        )

        @OptionGroup(visibility: .hidden) var file: ConfigurationFileOption
        @OptionGroup var form: FindingsForm

        var json: Bool { form.json }
        private var config: String { file.config ?? GateSetup.standardPath }

        func output() async throws -> CommandOutput { CommandOutput(about: await findings) }

        private var findings: [Finding] {
            get async {
                do {
                    let setup = try GateSetup(in: config)
                    let findings = await setup.findings
                    let configuration = setup.configuration
                    let file = Finding.fine("file", "\(config) can be used; sites: \(configuration.sites.count)")
                    let isAccepted = !findings.contains { if case .problem(.server, _, _) = $0 { true } else { false } }
                    let accepted = isAccepted ? [Finding.fine("server", "accepts the gate")] : []
                    let found = findings.map { finding in
                        switch finding {
                        case .problem(let subject, let problem, let advice):
                            Finding.problem(subject.rawValue, problem, advice)
                        case .unchecked(let point): Finding.notice("server", "not checked: \(point).")
                        }
                    }
                    let secret = Finding.exposed("secret", configuration.secretFile).map { [$0] } ?? []
                    return [file] + secret + unneededTrust(configuration) + accepted + found
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
