import Countersign
import Testing

@testable import CountersignNearby

@Suite("The codes of one attempt")
struct SignInCoordinatorTests {
    private func coordinator(_ person: ScriptedPerson, _ count: Int) async -> SignInCoordinator {
        let coordinator = SignInCoordinator(screen: person, attempt: AsyncStream.makeStream().continuation)
        for number in 1...count {
            let name = "Phone \(number)"
            await coordinator.enter(
                ConnectionID(UInt64(number)),
                NearbyApprover(id: NearbyApprover.ID(name: name), name: name, rememberedAs: nil))
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
}
