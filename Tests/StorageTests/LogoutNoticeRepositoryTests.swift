import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The logout notices of a store")
struct LogoutNoticeRepositoryTests {
    private func notice(_ session: String, ended: Date = noon, attempts: Int = 0, due: Date = noon) -> LogoutNotice {
        LogoutNotice(
            session: SessionID(session),
            client: ClientID("shop"),
            subject: Subject("anna"),
            ended: ended,
            attempts: attempts,
            due: due
        )
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back when they are due, the longest due first`(store: StoreUnderTest) async throws {
        let (late, early, later) = (
            notice("a", due: noon - 1), notice("b", due: noon - 2), notice("c", due: noon + 0.1)
        )
        try await store.run { store in
            try await store.change { repositories in
                for notice in [late, early, later] { try repositories.logoutNotices.keep(notice) }
            }
            #expect(try await store.read { try $0.logoutNotices.due(at: noon, limit: 9) } == [early, late])
            #expect(try await store.read { try $0.logoutNotices.due(at: noon, limit: 1) } == [early])
            #expect(try await store.read { try $0.logoutNotices.due(at: noon + 0.1, limit: 9) }.count == 3)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `begin anew when their session ends again, at the time of the next attempt`(
        store: StoreUnderTest
    ) async throws {
        let waiting = notice("a", attempts: 3, due: noon + 60)
        let again = notice("a", ended: noon + 1, due: noon + 1)
        try await store.run { store in
            try await store.change {
                try $0.logoutNotices.keep(waiting)
                try $0.logoutNotices.keep(again)
            }
            let expected = notice("a", ended: noon + 1, due: noon + 60)
            #expect(try await store.read { try $0.logoutNotices.due(at: .distantFuture, limit: 9) } == [expected])
            // What was decided about the earlier end does not count any more.
            try await store.change { try $0.logoutNotices.update(waiting) }
            #expect(try await store.change { try $0.logoutNotices.remove(waiting) } == false)
            #expect(try await store.read { try $0.logoutNotices.due(at: .distantFuture, limit: 9) } == [expected])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are updated, and removed once`(store: StoreUnderTest) async throws {
        let first = notice("a")
        let tried = notice("a", attempts: 1, due: noon + 30)
        try await store.run { store in
            try await store.change {
                try $0.logoutNotices.keep(first)
                try $0.logoutNotices.update(tried)
            }
            #expect(try await store.read { try $0.logoutNotices.due(at: noon + 29, limit: 9) } == [])
            #expect(try await store.read { try $0.logoutNotices.due(at: noon + 30, limit: 9) } == [tried])
            #expect(try await store.change { try $0.logoutNotices.remove(first) })
            #expect(try await store.change { try $0.logoutNotices.remove(first) } == false)
        }
    }
}
