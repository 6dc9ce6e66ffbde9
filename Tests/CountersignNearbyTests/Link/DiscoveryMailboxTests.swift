import Countersign
import CountersignTesting
import MulticastDNS
import Testing

@testable import CountersignNearby

@Suite("The mailbox of what was found", .timeLimit(.minutes(10)))
struct DiscoveryMailboxTests {
    private let mailbox = DiscoveryMailbox()

    private func instance(_ name: String) -> ServiceInstance { ServiceInstance(name: name, type: .countersign) }

    private func service(_ name: String, port: UInt16) throws -> ResolvedService {
        let address = try #require(HostAddress(bytes: [10, 0, 0, 7], interface: nil, index: 0))
        return ResolvedService(
            instance: instance(name), host: "host.local", port: port, addresses: [address], text: .empty)
    }

    @Test func `keeps the latest of each, and wakes once until it is emptied`() throws {
        var wakes = 0
        for port in 1...500 {
            for name in ["One", "Two"] where mailbox.post(.resolved(try service(name, port: UInt16(port)))) {
                wakes += 1
            }
        }
        #expect(wakes == 1)
        let changes = mailbox.take()
        #expect(changes.map(\.id.name) == ["One", "Two"])
        #expect(changes.allSatisfy { $0.service?.port == 500 && !$0.isRemoved })
        #expect(mailbox.take().isEmpty)
        #expect(mailbox.post(.resolved(try service("One", port: 1))))
    }

    @Test func `tells that one has gone, also when it has come back since`() throws {
        #expect(!mailbox.post(.found(instance("Phone"))))
        #expect(mailbox.post(.resolved(try service("Phone", port: 1))))
        #expect(!mailbox.post(.removed(instance("Phone"))))
        #expect(mailbox.take().map { $0.isRemoved && $0.service == nil } == [true])
        #expect(mailbox.post(.removed(instance("Phone"))))
        #expect(!mailbox.post(.found(instance("Phone"))))
        #expect(!mailbox.post(.resolved(try service("Phone", port: 2))))
        #expect(mailbox.take().map { $0.isRemoved && $0.service?.port == 2 } == [true])
    }

    @Test func `has a limit, beyond which it still takes what is new of those that it has`() throws {
        for number in 0..<DiscoveryMailbox.most + 100 {
            _ = mailbox.post(.resolved(try service("Phone \(number)", port: 1)))
        }
        _ = mailbox.post(.resolved(try service("Phone 0", port: 2)))
        let changes = mailbox.take()
        #expect(changes.count == DiscoveryMailbox.most && changes.first?.service?.port == 2)
    }

    @Test func `takes two spellings of one character for two approvers`() throws {
        let names = ["Ren\u{E9}", "Rene\u{301}"]
        #expect(names[0] == names[1])
        for name in names { _ = mailbox.post(.resolved(try service(name, port: 1))) }
        #expect(mailbox.take().count == 2)
        #expect(Set(names.map { NearbyApprover.ID(name: $0) }).count == 2)
    }

    /// Runs an attempt that finds fifty phones; each has changed a hundred times.
    private func attempt(
        _ person: ScriptedPerson,
        _ inputs: (stream: AsyncStream<SignInInput>, continuation: AsyncStream<SignInInput>.Continuation)
    ) async throws -> NearbyResult {
        let settings = NearbySettings(
            app: try Fixture.app(), name: try Fixture.name("Living room"), pairings: MemoryPairingStore(),
            clock: ManualClock(Fixture.noon).source, random: .system)
        return await SignInAttempt(
            NearbySignInOptions(try Fixture.bytesRequest()), at: nil, settings: settings, screen: person,
            inputs: inputs, mailbox: mailbox
        ) { _ in }
        .run()
    }

    private func findFifty(telling input: AsyncStream<SignInInput>.Continuation) throws {
        for port in 1...100 {
            for number in 0..<50 where mailbox.post(.resolved(try service("Phone \(number)", port: UInt16(port)))) {
                input.yield(.discovered)
            }
        }
    }

    @Test func `is emptied by an attempt that shows the list once for all of it`() async throws {
        let (person, inputs) = (ScriptedPerson(), AsyncStream<SignInInput>.makeStream())
        try findFifty(telling: inputs.continuation)
        async let result = attempt(person, inputs)
        await person.when { $0.lists.last?.count == 50 }
        #expect(person.lists.count == 1)
        inputs.continuation.yield(.stop)
        #expect(try await result == .stopped)
    }

    @Test func `lets the person be heard before the list is shown`() async throws {
        let (person, inputs) = (ScriptedPerson(), AsyncStream<SignInInput>.makeStream())
        try findFifty(telling: inputs.continuation)
        inputs.continuation.yield(.stop)
        #expect(try await attempt(person, inputs) == .stopped)
        #expect(person.lists.isEmpty)
    }
}
