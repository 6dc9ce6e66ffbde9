import Countersign
import CountersignSQLite
import CountersignServer
import Foundation
import Testing

/// Two stores on one file, as a server and an admin command have them.
@Suite("A database that is open twice")
struct SharedDatabaseTests {
    private let directory = TemporaryDirectory()

    @Test func `shows each the other's changes at once`() async throws {
        let (one, other) = (try SQLiteStore.open(in: directory.url), try SQLiteStore.open(in: directory.url))
        for number in 0..<20 {
            let (writer, reader) = number % 2 == 0 ? (one, other) : (other, one)
            try await writer.add("\(number)")
            #expect(try await reader.names().contains("\(number)"))
        }
        _ = try await other.change { try $0.clients.remove(ClientID("0")) }
        #expect(try await one.change { try $0.clients.find(ClientID("0")) } == nil)
        try await one.close()
        try await other.close()
    }

    @Test func `tells each that the other changed something, and nothing when neither did`() async throws {
        let (one, other) = (try SQLiteStore.open(in: directory.url), try SQLiteStore.open(in: directory.url))
        let (notifications, observer) = AsyncStream.makeStream(of: [StoreChange].self)
        one.observe { observer.yield($0) }
        var notified = notifications.makeAsyncIterator()
        // The first look of all cannot know what was before it.
        #expect(await notified.next() == [.anything])

        try await other.add("tv")
        #expect(await notified.next() == [.anything])

        // Own changes are told by name, and are no sign of another process.
        _ = try await one.change { try $0.clients.remove(ClientID("tv")) }
        #expect(await notified.next() == [.client(ClientID("tv"))])
        _ = try await one.change { try $0.clients.remove(ClientID("radio")) }
        #expect(await notified.next() == [.client(ClientID("radio"))])
        try await one.close()
        try await other.close()
    }

    @Test func `lets one in while the other writes without a pause`() async throws {
        let (busy, admin) = (try SQLiteStore.open(in: directory.url), try SQLiteStore.open(in: directory.url))
        let load = Task {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        var count = 0
                        while !Task.isCancelled {
                            try await busy.add("busy \(worker) \(count)")
                            count += 1
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        for number in 0..<20 { try await admin.add("admin \(number)") }
        load.cancel()
        let written = try await load.value

        let names = try await admin.names()
        #expect(names.count { $0.hasPrefix("admin") } == 20)
        #expect(names.count { $0.hasPrefix("busy") } == written)
        try await busy.close()
        try await admin.close()
    }

    @Test func `hands out a grant once for both`() async throws {
        let (one, other) = (try SQLiteStore.open(in: directory.url), try SQLiteStore.open(in: directory.url))
        let approver = ApproverIdentity(subject: Subject("anna"), id: ApproverID("browser"))
        let grant = Grant(
            id: Grant.ID("grant"),
            subject: approver.subject,
            client: ClientID("tv"),
            scope: .none,
            evidence: Evidence(),
            approved: noon
        )
        for round in 0..<5 {
            let request = SignInRequest(
                id: SignInRequest.ID("\(round)"),
                client: .asserted(ClientID("tv")),
                scope: .verified(.none),
                asked: .observed(noon),
                deadline: noon + 600
            )
            let code = SecretDigest(of: "device \(round)")
            let exchange = SignInExchangeRecord(
                exchange: SignInExchange(restoring: request, in: .approved(grant, by: approver)),
                requestCode: code,
                method: .deviceCode(UserCodeDigest(restoring: SecretDigest(of: "user \(round)").bytes)),
                interval: 5
            )
            try await one.change { try $0.exchanges.insert(exchange) }
            let outcomes = try await withThrowingTaskGroup(of: Redemption?.self) { group in
                for number in 0..<200 {
                    let store = number % 2 == 0 ? one : other
                    group.addTask {
                        try await store.change { repositories in
                            guard var found = try repositories.exchanges.find(code) else { return nil }
                            let outcome = found.exchange.redeem(at: noon + 30)
                            if case .granted = outcome { try repositories.exchanges.update(found) }
                            return outcome
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count { $0 == .granted(grant) } == 1)
            #expect(outcomes.count { $0 == .alreadySpent } == 199)
        }
        try await one.close()
        try await other.close()
    }
}
