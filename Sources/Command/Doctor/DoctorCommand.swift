internal import ArgumentParser
internal import Configuration
internal import Foundation

/// `countersign doctor`: describes the errors of a set-up.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is wrong with a set-up, and what to do.",
        discussion: """
            Takes the settings of serve, from the same places. It changes nothing, and works while the server runs or \
            not. The status is 0 when nothing is wrong, and 1 otherwise.
            """
    )

    @OptionGroup var storage: StoreOptions
    @OptionGroup var serving: ServeOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        var findings = EnvironmentCheck().findings
        do {
            let settings = try storage.settings(try serving.flags)
            if let file = storage.configurationFile { findings += FileCheck(path: file).findings }
            findings += await SettingsCheck(settings).findings
            findings += SecretFilesCheck(settings: settings).findings
            findings += AuditKeyCheck(settings).findings
            findings += await DataCheck(settings).findings
        } catch let failure as CommandError {
            findings.append(.problem("settings", failure.description, "Nothing else was looked at."))
        }
        try show(findings)
        if findings.contains(where: { $0.grade == .problem }) { throw ExitCode(ExitStatus.failed.rawValue) }
    }

    private func show(_ findings: [Finding]) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            Terminal.say(String(decoding: try encoder.encode(findings), as: UTF8.self))
            return
        }
        for finding in findings { Terminal.say(finding.text) }
        let wrong = findings.filter { $0.grade == .problem }.count
        Terminal.say(
            wrong == 0 ? "Nothing is wrong." : wrong == 1 ? "One thing is wrong." : "\(wrong) things are wrong.")
    }
}
