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
        for form in [AnswerForm.decision, .number, .decisionOrNumber, .denial] {
            #expect(RequestAnswer(typed: "n", in: form) == .deny)
            #expect(RequestAnswer(typed: "no", in: form) == .deny)
        }
    }

    @Test func `is a yes or the number, where a link has made the number needless`() {
        #expect(RequestAnswer(typed: "yes", in: .decisionOrNumber) == .approve())
        #expect(RequestAnswer(typed: "73", in: .decisionOrNumber) == .approve(number: "73"))
        for typed in ["7", "733", "ok", "y 73"] { #expect(RequestAnswer(typed: typed, in: .decisionOrNumber) == nil) }
    }

    @Test(arguments: ["y", "yes", "73", "approve"])
    func `is only a no where nothing else is enough`(typed: String) {
        #expect(RequestAnswer(typed: typed, in: .denial) == nil)
    }
}
