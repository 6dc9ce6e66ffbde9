internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignNearby
internal import CountersignWire
internal import Foundation

/// `countersign approve`: this terminal is the screen that answers.
struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "See what asks to be signed in as you, and approve or deny it, as a phone does.",
        discussion: """
            It waits for requests of all ways, in one list: of screens nearby, of other screens that know you, of apps that \
            name you, and of customers' sites. Each is a question: type y, n, or the number that is shown where you \
            started. Enrol this terminal first, with the QR code of /account, or by its sign-in:

              countersign authenticator enroll --client authenticator --picture code.png
              countersign approve

            Without --once it goes on until Ctrl-C. A program lists what waits, and answers one request:

              countersign approve --list --json
              countersign approve ID --answer approve --number 42

            With --json each line is an object with the member "event"; --list and --answer print one result.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "One request to answer, or the address with which another app asks. (default: all that waits)",
            valueName: "request"))
    var request: String?

    @Option(
        help: ArgumentHelp(
            "Answer that request, or the only one that waits, without a question: approve or deny.",
            valueName: "answer"))
    var answer: AnswerChoice?

    @Option(help: "The number that is shown where you started, if one is shown; with --answer approve.")
    var number: String?

    @Option(help: SessionTerm.help, transform: SessionTerm.named)
    var session: SessionTerm?

    @Flag(help: "List what waits now, and end.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "Take requests of these ways only, with commas between them. (default: all that this terminal can take)",
            discussion: """
                nearby: screens on the local network, which find this terminal; inbox: what the server holds for you, once \
                this terminal is enrolled.
                """,
            valueName: "ways"))
    var only: String?

    @Flag(help: "End after the first request that was approved or denied.")
    var once = false

    @Flag(help: "Show notifications on this desktop, too, with buttons.")
    var desktop = false

    @Option(
        help: ArgumentHelp(
            "Ask nobody: deny all screens nearby, or approve those that are paired (approve-paired).",
            discussion: """
                For a device without a person, which answers screens nearby alone. A screen that is not paired needs a \
                person who reads its digits, and is told "not now". Whoever stands at a paired screen is signed in as \
                you.
                """,
            valueName: "policy"
        )
    )
    var withoutAsking: UnattendedPolicy?

    @Option(help: "What this device calls itself nearby. (default: the name of this machine)")
    var deviceName: String?

    @OptionGroup(title: "Nearby")
    var network: NearbyOptions

    @OptionGroup var options: AuthenticatorOptions

    func run() async throws {
        try await approving {
            let ways = try chosenWays()
            try requireConsistency(in: ways)
            if list { return try await listWaiting() }
            if let answer { return try await give(answer.answer(number)) }
            let outcomes = ApprovalOutcomes()
            let terminal = try await ApprovingTerminal.open(options, ways: ways)
            let asks = withoutAsking == nil && !Terminal.givesNothing
            guard asks || withoutAsking != nil || request == nil && (!once || desktop) else {
                throw CommandError.usage(
                    "Nobody can answer here: standard input is empty. Pass --answer, --list or --without-asking.")
            }
            let output = ApprovalOutput(printsJSON: options.json)
            let questions = ApprovalQuestions(
                about: terminal.approver, session: session, printingBy: output, telling: outcomes, asks: asks)
            let run = ApprovalRun(
                command: self, terminal: terminal, questions: questions, outcomes: outcomes, output: output)
            switch request {
            case nil: try await run.waitForAll(by: ways)
            case let address? where address.contains(":"): try await run.answer(addressOfApp: address)
            case let id?: try await run.ask(only: id)
            }
        }
    }

    /// The ways that `--only` names; `nil` for all.
    private func chosenWays() throws -> Set<ApprovalWay>? {
        guard let only else { return withoutAsking == nil ? nil : [.nearby] }
        let names = only.split(separator: ",", omittingEmptySubsequences: false)
        return try Set(
            names.map { name in
                let suggestion = Suggestion(from: ApprovalWay.allCases.map(\.rawValue))
                return try ApprovalWay(rawValue: String(name)).or(
                    usage: "‘\(String(name).shown)’ is no way to be asked. "
                        + (suggestion.question(for: String(name)) ?? "The ways are nearby and inbox."))
            })
    }

    /// Refuses options that contradict each other, before anything is sent.
    private func requireConsistency(in ways: Set<ApprovalWay>?) throws {
        let takesNearby = ways?.contains(.nearby) ?? true
        guard takesNearby || !network.isChosen && deviceName == nil else {
            throw CommandError.usage(
                "--interface, --app, --pair and --device-name go with the way nearby, which --only leaves out.")
        }
        guard withoutAsking == nil || ways == [.nearby] && request == nil && answer == nil && !list && !desktop else {
            throw CommandError.usage("--without-asking answers screens nearby alone.")
        }
        let takesInbox = ways?.contains(.inbox) ?? true
        guard takesInbox || request == nil && answer == nil && !list else {
            throw CommandError.usage(
                "A request, --answer and --list go with what the server holds: the way inbox, which --only leaves out.")
        }
        guard number == nil || answer == .approve else {
            throw CommandError.usage("--number goes with --answer approve.")
        }
        guard !list || answer == nil && request == nil else {
            throw CommandError.usage("--list answers nothing: leave out the request and --answer.")
        }
        guard request == nil && answer == nil && !list || !desktop && !once else {
            throw CommandError.usage("--desktop and --once go with waiting for requests.")
        }
    }

    // MARK: What waits now

    private func listWaiting() async throws {
        let terminal = try await options.terminal()
        let requests = try await terminal.waitingRequests().map {
            PrintedRequest($0, at: terminal.approver.issuer, choosing: session)
        }
        let text = requests.flatMap(\.lines).joined(separator: "\n")
        try CommandOutput(
            encoding: requests.map(\.members), requests.isEmpty ? "No requests are pending." : text
        ).print(asJSON: options.json)
    }

    private func give(_ answer: RequestAnswer) async throws {
        let terminal = try await options.terminal()
        try await terminal.give(answer, to: request, session: session, printingJSON: options.json)
            .print(asJSON: options.json)
    }
}

/// The ways in which requests come to this terminal, as `--only` names them.
enum ApprovalWay: String, CaseIterable {
    /// From screens on the local network.
    case nearby
    /// From the server, which holds them for the person.
    case inbox
}

/// The answer to a request that is given with the command.
enum AnswerChoice: String, ExpressibleByArgument, CaseIterable {
    case approve, deny

    fileprivate func answer(_ number: String?) -> RequestAnswer { self == .approve ? .approve(number: number) : .deny }
}

/// The answer of a device that has no person in front of it.
enum UnattendedPolicy: String, ExpressibleByArgument, CaseIterable {
    /// No screen is approved.
    case deny
    /// Screens are approved that a person paired with this device before.
    case approvePaired = "approve-paired"
}
