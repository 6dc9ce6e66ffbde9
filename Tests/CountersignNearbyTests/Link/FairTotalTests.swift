import CountersignTesting
import Testing

@testable import CountersignNearby

@Suite("A fair share")
struct FairShareTests {
    private let now = Fixture.instant

    private func share(of total: Int) -> FairTotal<String, Int> {
        FairTotal(of: total, countingWithin: .seconds(100))
    }

    @Test func `gives one key all that no other wants, and others their part of it`() {
        var share = share(of: 8)
        for id in 1...8 { #expect(share.admit(id, of: "greedy", at: now) == .admitted(evicting: [])) }
        for id in 9...11 { #expect(share.admit(id, of: "a", at: now) == .admitted(evicting: [id - 8])) }
        for id in 12...14 { #expect(share.admit(id, of: "b", at: now) == .admitted(evicting: [id - 8])) }
        #expect(share.count == 8)
        // The greedy one gets back its own places only.
        let evicted = (15...20).map { share.admit($0, of: "greedy", at: now) }
        #expect(evicted == [7, 8, 15, 16, 17, 18].map { .admitted(evicting: [$0]) })
        #expect((9...14).allSatisfy { share.holds($0) })
    }

    @Test func `takes the oldest part of the key with the largest load`() {
        var share = share(of: 4)
        for (id, key) in [(1, "a"), (2, "b"), (3, "b"), (4, "c")] { _ = share.admit(id, of: key, at: now) }
        #expect(share.admit(5, of: "d", at: now) == .admitted(evicting: [2]))
        #expect(!share.holds(2) && share.holds(5))
    }

    @Test func `gives the oldest part of all to a newcomer where each key has one`() {
        var share = share(of: 3)
        for id in 1...3 { _ = share.admit(id, of: "key \(id)", at: now) }
        #expect(share.admit(4, of: "key 4", at: now) == .admitted(evicting: [1]))
    }

    @Test func `counts what a key tried before, so that one that reconnects is no newcomer`() {
        var share = share(of: 2)
        for id in 1...50 {
            _ = share.admit(id, of: "flood", at: now)
            share.release(id)
        }
        #expect(share.load(of: "flood", at: now) == 50)
        _ = share.admit(51, of: "a", at: now)
        _ = share.admit(52, of: "b", at: now)
        #expect(share.admit(53, of: "flood", at: now) == .refused)
        #expect(share.admit(54, of: "c", at: now) == .admitted(evicting: [51]))
    }

    @Test func `forgets visits after two windows at most`() {
        var share = share(of: 2)
        for id in 1...5 {
            _ = share.admit(id, of: "a", at: now)
            share.release(id)
        }
        #expect(share.load(of: "a", at: now + .seconds(199)) == 5)
        #expect(share.load(of: "a", at: now + .seconds(200)) == 0)
        _ = share.admit(6, of: "a", at: now + .seconds(150))
        share.release(6)
        #expect(share.load(of: "a", at: now + .seconds(150)) == 6)
        #expect(share.load(of: "a", at: now + .seconds(250)) == 1)
    }

    @Test func `leaves alone what has settled, and refuses where nothing gives way`() {
        var share = share(of: 2)
        _ = share.admit(1, of: "a", at: now)
        _ = share.admit(2, of: "a", at: now)
        share.settle(1)
        #expect(share.admit(3, of: "b", at: now) == .admitted(evicting: [2]))
        share.settle(3)
        #expect(share.admit(4, of: "c", at: now) == .refused)
        share.release(1)
        #expect(share.admit(5, of: "c", at: now) == .admitted(evicting: []))
    }

    @Test func `of nothing admits nothing`() {
        var none = share(of: 0)
        #expect(none.admit(1, of: "a", at: now) == .refused)
        var negative = share(of: -1)
        #expect(negative.admit(1, of: "a", at: now) == .refused)
    }

    @Test func `does not grow with the number of keys`() {
        var share = share(of: 8)
        for id in 1...5_000 { _ = share.admit(id, of: "key \(id)", at: now) }
        #expect(share.count == 8)
        // Those that came once are forgotten; one that comes again and again is not.
        var known = self.share(of: 8)
        for id in 1...5_000 { _ = known.admit(id, of: id.isMultiple(of: 2) ? "again" : "key \(id)", at: now) }
        #expect((1...5_000).count { share.load(of: "key \($0)", at: now) > 0 } <= 1_024 + 8)
        #expect(known.load(of: "again", at: now) >= 2_500)
    }
}
