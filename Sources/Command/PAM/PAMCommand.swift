internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignTesting
internal import Foundation

/// `countersign pam`: asks a person for the PAM module, which starts it and speaks lines with it.
struct PAMCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pam",
        abstract: "Ask a person for an application of this system; the PAM module pam_countersign calls it.",
        discussion: """
            Reads a question from standard input and ends with a line that is the verdict: success, denied, unavailable, \
            unknown or failed. The configuration is \(PAMConfiguration.standardPath); Documentation/HostSignIn.md \
            describes it.
            """,
        subcommands: [Watch.self]
    )

    @Option(help: "The file with the configuration.")
    var config = PAMConfiguration.standardPath

    func run() async throws {
        try await ending {
            let head = try PAMHead.fromStandardInput()
            let config = config
            try await untilInterrupted {
                let verdict: PAMVerdict
                do throws(CommandError) {
                    verdict = try await Self.verdict(about: head, configuredAt: config)
                } catch {
                    PAMLine.log(error.description).send()
                    verdict = .failed
                }
                guard !Task.isCancelled else { throw CommandError("The application has gone.", status: .interrupted) }
                PAMLine.verdict(verdict).send()
            }
        }
    }

    /// Answers a question.
    private static func verdict(about head: PAMHead, configuredAt path: String) async throws(CommandError) -> PAMVerdict
    {
        let configuration = try PAMConfiguration(at: path)
        guard let rule = configuration.services[head.service] else { return .unknown }
        configuration.trustCertificates()
        switch head.event {
        case .authenticate: return try await authenticate(head, by: rule, in: configuration)
        case .open: return try HostSession.watch(head, by: rule, configuredAt: path)
        case .close: return try HostSession.close(head)
        }
    }

    /// Asks the person of a user.
    private static func authenticate(
        _ head: PAMHead,
        by rule: PAMServiceRule,
        in configuration: PAMConfiguration
    ) async throws(CommandError) -> PAMVerdict {
        let name = rule.asks == .user ? head.user : head.caller ?? ""
        let number = getpwnam(name)?.pointee.pw_uid
        guard let expected = configuration.people.expectation(for: name, numbered: number) else { return .unknown }
        let session = rule.endsWithSignOut ? try HostSession(asking: head) : nil
        let signingIn = PAMSigningIn(
            head: head, configuration: configuration, rule: rule, expected: expected,
            store: session?.store ?? MemoryTokenStore())
        var verdict: PAMVerdict
        do throws(SignInError) {
            verdict = try await signingIn.verdict()
        } catch {
            verdict = PAMVerdict(error, by: rule)
            if verdict != .denied, verdict != .unknown { PAMLine.log("\(error.sentence) (\(error.reason))").send() }
        }
        if verdict != .success { session?.remove() }
        return verdict
    }
}
