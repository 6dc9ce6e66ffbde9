internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignWire

/// The notifications that this terminal declares, as an app declares its own to the system.
struct NotificationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The words on the button that approves.", valueName: "words"))
    var approveTitle: String?

    @Option(help: ArgumentHelp("The words on the button that denies.", valueName: "words"))
    var denyTitle: String?

    @Option(help: ArgumentHelp("A further button, which opens the app; may be repeated.", valueName: "id=words"))
    var button: [String] = []

    @Flag(help: "Show notifications without a sound.")
    var silent = false

    /// The categories; the standard ones by default.
    func categories() throws -> [NotificationCategory] {
        guard approveTitle != nil || denyTitle != nil || !button.isEmpty || silent else {
            return NotificationCategory.standard
        }
        var actions = [NotificationAction.approve(approveTitle ?? "Approve"), .deny(denyTitle ?? "Deny")]
        for text in button {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw CommandError("A button is given as ID=WORDS.", status: .usage) }
            actions.append(
                NotificationAction(NotificationAction.ID(parts[0]), title: parts[1], options: [.opensApp]))
        }
        var options = Set(NotificationCategory.Option.allCases)
        if silent { options.remove(.sound) }
        return [
            NotificationCategory(.instant, actions: actions, options: options),
            NotificationCategory(.scan, options: options),
        ]
    }
}

/// A category for output.
private struct PrintedCategory: Encodable {
    struct Action: Encodable {
        let id: String
        let title: String
        let options: [String]
    }

    let category: String
    let actions: [Action]
    let options: [String]

    init(_ category: NotificationCategory) {
        self.category = category.kind.rawValue
        actions = category.actions.map { action in
            Action(
                id: action.id.rawValue, title: action.title,
                options: action.options.map { "\($0)".snakeCased }.sorted())
        }
        options = category.options.map { "\($0)" }.sorted()
    }

    var line: String {
        let buttons = actions.map { action in
            "\(action.title) (\(([action.id] + action.options).joined(separator: ", ")))"
        }
        return "\(category): \(buttons.isEmpty ? "no buttons" : buttons.joined(separator: "; ")) "
            + "[\(options.joined(separator: ", "))]"
    }
}

extension String {
    /// A name of the code as lines of JSON spell it.
    fileprivate var snakeCased: String { replacing(/[A-Z]/) { "_\($0.output.lowercased())" } }
}

extension AuthenticatorCommand {
    /// `countersign authenticator notifications`
    struct Notifications: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Register the notifications of this terminal, and show what was declared.",
            discussion: """
                One call declares the usual category, with Approve and Deny. Your own words, buttons and options replace it:

                  countersign authenticator notifications
                  countersign authenticator notifications --approve-title Ja --deny-title Nein --button later=Später
                """
        )

        @OptionGroup var notifications: NotificationOptions

        @Flag(help: "Register them with this desktop.")
        var desktop = false

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await approving {
                let registration = NotificationRegistration(with: try presenter())
                let categories = try notifications.categories()
                // The completion is called once, with the system's answer.
                let outcome = await withCheckedContinuation {
                    (continuation: CheckedContinuation<Result<Bool, ApprovalError>, Never>) in
                    registration.register(categories) { continuation.resume(returning: $0) }
                }
                let isAllowed = try outcome.get()
                let declared = await registration.categories.map { PrintedCategory($0) }
                guard !json else {
                    return try Terminal.sayJSON(["allowed": isAllowed, "categories": declared] as OutputMembers)
                }
                for category in declared { Terminal.say(category.line.shown) }
                if !isAllowed { Terminal.say("The system shows no buttons.") }
            }
        }

        private func presenter() throws -> any NotificationPresenter {
            guard desktop else { return TextNotifications { Terminal.say($0) } }
            #if SecretService && os(Linux)
            return DesktopNotifications(of: "Countersign", clock: .system)
            #else
            throw CommandError(
                "This build shows no notifications. Build it with the package trait SecretService.", status: .usage)
            #endif
        }
    }

    /// `countersign authenticator check`
    struct Check: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Check the registration, as an app does at its start and each time it comes to the foreground.",
            discussion: """
                A terminal whose registration is gone registers again. Without a network nothing changes: only the server's word                 signs it out.
                """
        )

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            switch await (try options.terminal()).authenticator.checkRegistration() {
            case .verified(let registration):
                return Self.output("verified", registration, "The number is proved.")
            case .codeNeeded(let registration):
                return Self.output(
                    "code_needed", registration, "A code was sent. Type: countersign authenticator phone --code CODE")
            case .phoneNumberNeeded(let registration):
                return Self.output(
                    "phone_number_needed", registration,
                    "No number is proved. Type: countersign authenticator phone NUMBER")
            case .signedOut:
                return CommandOutput(
                    ["outcome": "signed_out"], nil,
                    endingBy: CommandError(ApprovalError.refusedSignIn, status: .refused))
            case .unknown(last: let last, because: let error):
                let kept = last.map { "It was \($0.status.rawValue) when the server was last asked." }
                return CommandOutput(
                    ["outcome": "unknown", "registration": last?.members, "reason": error.code.word],
                    "This terminal stays enrolled. \(kept ?? "")".shown,
                    endingBy: error
                )
            }
        }

        private static func output(
            _ outcome: String,
            _ registration: DeviceRegistration,
            _ words: String
        ) -> CommandOutput {
            CommandOutput(["outcome": outcome, "registration": registration.members], words)
        }
    }
}
