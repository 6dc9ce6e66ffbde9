internal import Countersign
internal import CountersignNearby
internal import Foundation
internal import MulticastDNS

/// Lets screens nearby find this terminal and ask.
struct NearbyScreens: Sendable {
    private let listener: NearbyListener
    private let questions: ApprovalQuestions
    /// Whether the command ends when no screen can ask any more.
    private let isOnlyWay: Bool
    /// Whether only paired screens are accepted from the start.
    private let isBarred: Bool

    /// Opens the window for screens that are not paired.
    ///
    /// - Throws: ``CommandError`` when no screen can ask; the network's error when it cannot be used.
    init(
        command: ApproveCommand,
        approval: NearbyApproval,
        questions: ApprovalQuestions,
        isOnlyWay: Bool
    ) async throws {
        let network = command.network
        let settings = try network.settings(calling: command.deviceName ?? ProcessInfo.processInfo.hostName)
        let listener = NearbyListener(
            settings,
            approval: approval,
            discovery: try network.interfaces.discovery(),
            configuration: NearbyListenerConfiguration(
                interfaces: network.interfaces.selection, instanceName: settings.name.asInstanceName)
        )
        self.listener = listener
        self.questions = questions
        self.isOnlyWay = isOnlyWay
        isBarred = try await Self.isBarred(listener, telling: questions)
    }

    /// Accepts screens until the task is cancelled; where it is the only way, until no screen can ask any more.
    func listen() async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await run() }
                group.addTask { try await closing() }
                try await group.next()
                group.cancelAll()
            }
        } catch let failure as CommandError {
            throw failure
        } catch {
            guard !(error is CancellationError), !isOnlyWay else {
                throw error is CancellationError ? error : CommandError("\(error)")
            }
            await say("unavailable", "Screens nearby can't ask any more: \(error)")
            await Task.untilCancelled()
            throw CancellationError()
        }
    }

    private func run() async throws {
        try await listener.run { port in
            let who =
                isBarred ? "Screens that are paired can ask now" : "Screens nearby can ask now, for ten minutes"
            Task { await say("listening", "\(who) (port \(port)). Press Ctrl-C to stop.", ["port": port]) }
        } found: { name in
            Task { await say("named", "They find this device as ‘\(name.shown)’.", ["name": name.shown]) }
        }
    }

    private func say(_ state: String, _ text: String, _ members: OutputMembers = [:]) async {
        await questions.say("nearby", members.merging(["state": state, "message": text]), or: text)
    }

    /// Opens the window. Too many wrong codes keep it closed for some minutes, also when the program is started again.
    ///
    /// - Returns: Whether it stays closed, so that only paired screens are accepted.
    /// - Throws: ``CommandError`` when no screen is paired either.
    private static func isBarred(_ listener: NearbyListener, telling questions: ApprovalQuestions) async throws -> Bool
    {
        guard let opens = await listener.openWindow() else { return false }
        let left = max(1, Int(((opens - TimeSource.system.instant()) / .seconds(60)).rounded(.up)))
        let words = "Too many codes were wrong. New screens can ask again in \(left) min, when this is started again."
        guard try remembersScreens else { throw CommandError(words) }
        await questions.say("nearby", ["state": "barred", "message": words], or: words)
        return true
    }

    private static var remembersScreens: Bool {
        get throws { try NearbyOptions.pairings.read().all.contains { $0.role == .approver } }
    }

    /// Returns when no screen can ask any more and it is the only way: ten minutes have passed, or too many codes were
    /// wrong, and no screen is known.
    private func closing() async throws {
        func mayGoOn() async -> Bool {
            if await listener.isWindowOpen { return true }
            return await listener.isBusy
        }
        while await mayGoOn() { try await Task.sleep(for: .seconds(1)) }
        if try Self.remembersScreens {
            await say("closed", "From now on only paired screens are accepted. Restart to accept others.")
        } else {
            await say("closed", "Stopped accepting new screens. Restart to accept them.")
            guard !isOnlyWay else { return }
        }
        await Task.untilCancelled()
    }
}
