import Countersign
@testable import CountersignNearby
import CountersignTesting
import Testing

@Suite("Every wait of a link")
struct WaitsTests {
    /// Lets time pass in small steps, so that both ends stay alive for each other.
    private func pass(_ span: Duration, _ pair: inout LinkPair, delivering: Bool = true) {
        var left = span
        while left > .zero {
            let step = min(left, .seconds(5))
            pair.pass(step)
            if delivering { pair.deliver() }
            left -= step
        }
    }

    @Test func `for an ask ends after 5 seconds`() throws {
        var pair = try LinkPair()
        pair.pass(.seconds(5))
        #expect(pair.approverOutcome == .timedOut && pair.approverSaid == [.end(.timedOut)])
    }

    @Test func `in the line ends after 120 seconds`() throws {
        var pair = try LinkPair()
        pair.atRequester { $0.begin(at: $1) }
        pair.deliver()
        pass(.seconds(119), &pair)
        #expect(pair.approverOutcome == nil)
        pass(.seconds(1), &pair)
        #expect(pair.approverOutcome == .timedOut && pair.requesterOutcome == .gone(said: .timedOut))
    }

    @Test func `for a tap ends after 60 seconds`() throws {
        var pair = try LinkPair()
        pair.begin()
        pass(.seconds(59), &pair)
        #expect(pair.approverOutcome == nil)
        pass(.seconds(1), &pair)
        #expect(pair.approverOutcome == .timedOut && pair.approverDid.contains(.stopAsking))
        #expect(pair.misses.approver == 0)
    }

    @Test func `for digits ends after 120 seconds, and is a miss`() throws {
        var pair = try LinkPair()
        pair.showCode()
        pass(.seconds(119), &pair)
        #expect(pair.misses == (0, 0) && pair.shownCode != nil)
        pass(.seconds(1), &pair)
        #expect(pair.misses == (1, 1) && pair.shownCode == nil)
        pass(.seconds(120), &pair)
        #expect(pair.requesterOutcome != nil && pair.approverOutcome != nil)
    }

    @Test func `for the requester's nonce ends after 10 seconds, and is a miss`() throws {
        var pair = try LinkPair()
        pair.showCode()
        let code = try #require(pair.shownCode)
        pair.atApprover { $0.type(code, at: $1) }
        pair.toRequester = []
        pair.pass(.seconds(10))
        #expect(pair.misses.approver == 1 && pair.approverSaid.last == .missed(.first))
    }

    @Test func `for the request ends after 10 seconds`() throws {
        var pair = try LinkPair(isPaired: true)
        pair.atRequester { $0.begin(at: $1) }
        pair.deliver()
        pair.atApprover { $0.reachHead(at: $1) }
        pair.toRequester = []
        pair.pass(.seconds(10))
        #expect(pair.approverOutcome == .timedOut)
    }

    @Test func `for a decision ends after 120 seconds`() throws {
        var pair = try LinkPair(isPaired: true)
        pair.begin()
        pass(.seconds(119), &pair)
        #expect(pair.approverOutcome == nil)
        pass(.seconds(1), &pair)
        #expect(pair.approverOutcome == .timedOut && pair.requesterOutcome == .refused(.timedOut))
    }

    @Test func `for the next part, and for the thanks, ends after 30 seconds`() throws {
        var pair = try LinkPair(isPaired: true)
        pair.begin()
        pair.atApprover { $0.decide(.approve(.bytes([UInt8](repeating: 1, count: 70_000)), pairs: false), at: $1) }
        for message in pair.toRequester { pair.tellRequester(message) }
        pair.toRequester = []
        for _ in 0..<3 {
            pair.tellRequester(.alive)
            pair.tellApprover(.alive)
            pair.pass(.seconds(10))
        }
        #expect(pair.requesterOutcome == .timedOut && pair.approverOutcome == .timedOut)
    }

    @Test func `ends after 30 seconds of silence, and is broken after 10 of one's own`() throws {
        var pair = try LinkPair()
        pair.begin()
        pair.pass(.seconds(10))
        #expect(pair.toApprover == [.alive] && pair.toRequester == [.alive])
        pair.pass(.seconds(20))
        #expect(pair.requesterOutcome == .gone(said: nil) && pair.approverOutcome == .gone(said: nil))
    }

    @Test func `has a deadline until it is over`() throws {
        var pair = try LinkPair()
        #expect(pair.requester.deadline != nil && pair.approver.deadline != nil)
        pair.begin()
        pair.atRequester { $0.leave(.answeredElsewhere, at: $1) }
        pair.deliver()
        #expect(pair.requester.deadline == nil && pair.approver.deadline == nil)
        #expect(pair.approverOutcome == .gone(said: .answeredElsewhere))
    }
}
