import Countersign
import CountersignTesting
import Testing

@testable import CountersignNearby

@Suite("The pauses before a busy phone is asked again")
struct BusyBackoffTests {
    private func pauses(_ count: Int, drawingFrom random: RandomSource) -> [Duration] {
        var backoff = BusyBackoff()
        return (0..<count).map { _ in backoff.next(drawingFrom: random) }
    }

    private func seconds(_ counts: [Int]) -> [Duration] { counts.map { .seconds($0) } }

    /// A source of randomness that repeats one byte: all zero leaves the pauses as they are, all one shortens them
    /// most.
    private func constant(_ byte: UInt8) -> RandomSource { RandomSource { Array(repeating: byte, count: $0) } }

    @Test func `grow to a limit, and chance shortens them by a quarter at most`() {
        let (shortest, longest) = (pauses(6, drawingFrom: constant(255)), pauses(6, drawingFrom: constant(0)))
        #expect(shortest == seconds([3, 6, 12, 15, 15, 15]))
        #expect(longest == seconds([4, 8, 16, 20, 20, 20]))
        let drawn = pauses(6, drawingFrom: SeededRandom(seed: 1).source)
        #expect(zip(shortest, drawn).allSatisfy { $0 <= $1 } && zip(drawn, longest).allSatisfy { $0 <= $1 })
    }

    @Test func `leave so few attempts that an approver does not take them for a flood`() {
        let window = ListenerLimits.standard.window
        let shortest = pauses(30, drawingFrom: constant(255))
        var attempts: [Duration] = [.zero]
        for pause in shortest { attempts.append((attempts.last ?? .zero) + pause) }
        // Visits count for two windows at most, and the connection itself counts once more.
        let most = attempts.map { first in attempts.count { first <= $0 && $0 < first + window * 2 } }.max()
        #expect(most == 15)
        #expect(15 + 1 < QuestionQueue.mostOfHonest)
    }
}
