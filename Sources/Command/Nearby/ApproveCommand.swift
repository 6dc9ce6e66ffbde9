internal import ArgumentParser
internal import Countersign
internal import CountersignApprover
internal import CountersignNearby
internal import CountersignRequester
internal import CountersignTransport
internal import CountersignWire
internal import Foundation
internal import MulticastDNS

/// `countersign approve`: this terminal is the screen that answers.
struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approve screens nearby that want to be signed in, as a phone does.",
        discussion: """
            Sign this terminal in first, for a client that may approve:

              countersign admin client add phone --scope "openid nearby_approve"
              countersign signin --issuer URL --client phone --scope "openid nearby_approve"

            Then screens on the local network find it: 'countersign signin'.
            """
    )

    @Flag(help: "Listen on the local network, and be found there.")
    var nearby = false

    @Option(help: "The base URL of the server.")
    var issuer: String

    @Option(help: "The client as which this terminal is signed in.")
    var client: String

    @Option(help: "What this device calls itself. (default: the name of this machine)")
    var deviceName: String?

    @Flag(help: "End after the first screen that was approved or denied.")
    var once = false

    @Option(
        help: ArgumentHelp(
            "Ask nobody: deny all screens, or approve those that are remembered (approve-remembered).",
            discussion: """
                For a device without a person. A screen that is not remembered needs a person who reads its digits, and is \
                told "not now". Whoever stands at a remembered screen is signed in as you.
                """,
            valueName: "answer"
        )
    )
    var withoutAsking: UnattendedPolicy?

    @OptionGroup var network: NearbyOptions
    @OptionGroup var tokens: TokenStoreOptions
    @OptionGroup var server: ServerAccess

    func run() async throws {
        try await ending {
            guard nearby else { throw CommandError.usage("Say how screens reach you: --nearby.") }
            guard withoutAsking != nil || !Terminal.givesNothing else {
                throw CommandError.usage("Nobody can answer screens here: standard input is empty.")
            }
            let store = try tokens.store()
            let issuer = try server.issuer(issuer)
            let key = TokenStoreKey.signIn(at: issuer, as: ClientID(client))
            let refresher = try server.refresher(of: key, in: store)
            guard try await store.signedIn(for: key) != nil else {
                throw CommandError("Nobody is signed in here at \(issuer.text) as \(client). \(remedy)")
            }
            let signedIn = try await signedIn(by: refresher)
            guard signedIn.scope.contains(.nearbyApprove) else {
                throw CommandError(
                    "The account that is signed in here may not approve: it needs the scope nearby_approve. \(remedy)")
            }
            let account = ApproverAccount(
                id: ApproverAccount.ID("\(client) \(issuer.text)"),
                issuer: issuer,
                authorizing: { try await refresher.authorized($0) },
                again: { try await refresher.authorized($0, after: $1) }
            )
            var options = ApprovalOptions()
            options.allowingInsecureHTTP = server.allowInsecureHTTP
            let approval = TerminalApproval(
                approver: Approver(
                    for: account, keepingKeysIn: CommandApproverKeyStore(store: store), options: options),
                person: signedIn.identity?.displayName,
                remembers: network.remember,
                policy: withoutAsking
            )
            try await listen(with: approval)
        }
    }

    /// The sign-in of this terminal. A server's refusal does not show whether it has ended or its account is locked.
    private func signedIn(by refresher: TokenRefresher) async throws -> CompletedSignIn {
        do throws(SignInError) {
            return try await refresher.signedIn()
        } catch {
            guard error.code == .signedOut else { throw error }
            throw CommandError(ApprovalError.refusedSignIn, status: error.exitStatus)
        }
    }

    /// The command that signs in a person who may approve.
    private var remedy: String {
        "Type: countersign signin --issuer \(issuer) --client \(client) --scope \"openid nearby_approve\""
    }

    private func listen(with approval: TerminalApproval) async throws {
        let settings = try network.settings(calling: deviceName ?? ProcessInfo.processInfo.hostName)
        let listener = NearbyListener(
            settings,
            approval: approval,
            discovery: try network.interfaces.discovery(),
            configuration: NearbyListenerConfiguration(
                interfaces: network.interfaces.selection, instanceName: settings.name.asInstanceName)
        )
        let isBarred = try await isBarred(listener)
        do {
            try await untilInterrupted { [once] in
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await listener.run { port in
                            let who =
                                isBarred
                                ? "Screens that are remembered can ask now"
                                : "Screens nearby can ask now, for ten minutes"
                            Terminal.say("\(who) (port \(port)). Press Ctrl-C to stop.")
                        } found: { name in
                            Terminal.say("They find this device as ‘\(name.shown)’.")
                        }
                        return false
                    }
                    group.addTask {
                        try await closing(listener)
                        return false
                    }
                    if once {
                        group.addTask {
                            for await _ in approval.outcomes { return true }
                            return false
                        }
                    }
                    let hasAnswered = try await group.next() ?? false
                    group.cancelAll()
                    guard hasAnswered || !once else {
                        // An interruption ends all of them, in any order.
                        try Task.checkCancellation()
                        throw CommandError("No screen was answered.", status: .expired)
                    }
                }
            }
        } catch is CancellationError {
            if once { throw CommandError("Stopped before a screen was answered.", status: .interrupted) }
        } catch let failure as CommandError {
            throw failure
        } catch {
            throw CommandError("\(error)")
        }
        guard once, await approval.lastOutcome == .declined else { return }
        throw CommandError("The screen was not approved.", status: .denied)
    }

    /// Opens the window. Too many wrong codes keep it closed for some minutes, also when the program is started again.
    ///
    /// - Returns: Whether it stays closed, so that only remembered screens are accepted.
    /// - Throws: ``CommandError`` when no screen is remembered either.
    private func isBarred(_ listener: NearbyListener) async throws -> Bool {
        guard let opens = await listener.openWindow() else { return false }
        let left = max(1, Int(((opens - TimeSource.system.instant()) / .seconds(60)).rounded(.up)))
        let words = "Too many codes were wrong. New screens can ask again in \(left) min, when this is started again."
        guard try remembersScreens else { throw CommandError(words) }
        Terminal.say(words)
        return true
    }

    private var remembersScreens: Bool {
        get throws { try NearbyOptions.pairings.read().all.contains { $0.role == .approver } }
    }

    /// Returns when no screen can ask any more: ten minutes have passed, or too many codes were wrong, and no screen is
    /// known.
    private func closing(_ listener: NearbyListener) async throws {
        func mayGoOn() async -> Bool {
            if await listener.isWindowOpen { return true }
            return await listener.isBusy
        }
        while await mayGoOn() { try await Task.sleep(for: .seconds(1)) }
        guard try remembersScreens else {
            return Terminal.say("Stopped accepting new screens. Restart to accept them.")
        }
        Terminal.say("From now on only remembered screens are accepted. Restart to accept others.")
        try await Task.sleep(for: .seconds(86_400 * 365))
    }
}

/// The answer of a device that has no person in front of it.
enum UnattendedPolicy: String, ExpressibleByArgument, CaseIterable {
    /// No screen is approved.
    case deny
    /// Screens are approved that a person paired with this device before.
    case approveRemembered = "approve-remembered"
}

/// The keys that sign decisions, next to their tokens.
struct CommandApproverKeyStore: ApproverKeyStore {
    let store: SealedFileTokenStore

    func signer(for account: ApproverAccount.ID) async throws -> any ApproverSigner {
        let key = TokenStoreKey(TokenStoreKey.Kind("approver-key"), account.rawValue)
        return try await store.exclusively(for: key) {
            if let kept = try await store.load(key).flatMap({ ApproverPrivateKey(revealing: $0) }) { return kept }
            let made = ApproverPrivateKey(drawingFrom: .system)
            try await store.save(made.revealedBytes, for: key)
            return made
        }
    }
}
