internal import Countersign
internal import CountersignApprover
internal import CountersignNearby
internal import CountersignWire

/// Shows a person at a terminal what waits, of all ways in one list, and asks about one request after the other, each for
/// as long as it waits. A screen nearby comes first: its person is in front of it.
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
    private var current: Question?

    /// The request about which the person is asked.
    private struct Question {
        let request: WaitingRequest
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

    /// Goes on with the other questions: a screen nearby has no further one.
    func letGo(of link: NearbyLinkID) {
        busy.remove(link)
        turn()
    }

    /// Names the screen nearby of a request, as it calls itself.
    func name(_ screen: String, of request: SignInRequest.ID, over link: NearbyLinkID) {
        screens[request] = (screen, link)
    }

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
            guard current.request != next else { return }
            return withdraw(current)
        }
        guard let next else { return }
        let asking = Task {
            await ask(about: next)
            current = nil
            turn()
        }
        current = Question(request: next, asking: asking)
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
        output.arrived(PrintedRequest(request, callingItself: screens[request.id]?.name, choosing: session))
    }

    private func ask(about request: WaitingRequest) async {
        guard !Task.isCancelled else { return }
        if printed.contains(request.id), !output.printsJSON { Terminal.say(request.question.shown) }
        print(request)
        defer { if !Task.isCancelled { passed.insert(request.id) } }
        guard request.passcode == nil else { return }
        let others = waiting.count { $0.id != request.id && !passed.contains($0.id) }
        if others > 0, !output.printsJSON { Terminal.say("  \(others) more wait after this one.") }
        while let answer = await answer(to: request), await !give(answer, to: request) {}
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
        let form = AnswerForm(of: request)
        let prompt = output.printsJSON ? "" : form.prompt
        if output.printsJSON {
            output.say(
                "question", ["asks": form.word, "id": request.id.rawValue, "message": form.prompt], or: nil)
        }
        current?.prompt = prompt
        defer { current?.prompt = nil }
        let answer = await TypedLines.standard.answer(
            to: prompt,
            reminding: form.reminder,
            besideJSON: true
        ) { typed -> RequestAnswer?? in
            typed.isEmpty ? .some(nil) : RequestAnswer(typed: typed.lowercased(), in: form).map { .some($0) }
        }
        return answer ?? nil
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
