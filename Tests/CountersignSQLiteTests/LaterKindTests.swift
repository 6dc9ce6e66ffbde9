import Countersign
import CountersignStorage
import Foundation
import GRDB
import Testing

@testable import CountersignSQLite

@Suite("A delivery of a kind that a later version wrote")
struct LaterKindTests {
    private let directory = TemporaryDirectory()

    @Test func `is left to that version, and stops no other one`() async throws {
        let store = try SQLiteStore.open(in: directory.url)
        let noon = Date(timeIntervalSince1970: 1_800_000_000)
        let site = CustomerSiteID(rawValue: "site")
        let deliveries = ["first", "second"].map { name in
            Delivery(
                id: Delivery.ID(name),
                .webhook(site, AuthenticationRequest.ID(rawValue: name)), for: site, made: noon, expires: noon + 60)
        }
        try await store.change { for delivery in deliveries { try $0.deliveries.insert(delivery) } }
        try await store.pool.write {
            try $0.execute(sql: "UPDATE deliveries SET kind = 'novelty' WHERE id = 'first'")
        }
        // It comes first, and takes no place.
        for limit in [1, 9] {
            let due = try await store.read { try $0.deliveries.due(in: .calls, at: noon, limit: limit) }
            #expect(due == [deliveries[1]])
        }
        let page = try await store.read { try $0.deliveries.page(of: site, before: nil, limit: 1) }
        #expect(page == [deliveries[1]])
        try await store.close()
    }
}
