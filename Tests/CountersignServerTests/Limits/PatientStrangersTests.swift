import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Strangers who guess, wait as they are told, and guess again")
struct PatientStrangersTests {
    /// The networks that guess; more of a crowd have as many guesses each.
    private static let guessing = 4
    /// The duration of the guessing, in seconds.
    private static let span = 1_800.0

    @Test(arguments: StrangerCrowd.allCases, [LimitRule.passwordPerAccount, .codePerAccount])
    func `have no more guesses than the page about limits says`(crowd: StrangerCrowd, rule: LimitRule) async throws {
        try await LawfulDay.open(with: crowd) { day in
            let networks = min(crowd.networks, Self.guessing)
            let guesses = day.server.server.services.guesses
            let begin = day.server.clock.date
            var next = Array(repeating: begin, count: networks)
            var admitted = 0
            while let now = next.min(), now < begin + Self.span {
                day.server.clock.advance(by: .seconds(now.timeIntervalSince(day.server.clock.date)))
                for network in next.indices where next[network] <= now {
                    let guess = Guess(
                        rule: rule, name: "of Anna", subject: TestPerson.anna.subject, address: crowd.address(network))
                    do {
                        _ = try await guesses.admit(guess)
                        admitted += 1
                    } catch let reached as RateLimitError {
                        #expect(reached.retryAfter <= LawfulDay.longestWait)
                        next[network] = now + Double(reached.retryAfter)
                    }
                }
            }
            // Codes have no turns.
            let turns = rule == .passwordPerAccount ? networks : 0
            let most = GuessingOdds.guesses(rule.declaration.standard, turnsOf: turns, in: Self.span)
            #expect(Double(admitted) <= most + 1)
            // None of them is shut out, either.
            #expect(Double(admitted) >= most / 3)
        }
    }

    @Test func `do not take the next turn of a person who was wrong in the one before`() async throws {
        try await LawfulDay.open(with: .everywhere) { day in
            let (begin, network) = (day.server.clock.date, LawfulDay.newNetwork(1))
            func guess() async throws {
                try await day.guess(.passwordPerAccount, "anna", times: 64, from: 0)
            }
            func wait(after answer: TestResponse) async throws {
                #expect(answer.status == .tooManyRequests)
                let delay = try #require(answer.headers[.retryAfter].flatMap { Int($0) })
                #expect(delay <= LawfulDay.longestWait)
                day.server.clock.advance(by: .seconds(delay))
                try await guess()
            }
            try await guess()
            try await wait(after: try await day.logIn("wrong", from: network))
            #expect(try await day.logIn("wrong", from: network).status == .forbidden)
            // Ten minutes after the first turn was asked for, while the second one is waited for.
            day.server.clock.advance(by: .seconds((begin + 585).timeIntervalSince(day.server.clock.date)))
            try await guess()
            try await wait(after: try await day.signIn(from: network))
            #expect(try await day.signIn(from: network).status == .seeOther)
        }
    }
}
