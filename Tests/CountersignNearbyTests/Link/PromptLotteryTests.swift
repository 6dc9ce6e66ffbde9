import CountersignTesting
import Testing

@testable import CountersignNearby

@Suite("The draw of the next question")
struct PromptLotteryTests {
    private let now = Fixture.instant

    private func address(_ number: Int) -> NearbyAddress { NearbyAddress("10.0.0.\(number)") }

    private func lottery(seed: UInt64 = 1) -> PromptLottery {
        PromptLottery(within: .seconds(30), drawingFrom: SeededRandom(seed: seed).source)
    }

    /// Which of these addresses wins.
    private func winner(_ lottery: inout PromptLottery, among addresses: [NearbyAddress]) -> NearbyAddress? {
        addresses.first { lottery.wins($0, among: addresses, at: now) }
    }

    @Test func `gives each the same odds, whichever comes first`() {
        var lottery = lottery()
        let addresses = (1...10).map { address($0) }
        var wins: [NearbyAddress: Int] = [:]
        for _ in 0..<10_000 {
            if let address = winner(&lottery, among: addresses) { wins[address, default: 0] += 1 }
        }
        let counts = addresses.map { wins[$0] ?? 0 }
        // Five standard deviations.
        #expect(counts.allSatisfy { (850...1_150).contains($0) })
    }

    @Test(arguments: 1...20)
    func `prefers one about which the person was asked less often in an hour`(seed: UInt64) {
        var lottery = lottery(seed: seed)
        let addresses = (1...10).map { address($0) }
        for address in addresses.dropLast() { lottery.countQuestion(about: address, at: now) }
        let drawn = winner(&lottery, among: addresses)
        #expect(drawn == addresses.last)
    }

    @Test func `keeps the turn of the one that was drawn, for as long as it takes part`() {
        var lottery = lottery()
        let addresses = (1...10).map { address($0) }
        // One is drawn, and another one asks.
        let isDrawn = lottery.wins(address(99), among: addresses, at: now)
        #expect(!isDrawn)
        var (one, other, later) = (lottery, lottery, lottery)
        let drawn = winner(&one, among: addresses)
        let again = winner(&other, among: Array(addresses.reversed()))
        #expect(drawn != nil && drawn == again)
        let next = winner(&later, among: addresses.filter { $0 != drawn })
        #expect(next != nil && next != drawn)
    }

    @Test func `takes the turn back after the span from one that never asks, though it tries again and again`() {
        var lottery = lottery()
        let (silent, screen) = (address(1), address(2))
        // The one that is drawn takes part alone, and another one asks.
        let isDrawn = lottery.wins(screen, among: [silent], at: now)
        #expect(!isDrawn)
        // It goes on trying. About it the person was asked more often by now, so that the next draw is not by chance.
        lottery.countQuestion(about: silent, at: now)
        let early = lottery.wins(screen, among: [silent, screen], at: now + .milliseconds(29_999))
        #expect(!early)
        let later = lottery.wins(screen, among: [silent, screen], at: now + .seconds(30))
        #expect(later)
    }

    @Test func `has those that have tried lately`() {
        var lottery = lottery()
        lottery.enter(address(1), at: now)
        lottery.enter(address(2), at: now + .seconds(10))
        lottery.enter(address(1), at: now + .seconds(20))
        let (early, late) = (
            lottery.participants(at: now + .seconds(39)), lottery.participants(at: now + .seconds(40))
        )
        #expect(early == [address(2), address(1)] && late == [address(1)])
        let last = lottery.participants(at: now + .seconds(50))
        #expect(last.isEmpty)
    }
}
