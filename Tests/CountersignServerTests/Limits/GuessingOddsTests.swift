import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Countersign
@testable import CountersignServer

/// What `Documentation/Limits.md` says of the defaults.
@Suite("The odds of guessing a user code")
struct GuessingOddsTests {
    /// How many codes are taken to be open at the same time.
    private let open = 1_000.0
    /// 20⁸ are eight of twenty letters; those in which people would read a rude word are never drawn.
    private let codes = 23_000_000_000.0

    private func oddsPerDay(_ rule: LimitRule) -> Double {
        let limit = rule.declaration.standard
        return Double(limit.most) * 86_400 / Double(limit.seconds) * open / codes
    }

    @Test func `are one in 15,900 a day at the most for one account`() {
        #expect(oddsPerDay(.codePerAccount) < 1 / 15_900)
    }

    @Test func `are one in 5,300 a day at the most for one network or one known browser`() {
        #expect(oddsPerDay(.guessPerAddress) < 1 / 5_300)
    }

    @Test func `raise the alarm before they are one in 53 a day for everybody together`() {
        #expect(oddsPerDay(.userCodeOverall) < 1 / 53)
        #expect(LimitRule.userCodeOverall.raisesAlarm)
    }

    @Test func `raise no alarm for fewer than 300 accounts`() {
        #expect(oddsPerDay(.userCodeOverall) >= 300 * oddsPerDay(.codePerAccount) * 0.999)
    }

    @Test func `rest on at least as many codes as are counted with`() {
        let source = SeededRandom(seed: 8).source
        let tried = 20_000
        let drawable = (0..<tried).count { _ in
            UserCode(positions: (0..<UserCode.length).map { _ in source.uniform(below: UserCode.alphabet.count) })
                != nil
        }
        let all = Double(UserCode.alphabet.count.power(UserCode.length))
        #expect(Double(drawable) / Double(tried) * all > codes)
    }

    @Test func `rest on codes in which no letter has much more than its share`() {
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 8).source)
        let drawn = 20_000
        var counts = Array(repeating: [Character: Int](), count: UserCode.length)
        for _ in 0..<drawn {
            for (place, letter) in mint.userCode().characters.enumerated() { counts[place][letter, default: 0] += 1 }
        }
        let share = Double(drawn) / Double(UserCode.alphabet.count)
        for count in counts {
            #expect(count.count == UserCode.alphabet.count)
            for number in count.values { #expect(0.75 * share...1.25 * share ~= Double(number)) }
        }
    }

    @Test func `are not bettered by whoever asks without a pause, for twenty minutes`() async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            var tried = 0
            // One guess every two seconds: sixty times what is allowed in the long run.
            for number in 0..<600 {
                switch try await anna.guess(number).status {
                case .unprocessableContent: tried += 1
                case .tooManyRequests: break
                case let other: Issue.record("unexpected: \(other)")
                }
                server.clock.advance(by: .seconds(2))
            }
            #expect(tried <= 30 && tried >= 20)
        }
    }
}

extension Int {
    fileprivate func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * self } }
}
