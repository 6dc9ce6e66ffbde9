internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignRequester
internal import CountersignTransport
internal import CountersignWire
internal import Foundation

/// `countersign authenticator`: this terminal is a phone that approves.
struct AuthenticatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authenticator",
        abstract:
            "Enrol this terminal as a phone that approves, and manage it; 'countersign approve' answers requests.",
        discussion: """
            Enrol this terminal with the QR code that a page shows, from a picture or as text:

              countersign authenticator enroll --client authenticator --picture code.png
              countersign approve

            A terminal that is signed in with the scope nearby_approve ('countersign signin') is enrolled without a code. \
            What it keeps lies sealed beside the tokens.
            """,
        subcommands: [
            Enroll.self, Report.self, Mute.self, Undo.self, Decisions.self, Code.self, Sites.self, Devices.self,
            Connect.self, Phone.self, Check.self, Notifications.self,
            Push.self, Subscribe.self, Quiet.self, SignOut.self,
        ]
    )
}

/// A command of an enrolled terminal, which ends with one output.
protocol AuthenticatorAction: OutputCommand {
    var options: AuthenticatorOptions { get }
}

extension AuthenticatorAction {
    var json: Bool { options.json }

    func run() async throws {
        try await approving { try await output().print(asJSON: json) }
    }
}

/// The options that every command of an enrolled terminal has.
struct AuthenticatorOptions: ParsableArguments {
    @Option(help: "The base URL of the server. (default: the one at which this terminal is signed in)")
    var issuer: String?

    @Option(help: "The client as which this terminal is signed in. (default: the one that is)")
    var client: String?

    @Option(help: "The key that the operator gave to this app, if they did.")
    var appKey: String?

    @OptionGroup var tokens: TokenStoreOptions
    @OptionGroup var server: ServerAccess

    @Flag(help: "Print JSON.")
    var json = false

    /// The terminal that is signed in.
    func terminal() async throws -> EnrolledTerminal {
        let store = try tokens.store()
        guard let key = try await signIn(in: store) else { throw try await notEnrolled(in: store) }
        return try terminal(of: key, in: store)
    }

    /// The error of a terminal without a sign-in, which says whether something is left of an enrolment.
    func notEnrolled(in store: SealedFileTokenStore) async throws -> CommandError {
        guard try await remains(in: store).isEmpty else {
            return CommandError(
                "This terminal is not enrolled any more: its sign-in has ended. \(CommandError.removingRemains)")
        }
        return CommandError(notSignedIn)
    }

    /// The items of enrolments whose sign-in has ended.
    func remains(in store: SealedFileTokenStore) async throws -> EnrollmentRemains {
        try await EnrollmentRemains(in: store, where: selects)
    }

    /// Whether these options select a sign-in.
    private func selects(_ key: TokenStoreKey) -> Bool {
        key.kind == .signIn && key.names.count == 2 && (client ?? key.names[1]) == key.names[1]
            && (try? issuer.map { try server.issuer($0).text == key.names[0] }) ?? true
    }

    /// The sentence for a terminal that never had a sign-in.
    private var notSignedIn: String {
        "This terminal is not enrolled. Type: countersign authenticator enroll --client CLIENT"
    }

    /// The selected sign-in; `nil` when there is none.
    ///
    /// - Throws: ``CommandError`` when there are several.
    func signIn(in store: SealedFileTokenStore) async throws -> TokenStoreKey? {
        var keys = try await store.keys().filter(selects)
        if keys.count > 1 {
            // Sign-ins that may not approve are no choice if others may.
            var approving: [TokenStoreKey] = []
            for key in keys where try await store.signedIn(for: key)?.scope.contains(.nearbyApprove) == true {
                approving.append(key)
            }
            if !approving.isEmpty { keys = approving }
        }
        guard keys.count > 1 else { return keys.first }
        let all = keys.map { "  --issuer \($0.names[0]) --client \($0.names[1])" }.joined(separator: "\n")
        throw CommandError.usage("There are \(keys.count) sign-ins here. Say which one:\n\(all)")
    }

    /// The terminal with one sign-in.
    ///
    /// - Parameters:
    ///   - key: The key of the sign-in.
    ///   - store: The store of the sign-in.
    ///   - isDevice: Whether it has an inbox at the server; it does by default.
    ///   - limit: The time limit of a look. A person waits: by default they hear soon that the server is away.
    ///   - entrances: The addresses at which other apps ask; none by default.
    func terminal(
        of key: TokenStoreKey,
        in store: SealedFileTokenStore,
        isDevice: Bool = true,
        lookingFor limit: Duration = .seconds(5),
        entrances: [String] = []
    ) throws -> EnrolledTerminal {
        let refresher = try server.refresher(of: key, in: store)
        var options = ApprovalOptions()
        options.allowingInsecureHTTP = server.allowInsecureHTTP
        options.lookTimeLimit = limit
        options.entrances = entrances
        let account = ApproverAccount(
            id: ApproverAccount.ID(of: key),
            issuer: try server.issuer(key.names[0]),
            authorizing: { try await refresher.authorized($0) },
            again: { try await refresher.authorized($0, after: $1) }
        )
        let approver = Approver(
            for: account,
            as: isDevice ? .device(details, keepingStateIn: TokenStoreAuthenticatorItems(in: store)) : .app,
            keepingKeysIn: TokenStoreApproverKeys(in: store, drawingFrom: .system),
            options: options
        )
        return EnrolledTerminal(approver: approver, refresher: refresher)
    }

    /// The description that this terminal gives of itself.
    private var details: DeviceDetails {
        var details = DeviceDetails()
        details.appKey = appKey
        details.appVersion = Version.text
        details.model = ProcessInfo.processInfo.hostName
        details.platform = "Linux"
        details.systemVersion = ProcessInfo.processInfo.operatingSystemVersionString
        return details
    }
}

/// This terminal as an enrolled device.
struct EnrolledTerminal: Sendable {
    let approver: Approver
    let refresher: TokenRefresher

    /// The selected request: the named one, or the only pending one of its kind.
    ///
    /// - Parameter isPasscode: Whether a request with a one-time password is meant, and not one to approve.
    func request(_ named: String?, isPasscode: Bool) async throws -> WaitingRequest {
        if let named { return try await request(named) }
        let waiting = try await waitingRequests().filter { ($0.passcode != nil) == isPasscode }
        guard let first = waiting.first else { throw CommandError("No requests are pending.") }
        guard waiting.count == 1 else {
            let ids = waiting.map { "  \($0.id)" }.joined(separator: "\n")
            throw CommandError.usage("There are \(waiting.count) requests. Say which one:\n\(ids)")
        }
        return first
    }

    /// All requests of the server's list.
    ///
    /// - Throws: ``CommandError`` when this terminal has none, because it is not enrolled.
    func waitingRequests() async throws -> [WaitingRequest] {
        try await requireEnrolment()
        return try await approver.waitingRequests()
    }

    /// A request of the server's list.
    ///
    /// - Parameter id: The request, as the person typed it.
    /// - Throws: ``CommandError`` when it does not wait here.
    func request(_ id: String) async throws -> WaitingRequest {
        try await requireEnrolment()
        do throws(ApprovalError) {
            return try await approver.request(SignInRequest.ID(id))
        } catch {
            guard error.code == .nothingToDecide, error.answered == nil else { throw error }
            throw CommandError(
                """
                No request ‘\(id.shown)’ waits here: there is none, or it is over. To see what waits, type: \
                countersign approve --list
                """,
                status: .refused)
        }
    }

    private func requireEnrolment() async throws {
        guard try await approver.keptRegistration() != nil else { throw CommandError.notEnrolled }
    }

    /// Answers a request that was named, or the only one that waits, after it was shown to a person.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - named: The request; `nil` for the only one.
    ///   - session: The time for which the person stays signed in where they approve; `nil` for that of the server.
    ///   - printsJSON: Whether the output is JSON alone.
    func give(
        _ answer: RequestAnswer,
        to named: String?,
        session: SessionTerm? = nil,
        printingJSON printsJSON: Bool
    ) async throws -> CommandOutput {
        let shown = try await request(named, isPasscode: false)
        let printed = PrintedRequest(shown, at: approver.issuer, choosing: session)
        if !printsJSON { for line in printed.lines { Terminal.say(line) } }
        if answer.isApproval, let obstacle = shown.obstacle {
            let remedy = obstacle.remedy(at: approver.issuer).map { " \($0)" } ?? ""
            throw CommandError("\(obstacle.sentence) Nothing was answered.\(remedy)", status: .refused)
        }
        do throws(ApprovalError) {
            try await approver.answer(answer, to: shown, session: session)
        } catch {
            guard error.code == .digitsNeeded, case .approve(number: _?, remembers: _) = answer else { throw error }
            throw CommandError.usage("Type the \(VerificationNumber.words).")
        }
        let term = answer.isApproval ? shown.sessionTerm(choosing: session)?.rawValue : nil
        return CommandOutput(
            ["id": shown.id.rawValue, "answer": answer.word, "session": term], "It is \(answer.word).")
    }
}

extension ParsableCommand {
    /// Runs `body` as ``ending(_:)``, also with the sentences of an app that approves.
    func approving<Value>(_ body: () async throws -> Value) async throws -> Value {
        try await ending {
            do {
                return try await body()
            } catch let error as ApprovalError {
                if error.code == .signedOut { throw CommandError.signedOutAtServer }
                throw CommandError(error.terminalSentence, status: error.exitStatus)
            }
        }
    }
}

extension ApprovalError {
    /// The error in a sentence for the person at an enrolled terminal.
    fileprivate var terminalSentence: String {
        switch code {
        case .digitsNeeded: "Type the \(VerificationNumber.words), too: --number"
        default: sentence
        }
    }

    fileprivate var exitStatus: ExitStatus {
        switch code {
        case .unreachable, .notTrusted, .outcomeUnknown: .notReached
        case .cancelled: .interrupted
        case .digitsNeeded: .usage
        case .signedOut, .notPermitted, .policyRefused, .refused, .wrongNumber, .wrongCode, .wrongSecret,
            .nothingToDecide, .accountLocked:
            .refused
        case .expired: .expired
        default: .failed
        }
    }
}
