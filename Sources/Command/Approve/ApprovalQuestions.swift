internal import Countersign
internal import CountersignApprover
internal import CountersignNearby
internal import CountersignWire

/// Shows a person at a terminal what waits, of all ways in one list, and asks about one request after the other, each for
/// as long as it waits. A screen nearby comes first: its person is in front of it. One that asks by the server's list, too,
/// leaves the question that is open, and what was typed to it.
actor ApprovalQuestions {
    private let approver: Approver
    /// The time for which the person stays signed in where they approve; `nil` for that of the server.
    nonisolated let session: SessionTerm?
    private let output: ApprovalOutput
    private let outcomes: ApprovalOutcomes
    /// Whether answers are read from standard input; otherwise what happens is printed only.
    private let asks: Bool
    /// The requests that wait, in their order.
    private var waiting: [WaitingRequest] = []
    /// The waiting requests that are printed, and those about which the person was asked and gave no answer.
    private var (printed, passed) = (Set<SignInRequest.ID>(), Set<SignInRequest.ID>())
    /// The printed requests that this process has not answered, to tell their end.
    private var shown: Set<SignInRequest.ID> = []
    /// The names that screens nearby claim for themselves, and their links.
    private var screens: [SignInRequest.ID: (name: String, link: NearbyLinkID)] = [:]
    /// The links of screens nearby that a person is busy with, and whose requests are not in the list yet.
    private var busy: Set<NearbyLinkID> = []
    /// The links of screens nearby whose questions wait for the end of the open one.
    private var parked: [NearbyLinkID: CheckedContinuation<Void, Never>] = [:]
    /// The name of the screen whose request was answered last, which may be at a link still.
    private var answeredScreen: String?
    /// The time in which a screen that was answered takes its tokens, and leaves its link.
    private static let leaving = Duration.seconds(5)
    private var current: Question?

    /// The request about which the person is asked.
    private struct Question {
        /// The request as it waits now: a link may have brought it since the question.
        var request: WaitingRequest
        let asking: Task<Void, Never>
        /// The prompt in the line that the person types in; `nil` while they are not asked.
        var prompt: String?
        /// Whether their answer is on its way. Then the request may end because of it.
        var isAnswered = false
        /// The end of the request meanwhile, to be reported if the answer did not cause it.
        var end: ApproverEvent?
    }

    /// Prepares the questions.
    ///
    /// - Parameters:
    ///   - approver: The approver, whose requests are shown and answered.
    ///   - session: The time for which the person stays signed in where they approve; `nil` for that of the server.
    ///   - output: Prints what happens.
    ///   - outcomes: Hears each answer.
    ///   - asks: Whether answers are read from standard input.
    init(
        about approver: Approver,
        session: SessionTerm?,
        printingBy output: ApprovalOutput,
        telling outcomes: ApprovalOutcomes,
        asks: Bool
    ) {
        self.approver = approver
        self.session = session
        self.output = output
        self.outcomes = outcomes
        self.asks = asks
    }

    /// Shows and asks until the task is cancelled, or the inbox cannot be read any more.
    func run() async throws {
        defer {
            waiting = []
            current?.asking.cancel()
        }
        do {
            for try await event in approver {
                switch event {
                case .waiting(let requests): take(requests)
                case .answered(let request, at: _), .cancelled(let request), .withdrawn(let request),
                    .expired(let request):
                    end(request.id, event)
                case .undone, .newDevice, .passwordChanged, .failed, .temporaryFailure:
                    besidePrompt { output.tell(event) }
                }
            }
        } catch let error as ApprovalError {
            besidePrompt { output.ended(error) }
            throw error
        }
    }

    /// Prints something that is no question, and then the question again.
    func say(_ event: String, _ members: OutputMembers = [:], or text: String) {
        besidePrompt { output.say(event, members, or: text) }
    }

    /// Prints a request about which nobody is asked, and then the question again.
    func say(_ request: PrintedRequest) {
        besidePrompt { output.arrived(request) }
    }

    /// Asks about one request alone.
    func ask(only request: WaitingRequest) async {
        print(request)
        await ask(about: request)
    }

    /// Asks a question of a screen nearby before any other one, which is asked again once the request of the screen was
    /// answered, or the screen is let go: what a person types for one is not taken for the other.
    func first<Answer: Sendable>(of link: NearbyLinkID, _ question: @Sendable () async -> Answer) async -> Answer {
        busy.insert(link)
        turn()
        await current?.asking.value
        return await question()
    }

    /// Waits while the open question may be about the request of a screen nearby, which the server's list has under the
    /// screen's name: one request is one question, and what is typed to it counts.
    func settle(before link: NearbyLinkID, of screen: String) async {
        while let current, current.request.isListed(ofScreen: screen), !Task.isCancelled {
            await withTaskCancellationHandler {
                await withCheckedContinuation { parked[link] = $0 }
            } onCancel: {
                Task { await self.unpark(link) }
            }
        }
        guard !Task.isCancelled else {
            answeredScreen = nil
            return
        }
        guard answeredScreen == screen else { return }
        answeredScreen = nil
        try? await Task.sleep(for: Self.leaving)
    }

    private func unpark(_ link: NearbyLinkID) { parked.removeValue(forKey: link)?.resume() }

    /// Goes on with the other questions: a screen nearby has no further one.
    func letGo(of link: NearbyLinkID) {
        busy.remove(link)
        turn()
    }

    /// Names the screen nearby of a request, as it calls itself. A person who gave no answer to it before is asked
    /// again.
    func name(_ screen: String, of request: SignInRequest.ID, over link: NearbyLinkID) {
        screens[request] = (screen, link)
        guard shown.contains(request) else { return }
        passed.remove(request)
        turn()
    }

    /// Forgets the link of a request, whose screen has to show digits first.
    func unname(_ request: SignInRequest.ID) { screens[request] = nil }

    // MARK: The list

    private func take(_ requests: [WaitingRequest]) {
        let ids = Set(requests.map(\.id))
        waiting = requests
        for id in ids { if let screen = screens[id] { busy.remove(screen.link) } }
        // A request that comes again is told again.
        passed.formIntersection(ids)
        printed.formIntersection(ids)
        if output.printsJSON || !asks { for request in requests { print(request) } }
        turn()
    }

    /// Asks about the first request, in place of another one whose answer is not on its way.
    private func turn() {
        let next = asks && busy.isEmpty ? waiting.first { !passed.contains($0.id) } : nil
        if let current {
            guard let next, current.request.id == next.id else { return withdraw(current) }
            return complete(current, by: next)
        }
        guard let next else { return }
        let asking = Task {
            await ask(about: next)
            current = nil
            turn()
            for link in parked.keys { unpark(link) }
        }
        current = Question(request: next, asking: asking)
    }

    /// Goes on with the question about a request that a link has brought, too, or has left: what was typed still counts.
    private func complete(_ question: Question, by request: WaitingRequest) {
        current?.request = request
        let form = AnswerForm(of: request)
        let before = AnswerForm(of: question.request)
        guard question.prompt != nil, form != before, !form.takesYes || !before.takesYes else { return }
        let isNearby = request.isOverLink
        let news = isNearby ? "The screen is nearby, too" : "The screen is not nearby any more"
        let words = "\(news): \(form.consequence)."
        breakLine()
        output.say(
            "nearby", ["state": isNearby ? "joined" : "left", "id": request.id.rawValue, "message": words], or: words)
        ask(for: form, of: request)
        if !output.printsJSON {
            current?.prompt = form.prompt
            Terminal.write(form.prompt)
        }
    }

    /// The request of a question as it waits now.
    private func latest(_ request: WaitingRequest) -> WaitingRequest {
        if let current, current.request.id == request.id { current.request } else { request }
    }

    /// Withdraws the question that is asked, unless its answer is on its way.
    private func withdraw(_ question: Question) {
        guard !question.isAnswered else { return }
        if question.prompt != nil { breakLine() }
        current?.prompt = nil
        question.asking.cancel()
    }

    /// Withdraws a question about a finished request, and notifies the person if they saw it.
    private func end(_ request: SignInRequest.ID, _ ending: ApproverEvent) {
        waiting.removeAll { $0.id == request }
        screens[request] = nil
        if let question = current, question.request.id == request {
            guard !question.isAnswered else {
                current?.end = ending
                return
            }
            withdraw(question)
        }
        guard shown.remove(request) != nil else { return }
        besidePrompt { output.tell(ending) }
    }

    // MARK: One request

    private func print(_ request: WaitingRequest) {
        guard printed.insert(request.id).inserted else { return }
        shown.insert(request.id)
        output.arrived(
            PrintedRequest(
                request, at: approver.issuer, callingItself: screens[request.id]?.name, choosing: session))
    }

    private func ask(about request: WaitingRequest) async {
        guard !Task.isCancelled else { return }
        // At a terminal a question that comes again has all its facts again.
        if !output.printsJSON { printed.remove(request.id) }
        print(request)
        defer { if !Task.isCancelled { passed.insert(request.id) } }
        guard request.passcode == nil else { return }
        let others = waiting.count { $0.id != request.id && !passed.contains($0.id) }
        if others > 0, !output.printsJSON { Terminal.say("  \(others) more wait after this one.") }
        while let answer = await answer(to: request), await !give(answer, to: latest(request)) {}
    }

    /// Sends the person's answer to the server; returns whether the request is finished. The question is repeated after
    /// a wrong number, and when the server was not reached.
    private func give(_ answer: RequestAnswer, to request: WaitingRequest) async -> Bool {
        current?.isAnswered = true
        defer { current?.isAnswered = false }
        do throws(ApprovalError) {
            try await approver.finish(answer, to: request, session: session)
            shown.remove(request.id)
            output.answered(request.id, answer)
            outcomes.answered(request.id, isApproved: answer.isApproval)
            if !parked.isEmpty { answeredScreen = request.screenInList }
            return true
        } catch {
            output.tell(.failed(request.id, error))
            if let ending = current?.end {
                shown.remove(request.id)
                output.tell(ending)
                return true
            }
            return ![.wrongNumber, .unreachable, .busy].contains(error.code)
        }
    }

    /// Asks the person until they answer in one of the ways that the question names; `nil` for an empty line, the end
    /// of the input, and a withdrawn question.
    private func answer(to request: WaitingRequest) async -> RequestAnswer? {
        ask(for: AnswerForm(of: latest(request)), of: request)
        defer { current?.prompt = nil }
        while true {
            let prompt = output.printsJSON ? "" : AnswerForm(of: latest(request)).prompt
            current?.prompt = prompt
            guard let typed = await TypedLines.standard.answer(to: prompt), !typed.isEmpty else { return nil }
            // A link may have come or gone since the question.
            let form = AnswerForm(of: latest(request))
            if let answer = RequestAnswer(typed: typed.lowercased(), in: form) { return answer }
            if output.printsJSON { Terminal.prompt(form.reminder + "\n") } else { Terminal.say(form.reminder) }
        }
    }

    /// Prints the question for a program.
    private func ask(for form: AnswerForm, of request: WaitingRequest) {
        guard output.printsJSON else { return }
        output.say("question", ["asks": form.word, "id": request.id.rawValue, "message": form.prompt], or: nil)
    }

    // MARK: The line of the prompt

    private func breakLine() {
        if !output.printsJSON { Terminal.write("\n") }
    }

    /// Prints something, and then the question again.
    private func besidePrompt(_ tell: () -> Void) {
        if current?.prompt != nil { breakLine() }
        tell()
        if let prompt = current?.prompt { Terminal.write(prompt) }
    }
}

extension WaitingRequest {
    /// The name that a screen of the server's list gives itself; `nil` for a request of another kind, or over a link.
    fileprivate var screenInList: String? { kind == .code ? deviceName?.value.shown : nil }

    /// Whether it is the server's, and its screen has a name like the one of a screen nearby.
    fileprivate func isListed(ofScreen name: String) -> Bool { screenInList == name }

    fileprivate var isOverLink: Bool { if case .nearby = kind { true } else { false } }
}
