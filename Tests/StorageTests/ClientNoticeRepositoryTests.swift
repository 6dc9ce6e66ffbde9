import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The notices to clients of a store")
struct ClientNoticeRepositoryTests {
    private func notice(_ session: String, ended: Date = noon, attempts: Int = 0, due: Date = noon) -> ClientNotice {
        ClientNotice(
            .sessionEnded(SessionID(session)),
            client: ClientID("shop"),
            subject: Subject("anna"),
            occurred: ended,
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
                for notice in [late, early, later] { try repositories.clientNotices.keep(notice) }
            }
            #expect(try await store.read { try $0.clientNotices.due(at: noon, limit: 9) } == [early, late])
            #expect(try await store.read { try $0.clientNotices.due(at: noon, limit: 1) } == [early])
            #expect(try await store.read { try $0.clientNotices.due(at: noon + 0.1, limit: 9) }.count == 3)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back without those for clients that are full`(store: StoreUnderTest) async throws {
        let notices = ["a", "b", "c"].map { client in
            ClientNotice(
                .sessionEnded(SessionID(client)), client: ClientID(client), subject: Subject("anna"), occurred: noon,
                due: noon)
        }
        try await store.run { store in
            try await store.change { repositories in
                for notice in notices { try repositories.clientNotices.keep(notice) }
            }
            func due(exceptTo full: Set<ClientID>) async throws -> [ClientNotice] {
                try await store.read { try $0.clientNotices.due(at: noon, exceptTo: full, limit: 2) }
            }
            #expect(try await due(exceptTo: []) == [notices[0], notices[1]])
            #expect(try await due(exceptTo: [ClientID("a")]) == [notices[1], notices[2]])
            #expect(try await due(exceptTo: [ClientID("a"), ClientID("c"), ClientID("d")]) == [notices[1]])
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
                try $0.clientNotices.keep(waiting)
                try $0.clientNotices.keep(again)
            }
            let expected = notice("a", ended: noon + 1, due: noon + 60)
            #expect(try await store.read { try $0.clientNotices.due(at: .distantFuture, limit: 9) } == [expected])
            // Changes to the notice of the earlier end do not count any more.
            try await store.change { try $0.clientNotices.update(waiting) }
            #expect(try await store.change { try $0.clientNotices.remove(waiting) } == false)
            #expect(try await store.read { try $0.clientNotices.due(at: .distantFuture, limit: 9) } == [expected])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are updated, and removed once`(store: StoreUnderTest) async throws {
        let first = notice("a")
        let tried = notice("a", attempts: 1, due: noon + 30)
        try await store.run { store in
            try await store.change {
                try $0.clientNotices.keep(first)
                try $0.clientNotices.update(tried)
            }
            #expect(try await store.read { try $0.clientNotices.due(at: noon + 29, limit: 9) } == [])
            #expect(try await store.read { try $0.clientNotices.due(at: noon + 30, limit: 9) } == [tried])
            #expect(try await store.change { try $0.clientNotices.remove(first) })
            #expect(try await store.change { try $0.clientNotices.remove(first) } == false)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep what is sealed in them, and become due before their time while nobody was called`(
        store: StoreUnderTest
    ) async throws {
        let matter = ClientNotice.Matter.requestEnded(SignInRequest.ID("a"))
        func notice(
            occurred: Date,
            attempts: Int = 0,
            due: Date,
            sealed: [UInt8],
            grant: Grant.ID? = nil
        ) -> ClientNotice {
            ClientNotice(
                matter,
                client: ClientID("desk"),
                subject: Subject("anna"),
                occurred: occurred,
                attempts: attempts,
                due: due,
                sealed: SealedAnswer(restoring: sealed),
                grant: grant
            )
        }
        let waiting = notice(occurred: noon, due: noon + 300, sealed: [1, 2, 3])
        let hastened = notice(occurred: noon + 10, due: noon + 10, sealed: [1, 2, 3])
        let called = notice(occurred: noon + 10, attempts: 1, due: noon + 40, sealed: [4], grant: Grant.ID("g"))
        // A session of the same name is another matter.
        let session = self.notice("a", due: noon + 600)
        try await store.run { store in
            try await store.change {
                try $0.clientNotices.keep(waiting)
                try $0.clientNotices.keep(session)
                try $0.clientNotices.hasten(matter, at: noon + 10)
            }
            #expect(
                try await store.read { try $0.clientNotices.due(at: .distantFuture, limit: 9) } == [hastened, session])
            try await store.change {
                try $0.clientNotices.update(called)
                try $0.clientNotices.hasten(matter, at: noon + 20)
            }
            #expect(
                try await store.read { try $0.clientNotices.due(at: .distantFuture, limit: 9) } == [called, session])
        }
    }
}
