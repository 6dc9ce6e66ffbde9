import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The server keys of a store")
struct ServerKeyRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are listed oldest first, for every purpose`(store: StoreUnderTest) async throws {
        let keys = ServerKey.Purpose.allCases.enumerated().map { index, purpose in
            ServerKey(
                id: JSONWebKey.ID("\(purpose)"),
                purpose: purpose,
                secretBytes: [UInt8(index)],
                created: noon - Double(index),
                activates: noon,
                retired: index == 0 ? noon + 1 : nil
            )
        }
        try await store.run { store in
            #expect(try await store.read { try $0.serverKeys.all() } == [])
            try await store.change { repositories in
                for key in keys { try repositories.serverKeys.insert(key) }
            }
            #expect(try await store.read { try $0.serverKeys.all() } == keys.reversed())
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same identifier`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.serverKeys.insert(Fixtures.serverKey("one")) }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.serverKeys.insert(Fixtures.serverKey("one", created: noon + 1)) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are updated and removed by identifier`(store: StoreUnderTest) async throws {
        var retired = Fixtures.serverKey("one")
        retired.retired = noon + 100
        try await store.run { [retired] store in
            try await store.change {
                try $0.serverKeys.insert(Fixtures.serverKey("one"))
                try $0.serverKeys.insert(Fixtures.serverKey("two", created: noon + 1))
                try $0.serverKeys.update(retired)
                try $0.serverKeys.update(Fixtures.serverKey("unknown"))
            }
            let both = try await store.read { try $0.serverKeys.all() }
            #expect(both == [retired, Fixtures.serverKey("two", created: noon + 1)])

            try await store.change { try $0.serverKeys.remove(JSONWebKey.ID("one")) }
            try await store.change { try $0.serverKeys.remove(JSONWebKey.ID("one")) }
            #expect(try await store.read { try $0.serverKeys.all() }.map(\.id.rawValue) == ["two"])
        }
    }
}
