import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import Countersign
@testable import CountersignServer

/// The worth of the defaults, as `Documentation/Limits.md` states it.
enum GuessingOdds {
    static let day = 86_400.0

    /// The most guesses under a limit that delays: the bucket, what leaks from it, and the turns of networks.
    static func guesses(_ limit: Limit, turnsOf networks: Int = 0, in span: Double = day) -> Double {
        let bucket = LeakyBucket(limit)
        return Double(bucket.capacity) + span / bucket.pause + Double(networks * GuessLimiter.mostTurns)
    }

    /// The most guesses in a day under a limit of one network, multiplied by the `factor` of the network.
    static func guesses(ofOneNetworkWith factor: Int = 1, under limit: Limit) -> Int {
        limit.most * factor * Int(day) / limit.seconds
    }
}

@Suite("The odds of guessing in a day")
struct GuessingOddsTests {
    /// The assumed number of codes that are open at the same time.
    private let open = 1_000.0
    /// The number of codes: 20⁸ for eight of twenty letters, less those with a rude word, which are never drawn.
    private let codes = 23_000_000_000.0

    private let account = LimitRule.codePerAccount.declaration.standard
    private let network = LimitRule.guessPerAddress.declaration.standard
    private let password = LimitRule.passwordPerAccount.declaration.standard

    @Test func `a user code are one in 29,000 for one account, and as many times more for more accounts`() {
        let guesses = GuessingOdds.guesses(account)
        #expect(guesses == 783)
        #expect(guesses * open / codes < 1 / 29_000)
        #expect(100 * guesses * open / codes < 1 / 290)
        #expect(1_000 * guesses * open / codes < 1 / 29)
        #expect(GuessingOdds.guesses(ofOneNetworkWith: 1, under: network) == 4_320)
    }

    @Test func `a code that a person types on a screen are one in 154 from one network, while a hundred are open`() {
        let codes = (0..<PersonCode.length).reduce(1.0) { power, _ in 10 * power }
        #expect(max(GuessingOdds.guesses(network), 6_480) == 6_480)
        #expect(6_480 * 100 / codes < 1 / 154)
    }

    @Test func `a password are those of three guesses for each network, beside those of all`() {
        #expect(GuessingOdds.guesses(password).rounded() == 1_274)
        #expect(GuessingOdds.guesses(password, turnsOf: 10_000).rounded() == 31_274)
    }

    @Test func `a one-time password are one in 425 for an authenticator, and one in 127 for a site`() {
        #expect(GuessingOdds.guesses(account) == 783)
        #expect(GuessingOdds.guesses(account) * 3 / 1_000_000 < 1 / 425)
        let passwords = (0..<SignInStartService.passwordLength).reduce(1.0) { power, _ in 10 * power }
        #expect(GuessingOdds.guesses(account) / passwords < 1 / 127)
    }

    @Test func `a code in a text are one in 6,400, in a day that begins anew after the longest pauses`() {
        let limit = LimitRule.textPerNumber.declaration.standard
        var (texts, sent, time) = (0, 0, -GuessingOdds.day)
        var times: [Double] = []
        // Two days: pauses are short again at the beginning of the second.
        while time < GuessingOdds.day {
            times.append(time)
            if time >= 0, times.count(where: { $0 >= 0 }) == 1 { sent = 0 }
            time += TextPause(limit).pause(afterSending: sent)
            sent += 1
        }
        for first in times { texts = max(texts, times.count { first..<first + GuessingOdds.day ~= $0 }) }
        #expect(texts <= 31)
        #expect(Double(texts * SentCode<PhoneNumber>.mostTries) / 1_000_000 < 1 / 6_400)
    }

    @Test func `a user code rest on at least as many codes as are counted with`() {
        let source = SeededRandom(seed: 8).source
        let tried = 20_000
        let drawable = (0..<tried).count { _ in
            UserCode(positions: (0..<UserCode.length).map { _ in source.uniform(below: UserCode.alphabet.count) })
                != nil
        }
        let all = Double(UserCode.alphabet.count.power(UserCode.length))
        #expect(Double(drawable) / Double(tried) * all > codes)
    }

    @Test func `a user code rest on codes in which no letter has much more than its share`() {
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

    @Test(.server) func `a user code are not bettered by guesses without a pause, for twenty minutes`() async throws {
        let server = TestServer.current
        let anna = try await server.browser(of: .anna)
        var tried = 0
        // One guess every two seconds: many times what is allowed in the long run.
        for number in 0..<600 {
            switch try await anna.guess(number).status {
            case .unprocessableContent: tried += 1
            case .tooManyRequests: break
            case let other: Issue.record("unexpected: \(other)")
            }
            server.clock.advance(by: .seconds(2))
        }
        #expect(tried <= 26 && tried >= 20)
    }
}

extension Int {
    fileprivate func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * self } }
}
