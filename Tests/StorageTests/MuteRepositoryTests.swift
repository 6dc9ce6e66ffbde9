import Countersign
import CountersignServer
import Foundation
import Testing

@Suite("The clients of a store that people muted")
struct MuteRepositoryTests {
    private func mute(
        _ client: String,
        by subject: String = "anna",
        _ cause: Mute.Cause = .muted,
        since: Date = noon
    ) -> Mute {
        Mute(subject: Subject(subject), client: ClientID(client), cause: cause, since: since)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are returned as they were stored, the latest first`(store: StoreUnderTest) async throws {
        let (anna, bert) = (Subject("anna"), Subject("bert"))
        let mine = [
            mute("tv", .reported, since: noon + 2), mute("radio „Küche“", since: noon + 1), mute("a"),
        ]
        let theirs = mute("tv", by: "bert", since: noon + 3)
        try await store.run { store in
            #expect(try await store.read { try $0.mutes.all(of: anna) } == [])
            try await store.change { for one in (mine + [theirs]).reversed() { try $0.mutes.keep(one) } }
            #expect(try await store.read { try $0.mutes.all(of: anna) } == mine)
            #expect(try await store.read { try $0.mutes.all(of: bert) } == [theirs])
            #expect(try await store.read { try $0.mutes.all() } == [theirs] + mine)
            #expect(try await store.read { try $0.mutes.find(anna, ClientID("tv")) } == mine[0])
            #expect(try await store.read { try $0.mutes.find(anna, ClientID("b")) } == nil)
            #expect(try await store.read { try $0.mutes.find(bert, ClientID("a")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are one for each person and client, the last one`(store: StoreUnderTest) async throws {
        let (first, last) = (mute("tv"), mute("tv", .reported, since: noon + 1))
        try await store.run { store in
            try await store.change { repositories in
                try repositories.mutes.keep(first)
                try repositories.mutes.keep(last)
            }
            #expect(try await store.read { try $0.mutes.all(of: Subject("anna")) } == [last])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed once, and all of a person at once`(store: StoreUnderTest) async throws {
        let (anna, tv) = (Subject("anna"), ClientID("tv"))
        let theirs = mute("tv", by: "bert")
        try await store.run { store in
            try await store.change { for one in [mute("tv"), mute("a"), mute("b"), theirs] { try $0.mutes.keep(one) } }
            #expect(try await store.change { try $0.mutes.remove(anna, tv) })
            #expect(try await !store.change { try $0.mutes.remove(anna, tv) })
            #expect(try await store.read { try $0.mutes.all(of: anna).map(\.client.rawValue) } == ["b", "a"])
            try await store.change { try $0.mutes.removeAll(of: anna) }
            #expect(try await store.read { try $0.mutes.all(of: anna) } == [])
            #expect(try await store.read { try $0.mutes.all(of: theirs.subject) } == [theirs])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `go with their client, removed or expired`(store: StoreUnderTest) async throws {
        let anna = Subject("anna")
        try await store.run { store in
            try await store.change { repositories in
                try repositories.clients.insert(Fixtures.client("tv"))
                for (name, expires) in [("1", noon), ("2", noon + 1), ("3", noon + 60)] {
                    try repositories.clients.insert(Fixtures.device(name, expires: expires))
                }
                for name in ["tv", "1", "2", "3"] { try repositories.mutes.keep(mute(name)) }
                try repositories.mutes.keep(mute("tv", by: "bert"))
            }
            #expect(try await store.change { try $0.clients.remove(ClientID("tv")) })
            #expect(try await store.read { try $0.mutes.all(of: anna).map(\.client.rawValue) } == ["3", "2", "1"])
            #expect(try await store.read { try $0.mutes.all(of: Subject("bert")) } == [])
            #expect(try await store.change { try $0.clients.sweep(before: noon + 2, limit: 10) } == 2)
            #expect(try await store.read { try $0.mutes.all(of: anna).map(\.client.rawValue) } == ["3"])
        }
    }
}
