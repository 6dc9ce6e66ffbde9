import Foundation
import Testing

@testable import Countersign

extension SignInExchangeTests {
    @Suite("whose approval is taken back")
    struct Withdrawn {
        private let noon = Sample.noon
        private let anna = Sample.anna.subject
        private let grant = Sample.grant(approved: Sample.noon + 30)

        @Test func `hands out nothing afterwards`() {
            var exchange = Sample.exchange(.approved(grant, by: Sample.anna))
            #expect(exchange.withdraw(by: anna, at: noon + 40) == .withdrawn)
            #expect(exchange.redeem(at: noon + 41) == .denied)
            #expect(exchange.grant == nil)
            #expect(exchange.withdraw(by: anna, at: noon + 42) == .nothingToUndo)
            #expect(exchange.refusal(toBeTakenBy: Sample.anna, at: noon + 43) == .alreadyDecided)
        }

        @Test func `has its tokens revoked when they were handed out`() {
            var exchange = Sample.exchange(.approved(grant, by: Sample.anna))
            #expect(exchange.redeem(at: noon + 35) == .granted(grant))
            #expect(exchange.withdraw(by: anna, at: noon + 40) == .revoke(grant.id))
            #expect(exchange.redeem(at: noon + 41) == .alreadySpent)
        }

        @Test func `says the same when it is asked again`() {
            var exchange = Sample.exchange(.redeemed(grant, at: noon + 35))
            #expect(exchange.withdraw(by: anna, at: noon + 40) == .revoke(grant.id))
            #expect(exchange.withdraw(by: anna, at: noon + 41) == .revoke(grant.id))
        }

        @Test func `can be taken back for less than a minute`() {
            var inTime = Sample.exchange(.approved(grant, by: Sample.anna))
            #expect(inTime.withdraw(by: anna, at: noon + 30 + 59.999) == .withdrawn)

            var late = Sample.exchange(.approved(grant, by: Sample.anna))
            #expect(late.withdraw(by: anna, at: noon + 30 + 60) == .tooLate)
            #expect(late.redeem(at: noon + 91) == .granted(grant))
        }

        @Test func `can be taken back for less than a minute from the approval, whenever it was redeemed`() {
            var inTime = Sample.exchange(.redeemed(grant, at: noon + 80))
            #expect(inTime.withdraw(by: anna, at: noon + 89.999) == .revoke(grant.id))

            var late = Sample.exchange(.redeemed(grant, at: noon + 80))
            #expect(late.withdraw(by: anna, at: noon + 90) == .tooLate)
        }

        @Test func `is taken back only by the person who gave it, from whichever screen`() {
            for state in [SignInExchange.State.approved(grant, by: Sample.anna), .redeemed(grant, at: noon + 35)] {
                var exchange = Sample.exchange(state)
                #expect(exchange.withdraw(by: Sample.bert.subject, at: noon + 40) == .nothingToUndo)
                #expect(exchange == Sample.exchange(state))
            }
            var exchange = Sample.exchange(.approved(grant, by: Sample.anna))
            #expect(exchange.withdraw(by: Sample.annaElsewhere.subject, at: noon + 40) == .withdrawn)
        }

        @Test func `is cancelled at any time until it was redeemed, by the person who gave it alone`() {
            var exchange = Sample.exchange(.approved(grant, by: Sample.anna))
            let stranger = exchange.cancel(by: Sample.bert.subject)
            #expect(!stranger && exchange == Sample.exchange(.approved(grant, by: Sample.anna)))
            let cancelled = exchange.cancel(by: anna)
            #expect(cancelled && exchange.redeem(at: noon + 200) == .denied)

            for state in [SignInExchange.State.open, .denied(by: Sample.anna), .redeemed(grant, at: noon + 35)] {
                var other = Sample.exchange(state)
                let isCancelled = other.cancel(by: anna)
                #expect(!isCancelled && other == Sample.exchange(state))
            }
        }

        // Whether a minute is over must not tell a stranger that there was an approval.
        @Test func `tells a stranger the same early and late`() {
            var exchange = Sample.exchange(.approved(grant, by: Sample.anna))
            #expect(exchange.withdraw(by: Sample.bert.subject, at: noon + 40) == .nothingToUndo)
            #expect(exchange.withdraw(by: Sample.bert.subject, at: noon + 400) == .nothingToUndo)
        }

        @Test func `can still be taken back after the request's deadline`() {
            let last = Sample.grant(approved: Sample.deadline - 1)
            var exchange = Sample.exchange(.approved(last, by: Sample.anna))
            #expect(exchange.withdraw(by: anna, at: Sample.deadline + 58) == .withdrawn)
            #expect(exchange.redeem(at: Sample.deadline + 58) == .denied)
        }
    }
}
