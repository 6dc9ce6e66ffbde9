import Countersign
import Testing

@testable import CountersignServer

@Suite("A fair queue")
struct FairQueueTests {
    private var queue = FairQueue<String>(serving: 2, holding: 8, reserving: 4)

    /// Enqueues people; the first letter of a name stands for its network.
    private mutating func enter(_ names: String...) -> [FairQueue<String>.EnqueueResult] {
        names.map { queue.enter($0, from: String($0.prefix(1))) }
    }

    @Test mutating func `serves so many at once, and the rest in the order of their networks’ turns`() {
        #expect(
            enter("a1", "a2", "a3", "a4", "a5", "b1", "c1") == [.isServed, .isServed]
                + .init(repeating: .waits, count: 5))
        #expect(queue.count == 7)
        #expect((1...5).map { _ in queue.leave() } == ["a3", "b1", "c1", "a4", "a5"])
        #expect([queue.leave(), queue.leave()] == [nil, nil])
        #expect(queue.count == 0)
        #expect(enter("d1") == [.isServed])
    }

    @Test mutating func `refuses the newest of the largest network when it is full`() {
        _ = enter("a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8")
        #expect(enter("a9") == [.refused])
        #expect(enter("b1", "b2") == [.waitsInsteadOf("a8"), .waitsInsteadOf("a7")])
        #expect(queue.count == 8)
        // By now both would have three.
        #expect(enter("b3") == [.waitsInsteadOf("a6")])
        #expect(enter("b4") == [.refused])
        #expect(enter("c1") == [.waitsInsteadOf("b3")])
        #expect((1...6).compactMap { _ in queue.leave() } == ["a3", "b1", "c1", "a4", "b2", "a5"])
    }

    @Test mutating func `lets nobody in for somebody who has no more`() {
        _ = enter("a1", "a2", "b1", "c1", "d1", "e1", "f1", "g1")
        #expect(enter("h1") == [.refused])
        #expect(enter("b2") == [.refused])
    }

    /// Lets somebody in at a known browser of theirs, in network `n`; the person is the first letter of their name.
    private mutating func enterKnown(_ names: String...) -> [FairQueue<String>.EnqueueResult] {
        names.map { queue.enter($0, from: "n", inKnownBrowserOf: Subject(String($0.prefix(1)))) }
    }

    @Test mutating func `has room for known browsers when it is full of ever other networks`() {
        _ = enter("a1", "a2", "b1", "c1", "d1", "e1", "f1", "g1")
        #expect(enter("h1") == [.refused])
        #expect(enterKnown("x1", "y1", "x2", "x3") == [.waits, .waits, .waits, .waits])
        #expect(queue.count == 12)
        #expect(enter("h1") == [.refused])
        // They take every second turn, so neither kind waits for the whole of the other.
        let order = (1...10).compactMap { _ in queue.leave() }
        #expect(order == ["x1", "b1", "y1", "c1", "x2", "d1", "x3", "e1", "f1", "g1"])
        #expect([queue.leave(), queue.leave()] == [nil, nil])
        #expect(queue.count == 0)
    }

    @Test mutating func `shares the room of known browsers among people, who then wait like their networks`() {
        _ = enter("a1", "a2")
        _ = enterKnown("x1", "x2", "x3", "x4")
        #expect(enterKnown("y1") == [.waitsInsteadOf("x4")])
        // Its own places are full, and the network has room.
        #expect(enterKnown("x5") == [.waits])
        #expect((1...5).compactMap { _ in queue.leave() } == ["x1", "x5", "y1", "x2", "x3"])
    }

    @Test mutating func `leaves others as much room as before while known browsers wait`() {
        _ = enterKnown("x1", "x2", "x3", "y1", "y2", "y3")
        #expect(enter("a1", "b1", "c1", "d1", "e1", "f1") == [.waits, .waits, .waits, .waits, .waits, .waits])
        #expect(queue.count == 12)
    }
}

@Suite("The turns of those who hash passwords", .timeLimit(.minutes(10)))
struct PasswordTurnsTests {
    @Test func `come to all, and a stranger waits for no flood`() async throws {
        let turns = PasswordTurns(serving: 1, holding: 100, reserving: 10)
        try await turns.turn(of: "first")
        let (order, name) = AsyncStream<String>.makeStream()
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...50 {
                group.addTask {
                    try? await turns.turn(of: "flood")
                    name.yield("flood")
                    turns.end()
                }
            }
            while turns.count < 51 { await Task.yield() }
            group.addTask {
                try? await turns.turn(of: "anna")
                name.yield("anna")
                turns.end()
            }
            while turns.count < 52 { await Task.yield() }
            turns.end()
            await group.waitForAll()
        }
        name.finish()
        var names: [String] = []
        for await name in order { names.append(name) }
        #expect(names.count == 51)
        #expect(names.firstIndex(of: "anna").map { $0 <= 1 } == true)
    }

    @Test func `are refused to those of the flood when there is no room`() async throws {
        let turns = PasswordTurns(serving: 1, holding: 10, reserving: 10)
        try await turns.turn(of: "first")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 1...9 {
                group.addTask { await (try? turns.turn(of: "flood")) != nil }
            }
            while turns.count < 10 { await Task.yield() }
            await #expect(throws: RateLimitError(.passwordQueue, retryAfter: 5)) {
                try await turns.turn(of: "flood")
            }
            group.addTask { await (try? turns.turn(of: "anna")) != nil }
            // One of the flood had to go.
            #expect(await group.next() == false)
            for _ in 1...9 {
                turns.end()
                #expect(await group.next() == true)
            }
            turns.end()
        }
        #expect(turns.count == 0)
    }

    @Test func `come to a known browser though every network has a place, and all are taken`() async throws {
        let turns = PasswordTurns(serving: 1, holding: 10, reserving: 10)
        try await turns.turn(of: "first")
        await withTaskGroup(of: Bool.self) { group in
            for number in 1...9 {
                group.addTask { await (try? turns.turn(of: "network \(number)")) != nil }
            }
            while turns.count < 10 { await Task.yield() }
            await #expect(throws: RateLimitError(.passwordQueue, retryAfter: 5)) {
                try await turns.turn(of: "another network")
            }
            group.addTask {
                await (try? turns.turn(of: "another network", inKnownBrowserOf: Subject("anna"))) != nil
            }
            while turns.count < 11 { await Task.yield() }
            for _ in 1...10 {
                turns.end()
                #expect(await group.next() == true)
            }
            turns.end()
        }
        #expect(turns.count == 0)
    }
}
