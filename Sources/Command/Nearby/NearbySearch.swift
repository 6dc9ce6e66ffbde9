internal import Countersign
internal import CountersignNearby
internal import CountersignRequester
internal import MulticastDNS

/// Browses for phones nearby while a sign-in shows a code.
struct NearbySearch: Sendable {
    let settings: NearbySettings
    let discovery: any Discovery
    let remembers: Bool
    let nearby: NearbySignIn
    let display: any SignInDisplay

    /// Follows a sign-in to its end: each code is asked for again.
    func run(along events: SignInEvents) async {
        var attempt: Attempt?
        for await event in events {
            switch event {
            case .invitation:
                await attempt?.end()
                attempt = begin()
            case .confirming, .signedIn, .failed:
                await attempt?.end()
            case .discovering, .waiting, .verificationNumber, .link, .temporaryFailure:
                break
            }
        }
        await attempt?.end()
    }

    private func begin() -> Attempt? {
        guard let request = nearby.request else { return nil }
        let requester = NearbyRequester(settings, discovery: discovery)
        let screen = TerminalScreen(requester: requester, nearby: nearby, display: display)
        let asking = Task {
            let result = await requester.signIn(NearbySignInOptions(.server(request), remembers: remembers), on: screen)
            await screen.stopAsking()
            await display.tell(.ended(result))
        }
        return Attempt(screen: screen, asking: asking)
    }

    private struct Attempt {
        let screen: TerminalScreen
        let asking: Task<Void, Never>

        /// Ends it. The server may be quicker than a phone that has decided: its last word comes in a moment, and
        /// without it neither end remembers the other.
        func end() async {
            await screen.stopAsking()
            let waiting = Task {
                if await screen.awaitsDecision { try? await Task.sleep(for: .seconds(3)) }
                asking.cancel()
            }
            await asking.value
            waiting.cancel()
        }
    }
}

/// The screen of a terminal that shows phones nearby.
private actor TerminalScreen: NearbyRequesterDelegate {
    private let requester: NearbyRequester
    private let nearby: NearbySignIn
    private let display: any SignInDisplay
    /// The approvers on the screen; `nil` when the person is to be notified again.
    private var listed: [NearbyApprover]?
    /// Whether one was asked unsuccessfully: then the person may ask it again.
    private var hasFailed = false
    /// The phones that have the request, without a decision yet.
    private var deciding: Set<NearbyApprover.ID> = []
    var awaitsDecision: Bool { !deciding.isEmpty }
    /// The question to the person.
    private let question: PhoneQuestion
    /// Whether the search ends, so that no question is asked any more.
    private var isOver = false

    init(requester: NearbyRequester, nearby: NearbySignIn, display: any SignInDisplay) {
        self.requester = requester
        self.nearby = nearby
        self.display = display
        question = PhoneQuestion {
            await TypedLines.standard.answer(to: "")
        } taking: { answer in
            switch answer {
            case .phone(let approver): requester.choose(approver)
            case .anotherCode: requester.tryAgain()
            case .narrowed(let list): await display.tell(.found(list, asks: true))
            }
        }
    }

    func show(_ approvers: [NearbyApprover]) async {
        guard approvers != listed, !isOver else { return }
        listed = approvers
        let asks = Terminal.givesInput && (approvers.count > 1 || hasFailed && !approvers.isEmpty)
        await question.ask(among: asks ? approvers : [])
        await display.tell(.found(NearbyList(all: approvers), asks: asks))
    }

    /// Another code is shown only when the person asks for it, where they can.
    private func offerAnother() async {
        guard Terminal.givesInput else { return requester.tryAgain() }
        await question.offerAnother(among: listed ?? [])
    }

    /// Ends the question: lines that are typed from now on are no answer.
    func stopAsking() async {
        isOver = true
        await question.stop()
    }

    func show(_ code: LinkCode, for approver: NearbyApprover) async {
        await question.withdrawOffer()
        await display.tell(.code(code, approver))
    }

    func takeCodeAway() async {
        await display.tell(.codeIsOver)
    }

    func tell(_ progress: NearbyProgress, of approver: NearbyApprover) async {
        await display.tell(.progress(progress, approver))
        if progress == .askedForDecision { deciding.insert(approver.id) } else { deciding.remove(approver.id) }
        switch progress {
        case .missed(let left) where left > 0: await offerAnother()
        case .ended(let failure) where failure != .left: (listed, hasFailed) = (nil, true)
        case .asking, .busy, .waiting, .missed, .askedForDecision, .ended: break
        }
    }

    func prepareRequest(over link: NearbyLinkID) async {
        nearby.asked(over: link)
    }
}
