import Countersign
import CountersignServer
import Foundation
import NIOConcurrencyHelpers
import Testing

@Suite("Whoever follows a store")
struct StoreNewsTests {
    private struct Interrupted: Error {}

    /// Keeps what it hears.
    private final class Listener: Sendable {
        private let news = NIOLockedValueBox<[StoreNews]>([])

        func hear(_ more: [StoreNews]) { news.withLockedValue { $0 += more } }

        /// What was heard since the last call; that something may have changed elsewhere is left out.
        func heard() -> [StoreNews] {
            news.withLockedValue { news in
                defer { news = [] }
                return news.filter { $0 != .anything }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `has heard of a change when whoever made it is answered`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let listener = Listener()
            store.follow(listener.hear)
            let exchange = Fixtures.exchange("one")
            try await store.change { repositories in
                try repositories.exchanges.insert(exchange)
                try repositories.clients.insert(Fixtures.client("tv"))
                try repositories.domains.insert(Fixtures.domain("sp"))
                try repositories.people.insert(Fixtures.person("anna"))
                try repositories.signIns.insert(Fixtures.signIn("grant"))
                try repositories.accessTokens.insert(Fixtures.accessToken("one"))
            }
            #expect(listener.heard() == [])

            let changes: [(@Sendable (any Repositories) throws -> Void, StoreNews)] = [
                ({ try $0.exchanges.update(exchange) }, .exchange(exchange.id, deviceCode: exchange.deviceCode)),
                (
                    { try $0.exchanges.removeAll(of: exchange.exchange.request.client.value) },
                    .exchange(exchange.id, deviceCode: exchange.deviceCode)
                ),
                ({ try $0.people.update(Fixtures.person("anna")) }, .person(Subject("anna"))),
                ({ _ = try $0.people.remove(Subject("anna")) }, .person(Subject("anna"))),
                ({ try $0.clients.update(Fixtures.client("tv")) }, .client(ClientID("tv"))),
                ({ _ = try $0.clients.remove(ClientID("tv")) }, .client(ClientID("tv"))),
                ({ try $0.domains.update(Fixtures.domain("sp")) }, .domain(Domain("sp"))),
                ({ _ = try $0.domains.remove(Domain("sp")) }, .domain(Domain("sp"))),
                (
                    { try $0.accessTokens.remove(Fixtures.accessToken("one").token) },
                    .accessToken(Fixtures.accessToken("one").token)
                ),
                ({ try $0.accessTokens.removeAll(of: Grant.ID("grant")) }, .tokensOfGrant(Grant.ID("grant"))),
                ({ _ = try $0.accessTokens.removeAll(of: ClientID("tv"), limit: 9) }, .tokensOfClient(ClientID("tv"))),
                ({ try $0.accessTokens.removeAll(of: ClientID("tv"), for: "a") }, .tokensOfClient(ClientID("tv"))),
                ({ try $0.serverKeys.insert(Fixtures.serverKey("key")) }, .serverKeys),
                ({ try $0.serverKeys.update(Fixtures.serverKey("key")) }, .serverKeys),
                ({ try $0.serverKeys.remove(Fixtures.serverKey("key").id) }, .serverKeys),
            ]
            for (change, news) in changes {
                try await store.change(change)
                #expect(listener.heard() == [news])
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `hears nothing of what was rolled back`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let listener = Listener()
            store.follow(listener.hear)
            await #expect(throws: Interrupted.self) {
                try await store.change { repositories in
                    _ = try repositories.accessTokens.removeAll(of: ClientID("tv"), limit: 9)
                    throw Interrupted()
                }
            }
            #expect(listener.heard() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `hears in the order of the changes`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let listener = Listener()
            store.follow(listener.hear)
            for number in 0..<20 {
                _ = try await store.change { try $0.accessTokens.removeAll(of: ClientID("\(number)"), limit: 9) }
            }
            #expect(listener.heard() == (0..<20).map { .tokensOfClient(ClientID("\($0)")) })
        }
    }
}
