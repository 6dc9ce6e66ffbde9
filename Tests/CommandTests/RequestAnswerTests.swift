import CountersignApprover
import Testing

@testable import CountersignCommand

@Suite("What a person types to a request in the inbox")
struct RequestAnswerTests {
    @Test(arguments: ["nope", "cancel", "yess", "12", "ok", "approve", "n y", "-"])
    func `decides nothing unless it is a yes or a no`(typed: String) {
        #expect(RequestAnswer(typed: typed, digits: nil) == nil)
    }

    @Test(arguments: ["y", "yes", "5", "123", "no thanks", "one two"])
    func `decides nothing unless it is the number or a no, where a number is asked for`(typed: String) {
        #expect(RequestAnswer(typed: typed, digits: 2) == nil)
    }

    @Test func `is the answer that it says`() {
        #expect(RequestAnswer(typed: "y", digits: nil) == .approve())
        #expect(RequestAnswer(typed: "yes", digits: nil) == .approve())
        #expect(RequestAnswer(typed: "7 3", digits: 2) == .approve(number: "7 3"))
        for digits in [nil, 2] {
            #expect(RequestAnswer(typed: "n", digits: digits) == .deny)
            #expect(RequestAnswer(typed: "no", digits: digits) == .deny)
        }
    }
}
