internal import Countersign
internal import CountersignApprover
internal import CountersignNearby
internal import CountersignWire
internal import Foundation
internal import MulticastDNS

/// One run of `countersign approve`: the ways that bring requests, and the questions about them, until it is stopped.
struct ApprovalRun: Sendable {
    let command: ApproveCommand
    let terminal: ApprovingTerminal
    let questions: ApprovalQuestions
    let outcomes: ApprovalOutcomes
    let output: ApprovalOutput

    /// Waits for requests of all ways, and asks about them.
    func waitForAll(by ways: Set<ApprovalWay>?) async throws {
        let screens = try await screens(by: ways)
        guard screens != nil || terminal.hasInbox else {
            throw CommandError("Nothing can ask here. \(ApprovingTerminal.enrolling)")
        }
        if !terminal.hasInbox, ways == nil {
            await questions.say(
                "not_enrolled",
                or: "Only screens nearby can ask: this terminal is not enrolled. \(ApprovingTerminal.enrolling)")
        } else if terminal.hasInbox {
            let person = terminal.person.map { " as \($0)" } ?? ""
            await questions.say(
                "waiting", ["issuer": terminal.approver.issuer.text],
                or:
                    "Waiting for what asks to be signed in\(person) at \(terminal.approver.issuer). Press Ctrl-C to stop."
            )
        }
        if Terminal.givesNothing, command.withoutAsking == nil, !command.desktop, !command.options.json {
            Terminal.say("Nobody can answer here. To answer a request, type: countersign approve ID --answer approve")
        }
        let isDone = try await until(command.once) { group in
            group.addTask { try await questions.run() }
            if let screens { group.addTask { try await screens.listen() } }
            if command.desktop { group.addTask { try await notify() } }
        }
        guard command.once else { return }
        try Self.end(with: isDone)
    }

    /// Asks about one request of the server's list.
    ///
    /// - Parameter id: The request, as the person typed it.
    func ask(only id: String) async throws {
        guard terminal.hasInbox else { throw CommandError.notEnrolled }
        let request = try await terminal.enrolled.request(id)
        do {
            try await untilInterrupted {
                await questions.ask(only: request)
                try Task.checkCancellation()
            }
        } catch is CancellationError {
            throw CommandError("Stopped before the request was answered.", status: .interrupted)
        }
        outcomes.finish()
        try Self.end(with: await outcomes.first())
    }

    /// Asks about the request of another app, and opens the server's answer.
    func answer(addressOfApp address: String) async throws {
        try await untilInterrupted {
            let asking = Task { try await questions.run() }
            defer { asking.cancel() }
            switch try await terminal.approver.ask(openedWith: address, opening: DesktopOpener()) {
            case .answered(let outcome, isOpened: let isOpened):
                output.say(
                    "answered_app", ["answer": "\(outcome)", "opened": isOpened],
                    or: isOpened
                        ? "The app has its answer. Go back to it."
                        : "The app that asked can't be opened. Start again there.")
            case .openBrowser(let page):
                output.say("browser", ["address": page], or: "Answer in the browser: \(page)")
                if let url = URL(string: page) { _ = await DesktopOpener().open(url) }
            case .refused(let refusal):
                throw CommandError("\(refusal.sentence) Nothing was opened.", status: .refused)
            }
        }
    }

    /// Runs tasks until one of them ends, or, where one answer is enough, until there is one.
    ///
    /// - Returns: Whether the first answer approved; `nil` when there was none.
    private func until(
        _ isOne: Bool,
        _ add: @escaping @Sendable (inout ThrowingTaskGroup<Void, any Error>) -> Void
    ) async throws -> Bool? {
        let first = FirstOutcome()
        do {
            try await untilInterrupted {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    add(&group)
                    if isOne { group.addTask { await first.take(await outcomes.first()) } }
                    try await group.next()
                    group.cancelAll()
                    // An interruption ends all of them, in any order.
                    if await first.isMissing { try Task.checkCancellation() }
                }
            }
        } catch is CancellationError {
            if isOne { throw CommandError("Stopped before a request was answered.", status: .interrupted) }
        }
        return await first.isApproved
    }

    private func untilInterrupted(_ act: @escaping @Sendable () async throws -> Void) async throws {
        try await command.untilInterrupted(act)
    }

    /// Ends the command by the status of the only answer.
    private static func end(with isApproved: Bool?) throws {
        switch isApproved {
        case true?: break
        case false?: throw CommandError("The request was denied.", status: .denied)
        case nil: throw CommandError("Nothing was answered.", status: .expired)
        }
    }

    // MARK: Ways

    /// The listener for screens nearby; `nil` when there is none, which is an error only where it was asked for.
    private func screens(by ways: Set<ApprovalWay>?) async throws -> NearbyScreens? {
        guard ways?.contains(.nearby) != false else { return nil }
        // Nobody could read digits.
        guard command.withoutAsking != nil || !Terminal.givesNothing else { return nil }
        let isWanted = ways != nil || command.network.isChosen || !terminal.hasInbox
        do {
            let approval = NearbyApproval(
                at: terminal,
                by: NearbyApproval.Choices(pairs: command.network.pair, policy: command.withoutAsking),
                among: questions, telling: outcomes, printingBy: output)
            return try await NearbyScreens(
                command: command, approval: approval, questions: questions, isOnlyWay: !terminal.hasInbox)
        } catch {
            guard !isWanted else { throw error }
            await questions.say(
                "nearby", ["state": "unavailable", "message": "\(error)"],
                or: "Screens nearby can't ask: \(error)")
            return nil
        }
    }

    private func notify() async throws {
        #if SecretService && os(Linux)
        let presenter = DesktopNotifications(of: "Countersign", clock: .system)
        let registration = NotificationRegistration(with: presenter)
        guard try await registration.register() else {
            throw CommandError("The notifications of this desktop have no buttons. Leave out --desktop.")
        }
        let notifier = RequestNotifier(for: terminal.approver, with: registration, presenting: presenter) { outcome in
            switch outcome {
            case .answered(let id, let isApproved):
                output.answered(id, isApproved ? .approve() : .deny)
                outcomes.answered(id, isApproved: isApproved)
            // The terminal shows and tells these, too.
            case .openApp, .newDevice, .passwordChanged, .ended, .openScanner, .arrived: break
            case .failed(_, let error): Terminal.complain(error.sentence)
            }
        }
        await notifier.run()
        #else
        throw CommandError.usage("This build shows no notifications. Build it with the package trait SecretService.")
        #endif
    }
}

/// The first answer of a run.
private actor FirstOutcome {
    private(set) var isApproved: Bool?

    var isMissing: Bool { isApproved == nil }

    func take(_ isApproved: Bool?) { self.isApproved = isApproved }
}

extension AuthorizationRefusal {
    /// The reason in a sentence, with what to do next.
    fileprivate var sentence: String {
        switch self {
        case .unreadable: "The address holds no request of an app. Start again in the app."
        case .otherAddress: "The address is not one of the server at which this terminal is signed in. Sign in there."
        case .unanswerable: "The server knows no such app, or its request is used up. Start again in the app."
        case .notTheOwner: "The app that asks is not the one that its request names. Do not use it."
        }
    }
}
