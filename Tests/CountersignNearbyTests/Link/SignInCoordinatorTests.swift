import Countersign
import Testing

@testable import CountersignNearby

@Suite("The codes of one attempt")
struct SignInCoordinatorTests {
    private func coordinator(
        _ person: ScriptedPerson,
        _ count: Int,
        telling attempt: AsyncStream<SignInInput>.Continuation = AsyncStream.makeStream().continuation
    ) async -> SignInCoordinator {
        let coordinator = SignInCoordinator(screen: person, attempt: attempt)
        for number in 1...count {
            let name = "Phone \(number)"
            await coordinator.enter(
                ConnectionID(UInt64(number)),
                NearbyApprover(id: NearbyApprover.ID(name: name), name: name, pairedAs: nil))
        }
        return coordinator
    }

    private func code() throws -> LinkCode { try #require(CodeSpace.standard.code(typed: "123456")) }

    @Test func `are three at most, also of two phones that take turns before a miss is counted`() async throws {
        let person = ScriptedPerson()
        let coordinator = await coordinator(person, 2)
        var shown = 0
        for turn in 0..<8 {
            let id = ConnectionID(UInt64(turn % 2 + 1))
            if await coordinator.show(try code(), of: id) { shown += 1 }
            // The code is taken off the screen; that it was a miss is known later.
            await coordinator.takeCodeAway(of: id)
        }
        #expect(shown == 3 && person.codes.count == 3)
    }

    @Test func `are not used up while the last one is on the screen`() async throws {
        let coordinator = await coordinator(ScriptedPerson(), 2)
        for _ in 0..<2 {
            #expect(await coordinator.show(try code(), of: ConnectionID(1)))
            await coordinator.takeCodeAway(of: ConnectionID(1))
            await coordinator.countMiss()
        }
        #expect(await coordinator.show(try code(), of: ConnectionID(2)))
        #expect(await coordinator.codesLeft == 1)
        #expect(await coordinator.show(try code(), of: ConnectionID(1)) == false)
    }

    @Test func `are given back when they were typed right, and three others may still lead to nothing`() async throws {
        let coordinator = await coordinator(ScriptedPerson(), 2)
        for _ in 0..<5 {
            #expect(await coordinator.show(try code(), of: ConnectionID(1)))
            await coordinator.takeCodeAway(of: ConnectionID(1))
            await coordinator.giveCodeBack()
        }
        var shown = 0
        for turn in 0..<6 {
            let id = ConnectionID(UInt64(turn % 2 + 1))
            if await coordinator.show(try code(), of: id) { shown += 1 }
            await coordinator.takeCodeAway(of: id)
        }
        #expect(shown == 3)
    }

    @Test func `end the attempt when the last one has led to nothing`() async throws {
        let (inputs, attempt) = AsyncStream<SignInInput>.makeStream()
        let coordinator = await coordinator(ScriptedPerson(), 1, telling: attempt)
        for _ in 0..<3 {
            #expect(await coordinator.show(try code(), of: ConnectionID(1)))
            await coordinator.takeCodeAway(of: ConnectionID(1))
            await coordinator.countMiss()
        }
        attempt.finish()
        var ends = 0
        for await case .codesUsedUp in inputs { ends += 1 }
        #expect(ends == 1)
    }

    @Test func `are given back by a link when the approver proves that the digits are right, and not before`() throws {
        var pair = try LinkPair()
        pair.showCode()
        #expect(!pair.requesterDid.contains(.giveCodeBack))
        try pair.typeWhatIsShown()
        #expect(pair.requesterDid.count { $0 == .giveCodeBack } == 1)
        // Later messages of the phone change nothing.
        pair.decide(.refuse(.serverRefused))
        #expect(pair.requesterOutcome == .refused(.serverRefused) && pair.misses.requester == 0)

        var missed = try LinkPair()
        missed.showCode()
        try missed.typeSomethingElse()
        #expect(!missed.requesterDid.contains(.giveCodeBack) && missed.misses.requester == 1)
    }
}
