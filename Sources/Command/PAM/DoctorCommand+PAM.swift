internal import ArgumentParser
internal import Countersign
internal import CountersignTransport
internal import Foundation

extension DoctorCommand {
    /// `countersign doctor pam`: describes the errors of a host's set-up, before anybody signs in.
    struct PAM: OutputCommand {
        static let configuration = CommandConfiguration(
            commandName: "pam",
            abstract: "Say what is wrong with the sign-in on this host by PAM, and what to do.",
            discussion: """
                Reads \(PAMConfiguration.standardPath), or the file that --config names. Run it as root, before you enable \
                the module. It changes nothing on this host and asks nobody.
                """
        )

        @OptionGroup(visibility: .hidden) var file: ConfigurationFileOption
        @OptionGroup var form: FindingsForm

        var json: Bool { form.json }
        private var config: String { file.config ?? PAMConfiguration.standardPath }

        func output() async throws -> CommandOutput {
            var findings: [Finding] = []
            do throws(CommandError) {
                let file = try PAMConfigurationFile.read(at: config)
                let configuration = try PAMConfiguration(file)
                try configuration.trustCertificates()
                findings.append(.fine("settings", "\(config) can be used."))
                if configuration.isForUser {
                    findings.append(
                        .notice(
                            "settings", "You may not read the secret, so these are the checks of public-client alone.",
                            "Run it as root for those of the host."))
                }
                findings += PAMPublicClientFiles(of: file, at: config).findings
                findings += PAMRuleCheck.findings(of: configuration)
                findings += await PAMClientCheck(configuration: configuration, transport: SystemTransport.make())
                    .findings
                findings += PAMCheck(services: configuration.services, files: .ofThisHost).findings
            } catch {
                findings.append(.problem("settings", error.description, "No other checks were made."))
            }
            return CommandOutput(about: findings)
        }
    }
}

extension PAMCheck.Files {
    /// The files of this host.
    fileprivate static var ofThisHost: PAMCheck.Files {
        let libraries = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"]
        let folders = libraries.flatMap { library in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
            return ["\(library)/security"] + names.filter { $0.contains("-linux-") }.map { "\(library)/\($0)/security" }
        }
        let includes = (try? FileManager.default.contentsOfDirectory(atPath: "/etc/ssh/sshd_config.d")) ?? []
        return PAMCheck.Files(
            text: { try? String(contentsOfFile: $0, encoding: .utf8) },
            modules: folders.map { "\($0)/pam_countersign.so" }.filter { FileStatus(following: $0) != nil },
            includes: includes.filter { $0.hasSuffix(".conf") }.sorted().map { "/etc/ssh/sshd_config.d/\($0)" },
            program: { PAMCheck.Program(at: $0) })
    }
}

extension PAMCheck.Program {
    /// Looks at a program.
    init(at path: String) {
        guard FileStatus(following: path)?.kind == .file, access(path, X_OK) == 0 else {
            self = .absent
            return
        }
        self = OperatorFile.isForRootAlone(path) ? .safe : .changeable
    }
}
