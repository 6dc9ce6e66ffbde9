import NIOConcurrencyHelpers
import Testing

@testable import CountersignHTTP

@Suite("The memory for connections")
struct MemoryShareTests {
    /// Which had to go, in their order.
    private let gone = NIOLockedValueBox<[Int]>([])

    private func enter(
        _ number: Int,
        _ share: MemoryShare,
        of network: String = "203.0.113.1",
        as kind: HoldingKind = .idle
    ) -> MemoryShare.Holding? {
        share.enter(MemoryCost.connection, as: kind, of: network) { [gone] in gone.withLockedValue { $0.append(number) }
        }
    }

    private func room(for connections: Int) -> MemoryShare {
        MemoryShare(room: connections * MemoryCost.connection)
    }

    @Test func `has never more than its room, and the connection goes that has been idle longest`() {
        let share = room(for: 3)
        for number in 0..<10 { #expect(enter(number, share) != nil) }
        #expect(share.count == 3 && share.held == 3 * MemoryCost.connection)
        #expect(gone.withLockedValue { $0 } == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func `keeps connections that are being answered, and turns the newcomer away when all are`() throws {
        let share = room(for: 2)
        let first = try #require(enter(0, share))
        share.note(first, isBusy: true)
        _ = try #require(enter(1, share))
        let third = try #require(enter(2, share))
        #expect(gone.withLockedValue { $0 } == [1])
        share.note(third, isBusy: true)
        #expect(enter(3, share) == nil)
        #expect(share.count == 2)
        share.note(first, isBusy: false)
        #expect(enter(4, share) != nil)
        #expect(gone.withLockedValue { $0 } == [1, 0])
    }

    @Test func `prefers a connection that was of use lately to one that never said anything`() throws {
        let share = room(for: 3)
        let useful = try #require(enter(0, share))
        share.note(useful, isBusy: true)
        share.note(useful, isBusy: false)
        for number in 1...4 { _ = enter(number, share) }
        #expect(gone.withLockedValue { $0 } == [1, 2])
    }

    @Test func `is released once for each connection`() throws {
        let share = room(for: 2)
        let first = try #require(enter(0, share))
        _ = enter(1, share)
        _ = enter(2, share)
        share.leave(first)
        #expect(share.count == 2)
        for number in 3..<1_000 {
            let holding = try #require(enter(number, share))
            share.leave(holding)
            share.leave(holding)
        }
        #expect(share.count <= 2)
    }

    @Test func `is taken from the network that holds most`() throws {
        let share = room(for: 100)
        for number in 0..<90 { _ = enter(number, share) }
        for number in 90..<100 { _ = enter(number, share, of: "198.51.100.\(number)") }
        for number in 100..<140 { #expect(enter(number, share, of: "192.0.2.\(number)") != nil) }
        #expect(gone.withLockedValue { $0 } == Array(0..<40))
    }

    @Test func `is taken from one of very many networks that say nothing, but not from the newest`() throws {
        let share = room(for: 100)
        for number in 0..<150 { #expect(enter(number, share, of: "network \(number)") != nil) }
        #expect(gone.withLockedValue { $0 } == Array(0..<50))
    }

    @Test func `is never taken from the connection of a proxy`() throws {
        let share = room(for: 2)
        let proxy = try #require(share.enter(MemoryCost.connection, as: .idle, of: nil, givingWay: nil))
        for number in 0..<3 { #expect(enter(number, share) != nil) }
        #expect(gone.withLockedValue { $0 } == [0, 1])
        share.leave(proxy)
        #expect(share.count == 1)
    }

    @Test func `is refused to a connection that grows when nobody holds more`() throws {
        let share = room(for: 10)
        let slow = try #require(enter(0, share))
        _ = try #require(enter(1, share, of: "198.51.100.1"))
        #expect(share.resize(slow, to: 9 * MemoryCost.connection, as: .unfinished))
        #expect(!share.resize(slow, to: 10 * MemoryCost.connection, as: .unfinished))
        #expect(gone.withLockedValue { $0 }.isEmpty)
        // It then gives way to the next.
        #expect(enter(2, share, of: "192.0.2.1") != nil)
        #expect(gone.withLockedValue { $0 } == [0])
        #expect(!share.resize(slow, to: MemoryCost.connection, as: .idle))
    }
}
