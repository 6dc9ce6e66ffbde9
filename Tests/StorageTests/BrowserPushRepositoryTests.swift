import Countersign
import CountersignServer
import CountersignTesting
import Foundation
import Testing

@Suite("The browsers of a store that are registered for push messages")
struct BrowserPushRepositoryTests {
    private static let receiver = WebPushReceiver(drawingFrom: .system)

    private func push(
        _ session: String, of subject: String = "anna", added: Date = noon, ends: Date = noon + 3600,
        at endpoint: String = "https://push.example.net/a?b=c"
    ) throws -> BrowserPush {
        BrowserPush(
            session: ApproverID(session), subject: Subject(subject),
            subscription: try #require(Self.receiver.subscription(at: endpoint)), language: "de", added: added,
            expires: ends)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are returned as they were stored, the oldest first`(store: StoreUnderTest) async throws {
        let (anna, bert) = (Subject("anna"), Subject("bert"))
        let mine = [try push("first"), try push("again", added: noon + 0.25)]
        let theirs = try push("other", of: "bert")
        try await store.run { store in
            #expect(try await store.read { try $0.browserPushes.all(of: anna) } == [])
            try await store.change { for one in (mine + [theirs]).reversed() { try $0.browserPushes.keep(one) } }
            #expect(try await store.read { try $0.browserPushes.all(of: anna) } == mine)
            #expect(try await store.read { try $0.browserPushes.all(of: bert) } == [theirs])
            #expect(try await store.read { try $0.browserPushes.find(ApproverID("again")) } == mine[1])
            #expect(try await store.read { try $0.browserPushes.find(ApproverID("none")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are one for each session, the last one`(store: StoreUnderTest) async throws {
        let last = try push("one", added: noon + 1, ends: noon + 7200, at: "https://other.example/b")
        let first = try push("one")
        try await store.run { store in
            try await store.change { repositories in
                try repositories.browserPushes.keep(first)
                try repositories.browserPushes.keep(last)
            }
            #expect(try await store.read { try $0.browserPushes.all(of: Subject("anna")) } == [last])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed once, of a person at once, and when they expired`(store: StoreUnderTest) async throws {
        let all = [
            try push("a", ends: noon + 10), try push("b", ends: noon + 20), try push("c", ends: noon + 30),
            try push("d", of: "bert", ends: noon + 40), try push("e", of: "bert", ends: noon + 50),
        ]
        try await store.run { store in
            func sessions(_ subject: String) async throws -> [String] {
                try await store.read { try $0.browserPushes.all(of: Subject(subject)) }.map(\.session.rawValue)
            }
            try await store.change { for one in all { try $0.browserPushes.keep(one) } }
            #expect(try await store.change { try $0.browserPushes.remove(ApproverID("b")) })
            #expect(try await !store.change { try $0.browserPushes.remove(ApproverID("b")) })
            #expect(try await store.change { try $0.browserPushes.sweep(before: noon + 45, limit: 1) } == 1)
            #expect(try await sessions("anna") == ["c"])
            #expect(try await store.change { try $0.browserPushes.sweep(before: noon + 45, limit: 10) } == 2)
            #expect(try await sessions("anna") == [])
            #expect(try await sessions("bert") == ["e"])
            try await store.change { try $0.browserPushes.removeAll(of: Subject("bert")) }
            #expect(try await sessions("bert") == [])
        }
    }
}
