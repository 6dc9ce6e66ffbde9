import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

@Suite("The open connections")
struct ConnectionRegistryTests {
    /// Who had to go, in their order.
    private let gone = NIOLockedValueBox<[Int]>([])

    private func enter(_ number: Int, _ connections: ConnectionRegistry) -> ConnectionRegistry.Entry? {
        connections.enter { [gone] in gone.withLockedValue { $0.append(number) } }
    }

    @Test func `are never more than allowed, and the oldest goes first`() {
        let connections = ConnectionRegistry(most: 3)
        for number in 0..<10 { #expect(enter(number, connections) != nil) }
        #expect(connections.count == 3)
        #expect(gone.withLockedValue { $0 } == [0, 1, 2, 3, 4, 5, 6])
    }

    @Test func `keep those that are being answered, and turn the newcomer away when all are`() throws {
        let connections = ConnectionRegistry(most: 2)
        let first = try #require(enter(0, connections))
        first.isAnswered(true)
        _ = try #require(enter(1, connections))
        let third = try #require(enter(2, connections))
        #expect(gone.withLockedValue { $0 } == [1])
        third.isAnswered(true)
        #expect(enter(3, connections) == nil)
        #expect(connections.count == 2)
        first.isAnswered(false)
        #expect(enter(4, connections) != nil)
        #expect(gone.withLockedValue { $0 } == [1, 0])
    }

    @Test func `prefer one that was of use lately to one that never said anything`() throws {
        let connections = ConnectionRegistry(most: 3)
        let useful = try #require(enter(0, connections))
        useful.isAnswered(true)
        useful.isAnswered(false)
        for number in 1...4 { _ = enter(number, connections) }
        #expect(gone.withLockedValue { $0 } == [1, 2])
    }

    @Test func `give a place back once`() throws {
        let connections = ConnectionRegistry(most: 2)
        let first = try #require(enter(0, connections))
        _ = enter(1, connections)
        _ = enter(2, connections)
        connections.leave(first)
        #expect(connections.count == 2)
        for number in 3..<1_000 {
            let place = try #require(enter(number, connections))
            connections.leave(place)
            connections.leave(place)
        }
        #expect(connections.count <= 2)
    }
}
