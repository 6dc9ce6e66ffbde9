import Countersign
import CountersignTesting
import Testing

@testable import CountersignHTTP
@testable import CountersignServer

@Suite("A change of the store")
struct ChangeWaitersStoreTests {
    private let clock = ManualClock()
    private let request = SignInRequest.ID("one")
    private let anna = Subject("anna")

    /// The topics whose waits a change ends.
    private func ended(by change: StoreChange) async throws -> Set<AwaitedTopic> {
        let waits = ChangeWaiters(
            in: MemoryShare(room: 9 * MemoryCost.heldAtConnection), mostOfOne: 1, timer: WaitTimer(clock.source))
        let topics: [AwaitedTopic] = [.signIn(request), .signIn(SignInRequest.ID("other")), .inbox(anna)]
        let waiting = try topics.map { ($0, try #require(waits.begin($0, from: nil))) }
        waits.storeChanged([change])
        waits.close()
        var ended: Set<AwaitedTopic> = []
        for (topic, waiter) in waiting where await waiter.end(until: clock.instant) == .changed { ended.insert(topic) }
        return ended
    }

    @Test func `ends the waits for its request or its person`() async throws {
        let code = SecretDigest(of: "code")
        #expect(try await ended(by: .exchange(request, requestCode: code)) == [.signIn(request)])
        #expect(try await ended(by: .inbox(anna)) == [.inbox(anna)])
    }

    @Test(arguments: [StoreChange.anything, .notificationsLost])
    func `ends all waits when it may be any change`(change: StoreChange) async throws {
        #expect(try await ended(by: change).count == 3)
    }
}
