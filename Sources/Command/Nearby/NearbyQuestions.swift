internal import CountersignNearby
internal import CountersignRequester

/// Shows the person at this terminal what happens with phones nearby, and asks what to do with them.
actor NearbyQuestions {
    private let display: any SignInDisplay
    /// The search that the questions are about; each code has its own.
    private var current: (phones: NearbyPhones, question: PhoneQuestion)?
    /// The approvers on the screen; `nil` when the person is to be notified again.
    private var listed: [NearbyApprover]?
    /// Whether one was asked unsuccessfully: then the person may ask it again.
    private var hasFailed = false

    init(showingOn display: any SignInDisplay) {
        self.display = display
    }

    /// Shows an event, and asks what follows from it.
    func take(_ event: NearbyEvent, of phones: NearbyPhones) async {
        let question = await question(about: phones)
        switch event {
        case .found(let approvers):
            defer { listed = approvers }
            // Nothing is said before the first phone is found.
            guard !approvers.isEmpty || listed?.isEmpty == false else { return }
            let asks = Terminal.givesInput && (approvers.count > 1 || hasFailed && !approvers.isEmpty)
            await question.ask(among: asks ? approvers : [])
            await display.tell(.found(NearbyList(all: approvers), asks: asks))
        case .code:
            await question.withdrawOffer()
            await display.tell(.event(event))
        case .codeIsOver:
            await display.tell(.event(event))
        case .progress(let progress, _):
            await display.tell(.event(event))
            switch progress {
            case .missed(let left) where left > 0: await offerAnother(of: phones, by: question)
            case .ended(let failure) where failure != .left: hasFailed = true
            case .asking, .busy, .waiting, .missed, .askedForDecision, .ended: break
            }
        case .ended:
            await question.stop()
            await display.tell(.event(event))
        }
    }

    /// Ends the question: lines that are typed from now on are no answer.
    func stop() async {
        await current?.question.stop()
    }

    private func question(about phones: NearbyPhones) async -> PhoneQuestion {
        if let current, current.phones == phones { return current.question }
        await stop()
        (listed, hasFailed) = (nil, false)
        let question = PhoneQuestion {
            await TypedLines.standard.answer(to: "")
        } taking: { [display] answer in
            switch answer {
            case .phone(let approver): phones.choose(approver)
            case .anotherCode: phones.tryAgain()
            case .narrowed(let list): await display.tell(.found(list, asks: true))
            }
        }
        current = (phones, question)
        return question
    }

    /// Another code is shown only when the person asks for it, where they can.
    private func offerAnother(of phones: NearbyPhones, by question: PhoneQuestion) async {
        guard Terminal.givesInput else { return phones.tryAgain() }
        await question.offerAnother(among: listed ?? [])
    }
}
