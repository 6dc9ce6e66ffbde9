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
        let file: PAMConfigurationFile
        switch try PAMConfigurationFile.find(at: path) {
        case .success(let found): file = found
        case .failure(let error):
            PAMLine.logError("\(error.description) No service has a rule until then.").send()
            return PAMVerdict(withoutRulesFor: head)
        }
        guard let rule = file.services[head.service] else { return .unknown }
        switch head.event {
        case .authenticate:
            let configuration = try PAMConfiguration(file)
            try configuration.trustCertificates()
            // Before there is a session of this attempt.
            let stale = HostSession.stale(for: head)
            async let ending: Void = withDiscardingTaskGroup { group in
                for session in stale { group.addTask { await session.end(at: configuration) } }
            }
            let verdict = try await authenticate(head, by: rule, in: configuration)
            await ending
            return verdict
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
        guard let asked = try rule.localUser(in: head) else { return .unknown }
        let local = getpwnam(asked)?.pointee
        let personal = PersonalUsers(definitions: try? String(contentsOfFile: PersonalUsers.path, encoding: .utf8))
        // The system's own name of the user: it may know them by other spellings, too.
        let name = local.flatMap { String(validatingCString: $0.pw_name) } ?? asked
        guard
            let expected = configuration.people.expectation(for: name, numbered: local?.pw_uid, among: personal)
        else {
            if let number = local?.pw_uid, personal.isExceeded(by: number) {
                PAMLine.log("Nobody is asked for \(name.shown): \(number) is above UID_MAX of \(PersonalUsers.path).")
                    .send()
            }
            return .unknown
        }
        let ways = try configuration.ways(for: head.service, by: rule, expecting: expected)
        let session = rule.endsWithSignOut ? try HostSession(asking: head, by: CodeMint(drawingFrom: .system)) : nil
        let signingIn = PAMSigningIn(
            head: head, configuration: configuration, rule: rule, expected: expected, ways: ways,
            store: session?.store ?? MemoryTokenStore())
        var verdict: PAMVerdict
        do throws(SignInError) {
            verdict = try await signingIn.verdict()
        } catch {
            verdict = PAMVerdict(error, by: rule)
            PAMLine.log("\(error.sentence) (\(error.reason))").send()
        }
        if verdict != .success || Task.isCancelled { await session?.end(at: configuration) }
        return verdict
    }
}
