internal import ArgumentParser
internal import Configuration

/// `countersign doctor`: describes the errors of a set-up.
struct DoctorCommand: OutputCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is wrong with a set-up, and what to do.",
        discussion: """
            Takes the settings of serve, from the same places. It changes nothing, and works while the server runs or \
            not. The status is 0 when nothing is wrong, and 1 otherwise.
            """,
        subcommands: [Gate.self, PAM.self]
    )

    @OptionGroup(title: "Name and database") var storage: StoreOptions
    @OptionGroup var serving: ServeOptions

    @OptionGroup var form: FindingsForm

    var json: Bool { form.json }

    func output() async throws -> CommandOutput {
        var findings = EnvironmentCheck().findings
        do {
            let settings = try storage.settings(try serving.flags)
            if let file = storage.configurationFile { findings += FileCheck(path: file).findings }
            if storage.configurationFile == nil, !Exposure.isNamed(in: settings) {
                findings.append(
                    .notice(
                        "settings",
                        "No address is named, so these are the checks of the defaults.",
                        "Name the settings of your server: --config /etc/countersign/config.json --data /var/lib/countersign"
                    )
                )
            }
            findings += await SettingsCheck(settings).findings
            findings += MailCheck(settings).findings
            findings += SecretFilesCheck(settings: settings).findings
            findings += AuditKeyCheck(settings).findings
            findings += await DataCheck(settings).findings
        } catch let failure as CommandError {
            findings.append(.problem("settings", failure.description, "No other checks were made."))
        }
        return CommandOutput(about: findings)
    }
}

/// The form in which findings are printed, for `doctor` and its subcommands.
struct FindingsForm: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false
}

extension CommandOutput {
    /// The output of checks: their findings, and how many are problems.
    init(about findings: [Finding]) {
        let wrong = findings.filter { $0.grade == .problem }.count
        let sum =
            wrong == 0
            ? "No problems were found." : wrong == 1 ? "One problem was found." : "\(wrong) problems were found."
        self.init(
            encoding: findings, (findings.map(\.text) + [sum]).joined(separator: "\n"),
            endingBy: wrong == 0 ? nil : ExitCode(ExitStatus.failed.rawValue))
    }
}
