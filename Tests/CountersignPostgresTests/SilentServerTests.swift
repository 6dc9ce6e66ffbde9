#if PostgreSQL
import CountersignServer
import PostgresUnderTest
import Testing

@testable import CountersignPostgres

@Suite("A server that stands still", .enabled(if: PostgresCases.areRun, Comment(rawValue: PostgresCases.need)))
struct SilentServerTests {
    /// Its system answers for it, so that the connections last.
    @Test func `refuses look-ups instead of keeping them, and answers again when it goes on`() async throws {
        let timeouts = Timeouts(caller: .milliseconds(300), answer: .milliseconds(300))
        try await CuttingProxy.withStore(timeouts: timeouts) { store, proxy in
            func answers() async -> Bool {
                var looks = 0
                while (try? await store.has("nothing")) == nil, looks < 200 { looks += 1 }
                return looks < 200
            }
            #expect(await answers())
            for mode in [CuttingProxy.Mode.silent, .silentInSession] {
                proxy.become(mode)
                for _ in 0..<3 {
                    await #expect(throws: StoreUnavailableError(.notDone, reason: "")) {
                        try await store.has("nothing")
                    }
                }
            }
            proxy.become(.open)
            #expect(await answers())
        }
    }
}
#endif
