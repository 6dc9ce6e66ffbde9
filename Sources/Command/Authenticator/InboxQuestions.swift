internal import Countersign
internal import CountersignApprover
internal import CountersignWire

/// Shows a person at a terminal what waits in an inbox, and asks about one request after the other, each for as long as
/// it waits.
actor InboxQuestions {
    private let authenticator: Authenticator
    private let output = InboxOutput(printsJSON: false)
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
        var end: InboxOutput.Ending?
    }

    init(about authenticator: Authenticator) { self.authenticator = authenticator }

    /// Shows and asks until the task is cancelled, or the inbox cannot be read any more.
    func ask() async throws {
        defer {
            waiting = []
            current?.asking.cancel()
        }
        for await event in authenticator.requests() {
            switch event {
            case .arrived(let request):
                waiting.append(request)
                begin()
            case .withdrawn(let request): end(request.id, .withdrawn)
            case .expired(let request): end(request.id, .expired)
            case .temporaryFailure(let error, let pause):
                besidePrompt { output.temporaryFailure(error, retryingIn: pause) }
            case .ended(let error): throw error
            }
        }
    }

    /// Prints something, and then the question again.
    private func besidePrompt(_ tell: () -> Void) {
        if current?.prompt != nil { Terminal.write("\n") }
        tell()
        if let prompt = current?.prompt { Terminal.write(prompt) }
    }

    /// Withdraws a question about a finished request, and notifies the person if they saw it.
    private func end(_ request: SignInRequest.ID, _ ending: InboxOutput.Ending) {
        waiting.removeAll { $0.id == request }
        if let question = current, question.id == request {
            guard !question.isAnswered else {
                current?.end = ending
                return
            }
            if question.prompt != nil { Terminal.write("\n") }
            current?.prompt = nil
            question.asking.cancel()
        }
        guard shown.remove(request) != nil else { return }
        besidePrompt { output.ended(request, ending) }
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
        do throws(ApprovalError) {
            var shown = try await authenticator.look(at: request)
            guard !Task.isCancelled else { return }
            self.shown.insert(request.id)
            for line in PrintedRequest(shown).lines { Terminal.say(line) }
            guard shown.kind == .instant else { return }
            while let answer = await answer(digits: shown.numberDigits) {
                guard await !give(answer, to: shown) else { return }
                shown = try await authenticator.look(at: request)
            }
        } catch {
            if !error.endsRequest, error.code != .cancelled { Terminal.complain(error.sentence) }
        }
    }

    /// Sends the person's answer to the server; returns whether the request is finished. The question is repeated after
    /// a wrong number, and when the server was not reached.
    private func give(_ answer: RequestAnswer, to request: InboxRequestDescription) async -> Bool {
        current?.isAnswered = true
        defer { current?.isAnswered = false }
        do throws(ApprovalError) {
            try await authenticator.answer(answer, to: request)
            shown.remove(request.id)
            Terminal.say("It is \(answer == .deny ? "denied" : "approved").")
            return true
        } catch {
            Terminal.complain(error.sentence)
            if let ending = current?.end {
                shown.remove(request.id)
                output.ended(request.id, ending)
                return true
            }
            return ![.wrongNumber, .unreachable, .busy].contains(error.code)
        }
    }

    /// Asks the person until they answer in one of the ways that the question names; `nil` for an empty line, the end
    /// of the input, and a withdrawn question.
    ///
    /// - Parameter digits: The number of digits of the other screen that an approval takes; `nil` for none.
    private func answer(digits: Int?) async -> RequestAnswer? {
        let question = digits == nil ? "Approve? [y/n] " : "Number, or n: "
        let reminder = digits.map { "Please type the \($0) digits of the other screen, or n." }
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
