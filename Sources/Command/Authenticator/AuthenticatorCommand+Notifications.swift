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
            guard let named = NamedValue(parsing: text), !named.name.isEmpty, !named.value.isEmpty else {
                throw CommandError.usage("A button is given as ID=WORDS.")
            }
            actions.append(
                NotificationAction(NotificationAction.ID(named.name), title: named.value, options: [.opensApp]))
        }
        var options = Set(NotificationCategory.Option.allCases)
        if silent { options.remove(.sound) }
        return [
            NotificationCategory(.instant, actions: actions, options: options),
            NotificationCategory(.scan, options: options),
        ]
    }
}

extension NotificationCategory {
    private var optionNames: [String] { options.map { "\($0)" }.sorted() }

    fileprivate var members: OutputMembers {
        [
            "category": kind.rawValue, "options": optionNames,
            "actions": actions.map { action -> OutputMembers in
                ["id": action.id.rawValue, "title": action.title, "options": action.optionNames]
            },
        ]
    }

    fileprivate var line: String {
        let buttons = actions.map { action in
            "\(action.title) (\(([action.id.rawValue] + action.optionNames).joined(separator: ", ")))"
        }
        return "\(kind.rawValue): \(buttons.isEmpty ? "no buttons" : buttons.joined(separator: "; ")) "
            + "[\(optionNames.joined(separator: ", "))]"
    }
}

extension NotificationAction {
    fileprivate var optionNames: [String] { options.map { "\($0)".snakeCased }.sorted() }
}

extension String {
    /// A name of the code as JSON spells it.
    var snakeCased: String { replacing(/[A-Z]/) { "_\($0.output.lowercased())" } }
}

extension AuthenticatorCommand {
    /// `countersign authenticator notifications`
    struct Notifications: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Register the notifications of this terminal, and show what was declared.",
            discussion: """
                One call declares the usual category, with Approve and Deny. Your own words, buttons and options replace it:

                  countersign authenticator notifications
                  countersign authenticator notifications --approve-title Ja --deny-title Nein
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
                let isAllowed = try await registration.register(try notifications.categories())
                let declared = await registration.categories
                let lines = declared.map(\.line.shown) + (isAllowed ? [] : ["The system shows no buttons."])
                try CommandOutput(
                    ["allowed": isAllowed, "categories": declared.map(\.members)], lines.joined(separator: "\n")
                ).print(asJSON: json)
            }
        }

        private func presenter() throws -> any NotificationPresenter {
            guard desktop else { return TextNotifications { Terminal.say($0) } }
            #if SecretService && os(Linux)
            return DesktopNotifications(of: "Countersign", clock: .system)
            #else
            throw CommandError.usage(
                "This build shows no notifications. Build it with the package trait SecretService.")
            #endif
        }
    }

    /// `countersign authenticator check`
    struct Check: AuthenticatorAction {
        static let configuration = CommandConfiguration(
            abstract: "Check the registration, as an app does at its start and each time it comes to the foreground.",
            discussion: """
                A terminal whose registration is gone registers again. Without a network nothing changes: only the server's word \
                signs it out. For example:

                  countersign authenticator check
                """
        )

        @OptionGroup var options: AuthenticatorOptions

        func output() async throws -> CommandOutput {
            switch await (try options.terminal()).approver.checkRegistration() {
            case .verified(let registration):
                return Self.output("verified", registration, "The number is verified.")
            case .codeNeeded(let registration):
                return Self.output(
                    "code_needed", registration, "A code was sent. Type: countersign authenticator phone --code CODE")
            case .phoneNumberNeeded(let registration):
                return Self.output(
                    "phone_number_needed", registration,
                    "No number is verified. Type: countersign authenticator phone NUMBER")
            case .signedOut:
                return CommandOutput(
                    ["outcome": "signed_out"], nil, endingBy: CommandError.signedOutAtServer)
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
