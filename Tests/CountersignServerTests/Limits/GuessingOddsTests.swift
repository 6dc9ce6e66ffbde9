import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// What `Documentation/Limits.md` says of the defaults.
@Suite("The odds of guessing a user code")
struct GuessingOddsTests {
    /// How many codes are taken to be open at the same time.
    private let open = 1_000.0
    private let codes = pow(20.0, 8)

    private func oddsPerDay(_ name: LimitName) throws -> Double {
        let limit = try #require(LimitTable.standard[name])
        return Double(limit.most) * 86_400 / Double(limit.seconds) * open / codes
    }

    @Test func `are one in 1,700 a day at the most for one address or one account`() throws {
        for name in [LimitName.userCodePerAddress, .userCodePerAccount] {
            #expect(try oddsPerDay(name) < 1 / 1_700)
        }
    }

    @Test func `are one in 59 a day at the most for everybody together`() throws {
        #expect(try oddsPerDay(.userCodeOverall) < 1 / 59)
    }

    @Test func `rest on codes that are all equally likely`() {
        // Each letter at each place, in so many codes, as often as chance has it: five standard deviations either way.
        let mint = CodeMint(drawingFrom: SeededRandom(seed: 8).source)
        let drawn = 20_000
        var counts = Array(repeating: [Character: Int](), count: 8)
        for _ in 0..<drawn {
            for (place, letter) in mint.userCode().rawValue.filter(\.isLetter).enumerated() {
                counts[place][letter, default: 0] += 1
            }
        }
        let mean = Double(drawn) / 20
        let deviation = (mean * 0.95).squareRoot()
        for count in counts {
            #expect(count.count == 20)
            for number in count.values { #expect(abs(Double(number) - mean) < 5 * deviation) }
        }
    }

    @Test func `are not bettered by whoever asks without a pause, for twenty minutes`() async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            var tried = 0
            // One guess every two seconds: three times what is allowed.
            for number in 0..<600 {
                switch try await anna.guess(number).status {
                case .unprocessableContent: tried += 1
                case .tooManyRequests: break
                case let other: Issue.record("unexpected: \(other)")
                }
                server.clock.advance(by: .seconds(2))
            }
            #expect(tried == 200)
        }
    }
}
