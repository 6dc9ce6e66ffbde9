import Countersign
import CountersignServer
import CountersignWire
import Foundation
import NIOConcurrencyHelpers
import Testing

@Suite("An observer of a store")
struct ChangeNotificationTests {
    private struct Interrupted: Error {}

    /// Keeps the changes that it is notified of.
    private final class Observer: Sendable {
        private let changes = NIOLockedValueBox<[StoreChange]>([])

        func notify(_ more: [StoreChange]) { changes.withLockedValue { $0 += more } }

        /// The changes since the last call; that something may have changed elsewhere is left out.
        func notified() -> [StoreChange] {
            changes.withLockedValue { changes in
                defer { changes = [] }
                return changes.filter { $0 != .anything }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is notified of a change before its caller is answered`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let observer = Observer()
            store.observe(observer.notify)
            let exchange = Fixtures.exchange("one")
            let device = DeviceRegistration.ID("phone")
            let bank = CustomerSiteID("bank")
            try await store.change { repositories in
                try repositories.exchanges.insert(exchange)
                try repositories.clients.insert(Fixtures.client("tv"))
                try repositories.domains.insert(Fixtures.domain("sp"))
                try repositories.people.insert(Fixtures.person("anna"))
                try repositories.signIns.insert(Fixtures.signIn("grant"))
                try repositories.devices.insert(
                    EnrolledDevice(
                        id: device, dialect: .signed, subject: Subject("bert"), signIn: nil, created: noon))
                try repositories.accessTokens.insert(Fixtures.accessToken("one"))
            }
            #expect(observer.notified() == [])

            let changes: [(@Sendable (any Repositories) throws -> Void, StoreChange)] = [
                ({ try $0.exchanges.update(exchange) }, .exchange(exchange.id, requestCode: exchange.requestCode)),
                (
                    { try $0.exchanges.removeAll(of: exchange.exchange.request.client.value) },
                    .exchange(exchange.id, requestCode: exchange.requestCode)
                ),
                ({ try $0.people.update(Fixtures.person("anna")) }, .person(Subject("anna"))),
                ({ try $0.groups.insert(Group(name: GroupName("staff"), created: noon)) }, .groups),
                ({ try $0.groups.update(Group(name: GroupName("staff"), note: "new", created: noon)) }, .groups),
                ({ try $0.groups.add(Subject("anna"), to: GroupName("staff")) }, .person(Subject("anna"))),
                ({ _ = try $0.groups.remove(Subject("anna"), from: GroupName("staff")) }, .person(Subject("anna"))),
                ({ _ = try $0.groups.remove(GroupName("staff")) }, .groups),
                ({ _ = try $0.claimMappings.remove(ClaimName("roles")) }, .claims),
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
                (
                    { try $0.devices.enroll(DeviceCustomerSite(device: device, environment: bank, added: noon)) },
                    .inbox(Subject("bert"))
                ),
                ({ _ = try $0.devices.unenroll(device, from: bank) }, .inbox(Subject("bert"))),
                ({ try $0.serverKeys.insert(Fixtures.serverKey("key")) }, .serverKeys),
                ({ try $0.serverKeys.update(Fixtures.serverKey("key")) }, .serverKeys),
                ({ try $0.serverKeys.remove(Fixtures.serverKey("key").id) }, .serverKeys),
            ]
            for (change, expected) in changes {
                try await store.change(change)
                #expect(observer.notified() == [expected])
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is not notified of one taken out of a group that they were not in`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let observer = Observer()
            store.observe(observer.notify)
            let isChanged = try await store.change {
                try $0.groups.remove(Subject("anna"), from: GroupName("staff"))
            }
            #expect(!isChanged)
            #expect(observer.notified() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is not notified of what was rolled back`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let observer = Observer()
            store.observe(observer.notify)
            await #expect(throws: Interrupted.self) {
                try await store.change { repositories in
                    _ = try repositories.accessTokens.removeAll(of: ClientID("tv"), limit: 9)
                    throw Interrupted()
                }
            }
            #expect(observer.notified() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `is notified in the order of the changes`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let observer = Observer()
            store.observe(observer.notify)
            for number in 0..<20 {
                _ = try await store.change { try $0.accessTokens.removeAll(of: ClientID("\(number)"), limit: 9) }
            }
            #expect(observer.notified() == (0..<20).map { .tokensOfClient(ClientID("\($0)")) })
        }
    }
}
