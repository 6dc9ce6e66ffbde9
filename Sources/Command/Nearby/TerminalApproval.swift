internal import Countersign
internal import CountersignApprover
internal import CountersignNearby
internal import CountersignWire
internal import Foundation

/// Asks the person at this terminal what a phone would ask.
actor TerminalApproval: NearbyListenerDelegate {
    /// The outcomes of the conversations that asked the person something.
    nonisolated let outcomes: AsyncStream<ApproverOutcome>
    private(set) var lastOutcome: ApproverOutcome?

    private let approver: Approver
    private let person: String?
    private let remembers: Bool
    private let policy: UnattendedPolicy?
    private let outcome: AsyncStream<ApproverOutcome>.Continuation
    private let lines = TypedLines.standard
    /// The self-chosen names of the screens that were reported to the person.
    private var names: [NearbyLinkID: String] = [:]
    /// The person's answer when they were last asked for digits: `true` for digits, `false` when they gave up.
    private var gaveDigits: [NearbyLinkID: Bool] = [:]
    /// The decision, which is final at the server however the link ends; `nil` while the answer is being sent.
    private var decided: [NearbyLinkID: RequestAnswer?] = [:]

    /// Answers for a person.
    ///
    /// - Parameters:
    ///   - approver: Sends the answer to the server.
    ///   - person: The name of the signed-in person.
    ///   - remembers: Whether screens are remembered on request.
    ///   - policy: The answer without asking; `nil` to ask the person.
    init(approver: Approver, person: String?, remembers: Bool, policy: UnattendedPolicy?) {
        self.approver = approver
        self.person = person
        self.remembers = remembers
        self.policy = policy
        (outcomes, outcome) = AsyncStream.makeStream()
    }

    var account: String? { person }

    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation {
        let name = prompt.name.value.shown
        names[prompt.link] = name
        if prompt.resemblesRemembered { Terminal.say("This is NOT the ‘\(name)’ that you know.") }
        Terminal.say("A screen that calls itself ‘\(name)’, at \(prompt.address.value), wants to be signed in.")
        guard policy == nil else {
            Terminal.say("Nobody is here who could read its digits.")
            return .notNow
        }
        if await lines.agrees(to: "Is it in front of you, and did you ask for this? [yes/no] ") { return .seen }
        if !Task.isCancelled { Terminal.say("Not now, then. This screen is ignored for ten minutes.") }
        return .notNow
    }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        gaveDigits[prompt.link] = nil
        guard policy == nil else { return nil }
        Terminal.say("Type the six digits on that screen. Nobody will ever read them to you; if someone does, stop.")
        while let answer = await lines.answer(to: "Digits: "), !answer.isEmpty {
            if let code = CodeSpace.standard.code(typed: answer) {
                gaveDigits[prompt.link] = true
                return code
            }
            Terminal.say("That is not six digits. An empty line gives up.")
        }
        if !Task.isCancelled { gaveDigits[prompt.link] = false }
        return nil
    }

    func missed(_ prompt: NearbyPrompt) async {
        switch gaveDigits.removeValue(forKey: prompt.link) {
        case true?: Terminal.say("Not the code that screen shows. If you typed it right, someone may be in between.")
        case false?: Terminal.say("That code was given up.")
        case nil: Terminal.say("That code is over.")
        }
    }

    func decide(_ request: ReceivedRequest) async -> NearbyDecision {
        guard case .server(let asked) = request.request.value else {
            Terminal.say("The screen asks for something that this terminal does not have.")
            return .refuse(.serverRefused)
        }
        do throws(ApprovalError) {
            let shown = try await approver.look(at: asked, over: request.link, proof: request.trust)
            return try await decide(shown, on: request)
        } catch {
            if error.code != .cancelled { Terminal.say(error.sentence) }
            switch error.code {
            case .unknownIssuer: return .refuse(.issuerUnknown)
            case .nothingToDecide: return .refuse(.answeredElsewhere)
            case .digitsNeeded where request.canAskForCode: return policy == nil ? .askForCode : .notNow
            case .cancelled: return .notNow
            default: return .refuse(.serverRefused)
            }
        }
    }

    private func decide(
        _ shown: WaitingRequest,
        on request: ReceivedRequest
    ) async throws(ApprovalError) -> NearbyDecision {
        names[request.link] = request.name.value.shown
        if shown.needsDigits, request.canAskForCode, case .nearby(let sameNetwork) = shown.kind {
            Terminal.say(Self.whyDigits(sameNetwork.value))
            return policy == nil ? .askForCode : .notNow
        }
        for line in Self.lines(of: shown, callingItself: request.name.value) { Terminal.say(line) }
        let isApproved: Bool
        if let policy {
            isApproved = policy == .approveRemembered
            Terminal.say(isApproved ? "Approved without asking." : "Denied without asking.")
        } else {
            isApproved = await lines.agrees(to: "Approve? [yes/no] ")
        }
        guard !Task.isCancelled else { return .notNow }
        let answer: RequestAnswer = isApproved ? .approve() : .deny
        try await tell(answer, on: shown, by: request)
        return isApproved ? .approve(.atServer, remembers: remembers && request.wantsToBeRemembered) : .decline
    }

    /// Sends the answer to the end: it counts even if the screen disconnects meanwhile.
    private func tell(
        _ answer: RequestAnswer,
        on shown: WaitingRequest,
        by request: ReceivedRequest
    ) async throws(ApprovalError) {
        let link = request.link
        decided.updateValue(nil, forKey: link)
        let telling = Task { [approver] in
            do throws(ApprovalError) {
                try await approver.answer(answer, to: shown)
                return Result<Void, ApprovalError>.success(())
            } catch {
                return .failure(error)
            }
        }
        let outcome = await telling.value
        let hasEnded = decided.removeValue(forKey: link) == nil
        try outcome.get()
        if hasEnded { stands(answer, of: request.name.value.shown) } else { decided[link] = answer }
    }

    /// The screen has gone, after the person had decided.
    private func stands(_ answer: RequestAnswer, of name: String) {
        Terminal.say("The screen ‘\(name)’ has gone; your answer counts.")
        lastOutcome = answer == .deny ? .declined : .gone(said: nil)
        outcome.yield(.gone(said: nil))
    }

    /// The reason that a remembered screen still has to show digits.
    static func whyDigits(_ sameNetwork: SameNetwork) -> String {
        let reason =
            sameNetwork == .no
            ? "The server sees this device and the screen in different networks"
            : "The server can't tell whether this device and the screen are in one network"
        return "\(reason), so the digits are needed although the screen is remembered."
    }

    private static func lines(of shown: WaitingRequest, callingItself name: PeerName) -> [String] {
        var lines = [shown.question]
        lines.append("  for:   \(shown.scope.value)")
        if let address = shown.address { lines.append("  from:  \(address.value)") }
        lines.append("  since: \(shown.asked.value.formatted(date: .omitted, time: .standard))")
        lines.append("  It calls itself ‘\(name.shown)’.")
        return lines.map(\.shown)
    }

    func ended(_ link: NearbyLinkID, _ outcome: ApproverOutcome) async {
        lastOutcome = outcome
        gaveDigits[link] = nil
        let name = names.removeValue(forKey: link)
        let screen = name.map { "The screen ‘\($0)’" } ?? "The screen"
        let answer = decided.removeValue(forKey: link)
        switch outcome {
        case .approved(_, let remembered):
            let memory = remembered ? " It is remembered." : remembers ? " It did not want to be remembered." : ""
            Terminal.say("\(screen) has its approval.\(memory)")
            self.outcome.yield(outcome)
        case .declined:
            Terminal.say("\(screen) was refused.")
            self.outcome.yield(outcome)
        case .gone:
            switch answer {
            case .some(.some(let answer)): stands(answer, of: name ?? "?")
            // The answer is being sent; then the person is notified.
            case .some(nil): break
            case nil: Terminal.say("\(screen) has gone.")
            }
        case .timedOut: Terminal.say("\(screen) has timed out.")
        // The person was notified of each wrong code, and of the end of the window.
        case .missesUsedUp, .brokeProtocol, .left: break
        }
    }

    func suggestForgetting(_ pairing: PairingID) async {
        Terminal.say("Forget that screen? 'countersign nearby paired forget \(pairing)'")
    }

    func renamed(from name: String, to other: String) async {
        Terminal.say("Another device has the name ‘\(name.shown)’; ‘\(other.shown)’ is tried.")
    }

    func nameContested() async {
        Terminal.say("Another device keeps claiming this device's names. The last name is kept.")
    }

    func windowClosedAfterMisses() async {
        Terminal.say("Too many codes were wrong.")
    }
}
