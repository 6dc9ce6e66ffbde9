internal import Countersign
internal import Foundation
internal import NIOConcurrencyHelpers

/// Reads what the person types line by line, for questions that can be withdrawn before they are answered.
actor TypedLines {
    /// The lines of standard input.
    static let standard = TypedLines()

    private var asking: [(number: Int, asked: Int, answer: CheckedContinuation<String?, Never>)] = []
    private var questions = 0
    /// The number of questions printed. A line that was read before a question was printed does not answer it, however
    /// late this actor hears of the line.
    private nonisolated let printed = NIOLockedValueBox(0)
    private var isReading = false
    /// Lines of a program that came when no question waited. Lines that a person types then are discarded, because they
    /// would answer another question.
    private var early: [String] = []
    private var hasEnded = false
    private var follower: (@Sendable (String) async -> Void)?

    /// Reports each line that a person ends at a terminal, also one that answers no question: the cursor has moved.
    ///
    /// - Parameter follower: Called with the line before it answers a question; `nil` ends that.
    func follow(_ follower: (@Sendable (String) async -> Void)?) {
        guard Terminal.givesInput else { return }
        self.follower = follower
        if follower != nil { read() }
    }

    /// The next line; `nil` at the end of the input, and when the task is cancelled.
    func next() async -> String? {
        if !early.isEmpty { return early.removeFirst() }
        guard !hasEnded else { return nil }
        questions += 1
        let number = questions
        let asked = printed.withLockedValue(\.self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                guard !Task.isCancelled else { return answer.resume(returning: nil) }
                asking.append((number, asked, answer))
                read()
            }
        } onCancel: {
            Task { await self.withdraw(number) }
        }
    }

    /// Asks, and gives the answer without the spaces around it; `nil` when there is none.
    ///
    /// Lines that a person typed before they could read the question do not answer it.
    ///
    /// - Parameters:
    ///   - question: The question; empty if a line of JSON contains it.
    ///   - besideJSON: Whether standard error takes the question, as where standard output has lines of JSON.
    func answer(to question: String, besideJSON: Bool = false) async -> String? {
        Terminal.forgetTyped()
        printed.withLockedValue { $0 += 1 }
        if besideJSON { Terminal.prompt(question) } else { Terminal.write(question) }
        return await next().map(TypedText.trimmed)
    }

    /// Asks until the input can be read; `nil` at the end of the input, and when the task is cancelled.
    ///
    /// - Parameters:
    ///   - question: The question; empty if a line of JSON contains it.
    ///   - reminder: The sentence for what cannot be read.
    ///   - besideJSON: Whether only standard error takes the words, as where standard output has lines of JSON.
    ///   - read: Reads the input, without the spaces around it; `nil` when it is no answer.
    func answer<Answer: Sendable>(
        to question: String,
        reminding reminder: String,
        besideJSON: Bool = false,
        reading read: @Sendable (String) -> Answer?
    ) async -> Answer? {
        while let typed = await answer(to: question, besideJSON: besideJSON) {
            if let answer = read(typed) { return answer }
            if besideJSON { Terminal.prompt(reminder + "\n") } else { Terminal.say(reminder) }
        }
        return nil
    }

    /// Asks a question until the answer is yes or no; the end of the input is a no.
    ///
    /// - Parameters:
    ///   - question: The question; empty if a line of JSON contains it.
    ///   - besideJSON: Whether only standard error takes the words, as where standard output has lines of JSON.
    func agrees(to question: String, besideJSON: Bool = false) async -> Bool {
        let answer = await answer(to: question, reminding: "Please type yes or no.", besideJSON: besideJSON) { typed in
            switch typed.lowercased() {
            case "yes", "y": true
            case "no", "n": false
            default: nil
            }
        }
        return answer ?? false
    }

    private func withdraw(_ number: Int) {
        guard let place = asking.firstIndex(where: { $0.number == number }) else { return }
        asking.remove(at: place).answer.resume(returning: nil)
    }

    /// Reading a line blocks, and a thread of the program's own pool must not.
    private func read() {
        guard !isReading else { return }
        isReading = true
        Thread.detachNewThread {
            let line: String?
            do throws(CommandError) {
                line = try StandardInput.shared.line()
            } catch {
                // It answers no question, and what follows may be no better.
                Terminal.complain(error.description)
                line = nil
            }
            let asked = self.printed.withLockedValue(\.self)
            Task { await self.take(line, readAfter: asked) }
        }
    }

    /// Takes a line that was read when `asked` questions were printed.
    private func take(_ line: String?, readAfter asked: Int) async {
        isReading = false
        guard let line else {
            for one in asking { one.answer.resume(returning: nil) }
            asking = []
            // At a terminal, Ctrl-D ends the questions of that moment; later ones are still asked.
            hasEnded = !Terminal.givesInput
            if follower != nil, !hasEnded { read() }
            return
        }
        // Settled before anything is awaited: a question that comes meanwhile is not answered by this line.
        let place = asking.firstIndex { !Terminal.givesInput || $0.asked <= asked }
        let question = place.map { asking.remove(at: $0) }
        if question == nil, !Terminal.givesInput { early.append(line) }
        await follower?(line)
        question?.answer.resume(returning: line)
        if !asking.isEmpty || follower != nil { read() }
    }
}
