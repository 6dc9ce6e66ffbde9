internal import Countersign
internal import CountersignApprover
internal import CountersignNearby
internal import CountersignWire
internal import Foundation

/// Asks the person at this terminal what a phone would ask about a screen nearby, and puts its request into the list of
/// all that waits.
actor NearbyApproval: NearbyListenerDelegate {
    private let approver: Approver
    private let person: String?
    private let choices: Choices
    private let questions: ApprovalQuestions
    private let outcomes: ApprovalOutcomes
    private let printsJSON: Bool
    private let lines = TypedLines.standard
    /// The self-chosen names of the screens that were reported to the person.
    private var names: [NearbyLinkID: String] = [:]
    /// The person's answer when they were last asked for digits: `true` for digits, `false` when they gave up.
    private var gaveDigits: [NearbyLinkID: Bool] = [:]
    /// The requests that were shown.
    private var requests: [NearbyLinkID: SignInRequest.ID] = [:]

    /// The choices that the person made with the command.
    struct Choices: Sendable {
        /// Whether screens are paired on request.
        let pairs: Bool
        /// The answer without asking; `nil` to ask the person.
        let policy: UnattendedPolicy?
    }

    /// Answers for a person.
    ///
    /// - Parameters:
    ///   - terminal: The terminal, which sends the answers to the server.
    ///   - choices: The choices of the person.
    ///   - questions: The questions about all that waits.
    ///   - outcomes: Hears the ends of links.
    ///   - output: Prints what happens.
    init(
        at terminal: ApprovingTerminal,
        by choices: Choices,
        among questions: ApprovalQuestions,
        telling outcomes: ApprovalOutcomes,
        printingBy output: ApprovalOutput
    ) {
        approver = terminal.approver
        person = terminal.person
        self.choices = choices
        self.questions = questions
        self.outcomes = outcomes
        printsJSON = output.printsJSON
    }

    var account: String? { person }

    private func say(_ state: String, of link: NearbyLinkID?, _ text: String, _ members: OutputMembers = [:]) async {
        let members = members.merging(["state": state, "screen": link.flatMap { names[$0] }, "message": text])
        await questions.say("nearby", members, or: text)
    }

    func confirmScreen(_ prompt: NearbyPrompt) async -> ScreenConfirmation {
        let name = prompt.name.value.shown
        names[prompt.link] = name
        await questions.settle(before: prompt.link, of: name)
        guard !Task.isCancelled else { return .notNow }
        await say(
            "found", of: prompt.link,
            "A screen that calls itself ‘\(name)’, at \(prompt.address.value), wants to be signed in.",
            ["address": "\(prompt.address.value)"])
        if let warning = prompt.warning { await say("imitates_paired", of: prompt.link, warning) }
        guard choices.policy == nil else {
            await say("not_now", of: prompt.link, "Nobody is here who could read its digits.")
            return .notNow
        }
        let isSeen = await asking(
            "screen", of: prompt.link, "Is it in front of you, and did you ask for this? [yes/no] "
        ) {
            await $0.agrees(to: $1, besideJSON: $2)
        }
        if isSeen { return .seen }
        await questions.letGo(of: prompt.link)
        if !Task.isCancelled {
            await say("not_now", of: prompt.link, "Not now, then. This screen is ignored for ten minutes.")
        }
        return .notNow
    }

    /// Asks before any other question.
    private func asking<Answer: Sendable>(
        _ kind: String,
        of link: NearbyLinkID,
        _ question: String,
        _ read: @escaping @Sendable (TypedLines, String, Bool) async -> Answer
    ) async -> Answer {
        let (lines, printsJSON) = (lines, printsJSON)
        return await questions.first(of: link) {
            if printsJSON { Terminal.sayEvent("question", ["asks": kind, "message": question]) }
            return await read(lines, printsJSON ? "" : question, printsJSON)
        }
    }

    func digits(for prompt: NearbyPrompt) async -> LinkCode? {
        gaveDigits[prompt.link] = nil
        guard choices.policy == nil else { return nil }
        await say(
            "digits", of: prompt.link,
            "Type the six digits on that screen. Nobody will ever read them to you; if someone does, stop.")
        let code = await asking("digits", of: prompt.link, "Digits: ") { lines, question, printsJSON -> LinkCode? in
            await lines.answer(
                to: question, reminding: "That is not six digits. An empty line gives up.", besideJSON: printsJSON
            ) { typed -> LinkCode?? in
                typed.isEmpty ? .some(nil) : CodeSpace.standard.code(typed: typed).map { .some($0) }
            } ?? nil
        }
        if code != nil { gaveDigits[prompt.link] = true } else if !Task.isCancelled { gaveDigits[prompt.link] = false }
        return code
    }

    func missed(_ prompt: NearbyPrompt) async {
        let words =
            switch gaveDigits.removeValue(forKey: prompt.link) {
            case true?: "Not the code that screen shows. If you typed it right, someone may be in between."
            case false?: "That code was given up."
            case nil: "That code is over."
            }
        await questions.letGo(of: prompt.link)
        await say("missed", of: prompt.link, "\(words) \(Self.nextStep(isLast: prompt.isLastAttempt))")
    }

    /// The person's next step after a code that failed.
    static func nextStep(isLast: Bool) -> String {
        isLast
            ? "That was the last code. Start again at the screen, or use another way there."
            : "Look at the screen again: it shows another code, which you type here."
    }

    // MARK: The request

    func decide(_ request: ReceivedRequest) async -> NearbyDecision {
        guard case .server(let asked) = request.request.value else {
            await say("refused", of: request.link, "The screen asks for something that this terminal does not have.")
            return .refuse(.serverRefused)
        }
        do throws(ApprovalError) {
            let shown = try await approver.look(at: asked, over: request.link, proof: request.trust)
            return try await decide(shown, on: request)
        } catch {
            // The list says why a request in it has ended.
            if error.code != .cancelled, requests[request.link] == nil {
                await say("refused", of: request.link, error.sentence, ["reason": error.code.word])
            }
            switch error.code {
            case .unknownIssuer: return .refuse(.issuerUnknown)
            case .nothingToDecide: return .refuse(.answeredElsewhere)
            case .digitsNeeded where request.canAskForCode: return choices.policy == nil ? .askForCode : .notNow
            case .cancelled: return .notNow
            default: return .refuse(.serverRefused)
            }
        }
    }

    private func decide(
        _ shown: WaitingRequest,
        on request: ReceivedRequest
    ) async throws(ApprovalError) -> NearbyDecision {
        let (link, name) = (request.link, request.name.value.shown)
        names[link] = name
        if choices.policy != nil, shown.needsDigits, request.canAskForCode {
            return await noting(shown, of: link, .notNow)
        }
        requests[link] = shown.id
        outcomes.link(shown.id)
        await questions.name(name, of: shown.id, over: link)
        let answer: RequestAnswer
        if let policy = choices.policy {
            guard let unasked = try await self.answer(shown, by: policy, calling: name) else { return .notNow }
            answer = unasked
        } else {
            do throws(ApprovalError) {
                answer = try await approver.ask(shown)
            } catch {
                guard error.code == .digitsNeeded, shown.needsDigits, request.canAskForCode else { throw error }
                requests[link] = nil
                outcomes.unlink(shown.id)
                await questions.unname(shown.id)
                return await noting(shown, of: link, .askForCode)
            }
        }
        let keepsScreen = choices.pairs && request.wantsPairing
        return answer.isApproval ? .approve(.atServer, pairs: keepsScreen) : .decline
    }

    /// Says why a paired screen has to show digits all the same.
    private func noting(
        _ shown: WaitingRequest,
        of link: NearbyLinkID,
        _ decision: NearbyDecision
    ) async -> NearbyDecision {
        if case .nearby(let sameNetwork) = shown.kind {
            await say("digits", of: link, Self.whyDigits(sameNetwork.value))
        }
        return decision
    }

    /// Answers without a person; the answer is sent to the end, even if the screen disconnects meanwhile. `nil` when it
    /// disconnected before.
    private func answer(
        _ shown: WaitingRequest,
        by policy: UnattendedPolicy,
        calling name: String
    ) async throws(ApprovalError) -> RequestAnswer? {
        let answer: RequestAnswer = policy == .approvePaired ? .approve() : .deny
        let printed = PrintedRequest(
            shown, at: approver.issuer, callingItself: name, choosing: questions.session)
        let words = answer.isApproval ? "Approved without asking." : "Denied without asking."
        await questions.say(printed)
        guard !Task.isCancelled else { return nil }
        try await approver.finish(answer, to: shown, session: questions.session)
        await questions.say("answered", ["id": printed.id, "answer": answer.word], or: words)
        outcomes.answered(shown.id, isApproved: answer.isApproval)
        return answer
    }

    /// The reason that a paired screen still has to show digits.
    static func whyDigits(_ sameNetwork: SameNetwork) -> String {
        let reason =
            sameNetwork == .no
            ? "The server sees this device and the screen in different networks"
            : "The server can't tell whether this device and the screen are in one network"
        return "\(reason), so the digits are needed although the screen is paired."
    }

    // MARK: The link

    func ended(_ link: NearbyLinkID, _ outcome: ApproverOutcome) async {
        gaveDigits[link] = nil
        await questions.letGo(of: link)
        let request = requests.removeValue(forKey: link)
        let answer = request.flatMap { outcomes.unlink($0) }
        defer { names[link] = nil }
        let screen = names[link].map { "The screen ‘\($0)’" } ?? "The screen"
        switch outcome {
        case .approved(_, let remembered):
            let memory =
                remembered ? " It is paired now." : choices.pairs ? " It did not want to be paired." : ""
            await say("approved", of: link, "\(screen) has its approval.\(memory)", ["paired": remembered])
        case .declined: await say("declined", of: link, "\(screen) was refused.")
        case .gone where answer != nil: await say("gone", of: link, "\(screen) has gone; your answer counts.")
        // The list says that the request is over.
        case .gone where request != nil: break
        case .gone: await say("gone", of: link, "\(screen) has gone.")
        case .timedOut: await say("timed_out", of: link, "\(screen) has timed out. Start again there.")
        // The person was notified of each wrong code, and of the end of the window.
        case .missesUsedUp, .brokeProtocol, .left: break
        }
    }

    func suggestForgetting(_ pairing: PairingID) async {
        await say("unfit_pairing", of: nil, "Forget that screen? 'countersign nearby paired forget \(pairing)'")
    }

    func renamed(from name: String, to other: String) async {
        await say(
            "renamed", of: nil, "Another device has the name ‘\(name.shown)’; ‘\(other.shown)’ is tried.",
            ["name": other.shown])
    }

    func nameContested() async {
        await say(
            "name_contested", of: nil, "Another device keeps claiming this device's names. The last name is kept.")
    }

    func windowClosedAfterMisses() async {
        await say(
            "misses_used_up", of: nil,
            "Too many codes were wrong. New screens can ask again in 5 min, when this is started again.")
    }
}
