import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

/// Counts the successes of somebody who does not see the screen, in a space of a thousand codes.
///
/// The hashes are the real ones. A hundred thousand tries should succeed a hundred times; four standard deviations are
/// 40.
@Suite("Somebody who guesses at a code")
struct GuessingOddsTests {
    private let space = CodeSpace(digits: 3)
    private let padding = [UInt8](repeating: 0, count: 24)
    private let tries = 100_000
    private let fair = 60...140

    @Test func `in the middle, gets through once in N when the phone is first`() throws {
        let (here, there) = (exchange(1), exchange(2))
        let hits = count(seed: 1) { random in
            // He has committed to his nonce before the phone gives its own: the code there is what it is.
            let phone = there.code(.first, requester: nonce(random), approver: nonce(random))
            // The screen's nonce is hidden from him while its code is typed.
            return here.code(.first, requester: nonce(random), approver: nonce(random)) == phone
        }
        #expect(fair.contains(hits))
    }

    @Test func `in the middle, gets through once in N when the screen's code is burned first`() throws {
        let (here, there) = (exchange(3), exchange(4))
        let hits = count(seed: 2) { random in
            let his = nonce(random)
            // A worthless answer makes the screen reveal its nonce: he knows its code, and somebody still types it.
            let screen = here.code(.first, requester: nonce(random), approver: nonce(random))
            // Only now does the phone give its nonce; his own he cannot change any more.
            let phone = there.code(.first, requester: his, approver: nonce(random))
            return phone == screen
        }
        #expect(fair.contains(hits))
    }

    @Test func `in the phone's place, gets through once in N`() throws {
        let here = exchange(5)
        let hits = count(seed: 3) { random in
            let (his, blind) = (nonce(random), nonce(random))
            let guess = space.code(UInt64(random.bytes(4).reduce(0) { $0 << 8 | UInt64($1) }))
            let committed = here.commitment(.first, typed: guess, approver: his, blind: blind)
            let code = here.code(.first, requester: nonce(random), approver: his)
            guard code == guess else { return false }
            return here.commitment(.first, typed: code, approver: his, blind: blind) == committed
        }
        #expect(fair.contains(hits))
    }

    @Test func `meets every code equally often`() {
        let here = exchange(6)
        let random = SeededRandom(seed: 4)
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<10_000 {
            let code = here.code(.first, requester: nonce(random), approver: nonce(random))
            counts[Int(code.revealed.prefix(1)) ?? 0] += 1
        }
        // Four standard deviations of a count of 1,000 are 120.
        #expect(counts.allSatisfy { (880...1_120).contains($0) })
    }

    private func exchange(_ byte: UInt8) -> CodeExchange {
        let link = NearbyLinkID(restoring: [UInt8](repeating: byte, count: 32))
        return CodeExchange(on: link, ask: [byte], space: space)
    }

    private func nonce(_ random: SeededRandom) -> LinkNonce {
        // Few bytes by chance are enough here, and quicker.
        LinkNonce(received: random.bytes(8) + padding) ?? LinkNonce(drawingFrom: random.source)
    }

    private func count(seed: UInt64, _ hit: (SeededRandom) -> Bool) -> Int {
        let random = SeededRandom(seed: seed)
        return (0..<tries).count { _ in hit(random) }
    }
}
