import Testing

@testable import CountersignCommand
@testable import CountersignNearby

@Suite("The question at a terminal which phone is meant", .timeLimit(.minutes(10)))
struct PhoneQuestionTests {
    private let phones = ["Anna's phone", "Bert's phone"].map { name in
        NearbyApprover(id: NearbyApprover.ID(name: name), name: name, pairedAs: nil)
    }
    private let lines = AsyncStream<String?>.makeStream()
    private let answers = AsyncStream<PhoneQuestion.Answer>.makeStream()

    private func question() -> PhoneQuestion {
        PhoneQuestion { [lines = lines.stream] in
            for await line in lines { return line }
            return nil
        } taking: { [answers = answers.continuation] in
            answers.yield($0)
        }
    }

    /// The answer to a line that is typed; `nil` for the end of the input.
    private func typing(_ line: String) async -> PhoneQuestion.Answer? {
        lines.continuation.yield(line)
        for await answer in answers.stream { return answer }
        return nil
    }

    @Test func `is still there when one was picked, for another code and for another phone`() async {
        let question = question()
        await question.ask(among: phones)
        #expect(await typing("2") == .phone(phones[1].id))
        await question.offerAnother(among: phones)
        #expect(await typing("") == .anotherCode)
        #expect(await typing("1") == .phone(phones[0].id))
        #expect(await typing("phone") == .narrowed(NearbyList(all: phones, filter: "phone")))
        await question.stop()
        #expect(await question.isAsking == false)
    }

    @Test func `is asked anew for another code after the input has ended`() async {
        let question = question()
        await question.ask(among: phones)
        lines.continuation.yield(nil)
        while await question.isAsking { await Task.yield() }
        await question.offerAnother(among: phones)
        #expect(await typing("") == .anotherCode)
        await question.stop()
    }

    @Test func `is asked of nobody once it was stopped`() async {
        let question = question()
        await question.stop()
        await question.offerAnother(among: phones)
        await question.ask(among: phones)
        #expect(await question.isAsking == false)
    }
}
