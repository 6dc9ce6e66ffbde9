import CountersignApprover
import Testing

@testable import CountersignCommand

@Suite("What a person types to a request in the inbox")
struct RequestAnswerTests {
    @Test(arguments: ["nope", "cancel", "yess", "12", "ok", "approve", "n y", "-"])
    func `decides nothing unless it is a yes or a no`(typed: String) {
        #expect(RequestAnswer(typed: typed, in: .decision) == nil)
    }

    @Test(arguments: ["y", "yes", "5", "123", "no thanks", "one two"])
    func `decides nothing unless it is the number or a no, where a number is asked for`(typed: String) {
        #expect(RequestAnswer(typed: typed, in: .number) == nil)
    }

    @Test func `is the answer that it says`() {
        #expect(RequestAnswer(typed: "y", in: .decision) == .approve())
        #expect(RequestAnswer(typed: "yes", in: .decision) == .approve())
        #expect(RequestAnswer(typed: "7 3", in: .number) == .approve(number: "7 3"))
        for form in [AnswerForm.decision, .number, .denial] {
            #expect(RequestAnswer(typed: "n", in: form) == .deny)
            #expect(RequestAnswer(typed: "no", in: form) == .deny)
        }
    }

    @Test(arguments: ["y", "yes", "73", "approve"])
    func `is only a no where nothing else is enough`(typed: String) {
        #expect(RequestAnswer(typed: typed, in: .denial) == nil)
    }
}
