internal import Countersign
internal import CountersignApprover
internal import CountersignWire

/// Shows a person at a terminal what waits in an inbox, and asks about one request after the other, each for as long as
/// it waits.
actor InboxQuestions {
    private let approver: Approver
    private let output = InboxOutput(printsJSON: false)
    /// The requests that are known.
    private var known: Set<SignInRequest.ID> = []
    /// The requests that are not shown yet.
    private var waiting: [WaitingRequest] = []
    /// The shown requests that this process has not answered.
    private var shown: Set<SignInRequest.ID> = []
    private var current: Question?

    /// The request about which the person is asked.
    private struct Question {
        let id: SignInRequest.ID
        let asking: Task<Void, Never>
        /// The prompt in the line that the person types in; `nil` while they are not asked.
        var prompt: String?
        /// Whether their answer is on its way. Then the request may end because of it.
        var isAnswered = false
        /// The end of the request meanwhile, to be reported if the answer did not cause it.
        var end: ApproverEvent?
    }

    init(about approver: Approver) { self.approver = approver }

    /// Shows and asks until the task is cancelled, or the inbox cannot be read any more.
    func ask() async throws {
        defer {
            waiting = []
            current?.asking.cancel()
        }
        for try await event in approver {
            switch event {
            case .waiting(let requests): take(requests)
            case .answered(let request, at: _), .cancelled(let request), .expired(let request): end(request.id, event)
            case .undone, .newDevice, .failed, .temporaryFailure: besidePrompt { output.tell(event) }
            }
        }
    }

    /// Asks about new requests, and no more about those that wait no more.
    private func take(_ requests: [WaitingRequest]) {
        let ids = Set(requests.map(\.id))
        waiting.removeAll { !ids.contains($0.id) }
        if let current, !ids.contains(current.id) { withdraw(current) }
        for request in requests where known.insert(request.id).inserted { waiting.append(request) }
        known.formIntersection(ids)
        begin()
    }

    /// Prints something, and then the question again.
    private func besidePrompt(_ tell: () -> Void) {
        if current?.prompt != nil { Terminal.write("\n") }
        tell()
        if let prompt = current?.prompt { Terminal.write(prompt) }
    }

    /// Withdraws the question that is asked, unless its answer is on its way.
    private func withdraw(_ question: Question) {
        guard !question.isAnswered else { return }
        if question.prompt != nil { Terminal.write("\n") }
        current?.prompt = nil
        question.asking.cancel()
    }

    /// Withdraws a question about a finished request, and notifies the person if they saw it.
    private func end(_ request: SignInRequest.ID, _ ending: ApproverEvent) {
        waiting.removeAll { $0.id == request }
        if let question = current, question.id == request {
            guard !question.isAnswered else {
                current?.end = ending
                return
            }
            withdraw(question)
        }
        guard shown.remove(request) != nil else { return }
        besidePrompt { output.tell(ending) }
    }

    private func begin() {
        guard current == nil, !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        let asking = Task {
            await ask(about: next)
            current = nil
            begin()
        }
        current = Question(id: next.id, asking: asking)
    }

    private func ask(about request: WaitingRequest) async {
        guard !Task.isCancelled else { return }
        shown.insert(request.id)
        for line in PrintedRequest(request).lines { Terminal.say(line) }
        guard request.passcode == nil else { return }
        let digits = request.step == .matchNumber ? VerificationNumber.length : nil
        while let answer = await answer(digits: digits), await !give(answer, to: request) {}
    }

    /// Sends the person's answer to the server; returns whether the request is finished. The question is repeated after
    /// a wrong number, and when the server was not reached.
    private func give(_ answer: RequestAnswer, to request: WaitingRequest) async -> Bool {
        current?.isAnswered = true
        defer { current?.isAnswered = false }
        do throws(ApprovalError) {
            try await approver.answer(answer, to: request)
            shown.remove(request.id)
            Terminal.say("It is \(answer == .deny ? "denied" : "approved").")
            return true
        } catch {
            Terminal.complain(error.sentence)
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
    ///
    /// - Parameter digits: The length of the number that an approval takes; `nil` for none.
    private func answer(digits: Int?) async -> RequestAnswer? {
        let question = digits == nil ? "Approve? [y/n] " : "The \(VerificationNumber.words), or n: "
        let reminder = digits.map { _ in "Please type the \(VerificationNumber.words), or n." }
        current?.prompt = question
        defer { current?.prompt = nil }
        let answer = await TypedLines.standard.answer(
            to: question,
            reminding: reminder ?? "Please type yes or no.",
            besideJSON: true
        ) { typed -> RequestAnswer?? in
            typed.isEmpty ? .some(nil) : RequestAnswer(typed: typed.lowercased(), digits: digits).map { .some($0) }
        }
        return answer ?? nil
    }
}
