import Foundation
import Testing

@testable import Countersign

extension SignInExchangeTests {
    @Suite("that is taken")
    struct Taken {
        private let noon = Sample.noon

        @Test func `knows who holds it, since when, and what they proved`() throws {
            var exchange = Sample.exchange()
            let evidence = Evidence([.accountPassword(at: noon), .codeTyped])
            try exchange.take(by: Sample.anna, proving: evidence, at: noon + 10)
            let taking = try #require(exchange.taking(at: noon + 10))
            #expect(taking == Taking(approver: Sample.anna, evidence: evidence, taken: noon + 10))
        }

        @Test func `is decided by nobody before`() {
            var exchange = Sample.exchange()
            #expect(exchange.taking(at: noon + 10) == nil)
            #expect(exchange.refusal(of: .deny, by: Sample.anna, at: noon + 10) == .notTaken)
        }

        @Test(arguments: [Sample.bert, Sample.annaElsewhere])
        func `is decided by no other screen, be it the same person's`(stranger: ApproverIdentity) {
            var exchange = Sample.taken(by: Sample.anna)
            #expect(exchange.refusal(of: .approve(Sample.grant()), by: stranger, at: noon + 30) == .notTaken)
            #expect(exchange.refusal(of: .deny, by: stranger, at: noon + 30) == .notTaken)
            #expect(exchange.refusal(of: .deny, by: Sample.anna, at: noon + 30) == nil)
        }

        @Test(arguments: [Sample.bert, Sample.annaElsewhere])
        func `can be taken over, and then only the new holder decides`(second: ApproverIdentity) throws {
            var exchange = Sample.taken(by: Sample.anna)
            try exchange.take(by: second, at: noon + 20)
            #expect(exchange.taking(at: noon + 20)?.approver == second)
            #expect(exchange.refusal(of: .deny, by: Sample.anna, at: noon + 30) == .notTaken)
            #expect(exchange.refusal(of: .deny, by: second, at: noon + 30) == nil)
        }

        @Test func `does not pass on what the former holder proved`() throws {
            var exchange = Sample.exchange()
            try exchange.take(by: Sample.anna, proving: Evidence([.codeTyped]), at: noon + 10)
            try exchange.take(by: Sample.bert, at: noon + 20)
            #expect(exchange.taking(at: noon + 20)?.evidence == Evidence())
        }

        @Test func `is released after two minutes`() {
            var exchange = Sample.taken(at: noon + 10)
            #expect(exchange.taking(at: noon + 129.999) != nil)
            #expect(exchange.taking(at: noon + 130) == nil)
            #expect(exchange.refusal(of: .deny, by: Sample.anna, at: noon + 130) == .notTaken)
            #expect(exchange.refusal(toBeTakenBy: Sample.bert, at: noon + 130) == nil)
        }

        @Test func `is held for two minutes more when its holder takes it again`() throws {
            var exchange = Sample.taken(at: noon + 10)
            try exchange.take(by: Sample.anna, at: noon + 100)
            #expect(exchange.taking(at: noon + 219) != nil)
            #expect(exchange.refusal(of: .deny, by: Sample.anna, at: noon + 219) == nil)
        }

        @Test func `is still decided in the last moment of its holding`() {
            var exchange = Sample.taken(at: noon + 10)
            #expect(exchange.refusal(of: .approve(Sample.grant()), by: Sample.anna, at: noon + 129.999) == nil)
        }

        @Test(arguments: [Decision.deny, .approve(Sample.grant("second"))], [Sample.anna, Sample.bert])
        func `keeps the first answer`(second: Decision, by approver: ApproverIdentity) throws {
            for first in [Decision.deny, .approve(Sample.grant("first"))] {
                var exchange = Sample.taken()
                try exchange.record(first, by: Sample.anna, at: noon + 30)
                let decided = exchange
                #expect(exchange.refusal(of: second, by: approver, at: noon + 31) == .alreadyDecided)
                #expect(exchange.refusal(toBeTakenBy: approver, at: noon + 31) == .alreadyDecided)
                #expect(exchange == decided)
                #expect(exchange.taking(at: noon + 31) == nil)
            }
        }

        @Test func `does not exist for anybody but the person to whom it is addressed`() throws {
            var addressed = SignInExchange(request: Sample.addressed)
            let asked = addressed
            #expect(addressed.refusal(toBeTakenBy: Sample.bert, at: noon) == .addressedToAnother)
            #expect(addressed.refusal(of: .deny, by: Sample.bert, at: noon) == .notTaken)
            #expect(addressed == asked)
            try addressed.take(by: Sample.anna, at: noon)
            #expect(addressed.refusal(toBeTakenBy: Sample.bert, at: noon + 130) == .addressedToAnother)
            try addressed.take(by: Sample.annaElsewhere, at: noon + 130)
            try addressed.record(.deny, by: Sample.annaElsewhere, at: noon + 131)
            #expect(addressed.refusal(toBeTakenBy: Sample.bert, at: noon + 132) == .addressedToAnother)
        }

        @Test func `is taken and decided until its deadline and not at it`() {
            let moment = Sample.deadline - 0.001
            var open = Sample.exchange()
            #expect(open.refusal(toBeTakenBy: Sample.anna, at: Sample.deadline) == .expired)
            #expect(open.refusal(toBeTakenBy: Sample.anna, at: moment) == nil)
            #expect(open.refusal(of: .deny, by: Sample.anna, at: Sample.deadline) == .expired)
            #expect(open.refusal(of: .deny, by: Sample.anna, at: moment) == nil)
        }
    }
}
