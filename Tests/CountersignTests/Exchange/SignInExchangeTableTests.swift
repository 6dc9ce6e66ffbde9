import Foundation
import Testing

@testable import Countersign

extension SignInExchangeTests {
    @Suite("in every state")
    struct EveryState {
        /// The answers of one state to every event; `nil` where the event is let through.
        struct Row: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let state: SignInExchange.State
            let take: TakingError?
            let decide: DecisionError?
            let redeem: Redemption
            let withdraw: Withdrawal
        }

        private static let now = Sample.noon + 200
        private static let earlier = Sample.grant(approved: now - 30)
        private static let before = [
            Row(
                testDescription: "open", state: .open,
                take: nil, decide: .notTaken, redeem: .wait, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "taken", state: held(since: now - 50),
                take: nil, decide: nil, redeem: .wait, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "taken two minutes ago", state: held(since: now - 120),
                take: nil, decide: .notTaken, redeem: .wait, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "approved", state: .approved(earlier, by: Sample.anna),
                take: .alreadyDecided, decide: .alreadyDecided, redeem: .granted(earlier), withdraw: .withdrawn
            ),
            Row(
                testDescription: "denied", state: .denied(by: Sample.anna),
                take: .alreadyDecided, decide: .alreadyDecided, redeem: .denied, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "redeemed", state: .redeemed(earlier, at: now - 20),
                take: .alreadyDecided, decide: .alreadyDecided, redeem: .alreadySpent, withdraw: .revoke(earlier.id)
            ),
        ]

        private static let last = Sample.grant(approved: Sample.deadline - 30)
        private static let after = [
            Row(
                testDescription: "open", state: .open,
                take: .expired, decide: .expired, redeem: .expired, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "taken", state: held(since: Sample.deadline - 50),
                take: .expired, decide: .expired, redeem: .expired, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "taken two minutes ago", state: held(since: Sample.deadline - 120),
                take: .expired, decide: .expired, redeem: .expired, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "approved", state: .approved(last, by: Sample.anna),
                take: .alreadyDecided, decide: .alreadyDecided, redeem: .expired, withdraw: .withdrawn
            ),
            Row(
                testDescription: "denied", state: .denied(by: Sample.anna),
                take: .alreadyDecided, decide: .alreadyDecided, redeem: .denied, withdraw: .nothingToUndo
            ),
            Row(
                testDescription: "redeemed", state: .redeemed(last, at: Sample.deadline - 20),
                take: .alreadyDecided, decide: .alreadyDecided, redeem: .alreadySpent, withdraw: .revoke(last.id)
            ),
        ]

        @Test(arguments: before)
        func `answers every event before its deadline`(row: Row) {
            expect(row, at: Self.now)
        }

        @Test(arguments: after)
        func `answers every event at its deadline`(row: Row) {
            expect(row, at: Sample.deadline)
        }

        /// Sends each event to an exchange of its own; a refused event must leave no trace.
        private func expect(_ row: Row, at now: Date) {
            let start = Sample.exchange(row.state)

            var exchange = start
            #expect(exchange.refusal(toBeTakenBy: Sample.bert, at: now) == row.take)
            #expect((exchange == start) == (row.take != nil))

            for decision in [Decision.deny, .approve(Sample.grant("another", approved: now))] {
                exchange = start
                #expect(exchange.refusal(of: decision, by: Sample.anna, at: now) == row.decide)
                #expect((exchange == start) == (row.decide != nil))
            }

            exchange = start
            #expect(exchange.redeem(at: now) == row.redeem)
            if case .granted = row.redeem { #expect(exchange != start) } else { #expect(exchange == start) }

            exchange = start
            #expect(exchange.withdraw(by: Sample.anna.subject, at: now) == row.withdraw)
            #expect((exchange == start) == (row.withdraw != .withdrawn))
        }

        private static func held(since instant: Date) -> SignInExchange.State {
            .taken(Taking(approver: Sample.anna, evidence: Evidence(), taken: instant))
        }
    }
}
