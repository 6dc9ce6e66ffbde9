import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A sign-in of a device that its person took back", .server(withSigningKeys: false, withDomains: true))
struct UndoneSignOnTests {
    let server = TestServer.current
    private let confirmation: Set = ["device_code", "verification_uri", "interval", "expires_in"]

    @Test(arguments: [true, false])
    func `is not granted to that device again without asking`(isRedeemed: Bool) async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        server.clock.advance(by: .seconds(10))
        let automatic = try await device.associated(.news)
        #expect(automatic.shape == .automatic)
        if isRedeemed { _ = try await device.poll(automatic, .news).token }
        try await undo(automatic, as: .anna, at: server)
        #expect(try await device.poll(automatic, .news).refusal != nil)

        #expect(try await device.associate(.news).members == confirmation)
        #expect(try await device.associate(.sport).members == confirmation)
        // Nor when all that is left of the sign-in was removed.
        server.clock.advance(by: .seconds(2 * 86_400))
        try await server.maintenance().sweep()
        let asked = try await device.associate(.news)
        #expect(asked.members == confirmation)

        // Once the person has confirmed, what they approved counts again.
        try await server.confirm("approve", as: .anna)
        _ = try await device.poll(asked.json(AssociationResponse.self), .news).token
        #expect(try await device.associated(.sport).shape == .automatic)
    }

    @Test func `is not granted by another code that was approved automatically`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        let first = try await device.associated(.news)
        let second = try await device.associated(.news)
        let other = try await device.associated(.sport)
        _ = try await device.poll(first, .news).token
        try await undo(first, as: .anna, at: server)
        #expect(try await device.poll(second, .news).refusal == .cancelled)
        #expect(try await server.store.read { try $0.signIns.find(device.id, TestDomain.news.name) } == nil)
        // The other service was not undone.
        #expect(try await device.poll(other, .sport).status == .ok)
    }

    @Test func `ends with everything that automatic sign-on gave because of it`() async throws {
        let device = try await server.newDevice()
        let source = try await device.signedIn(.radio)
        server.clock.advance(by: .seconds(1))
        let derived = try await device.associated(.news)
        #expect(derived.shape == .automatic)
        let token = try await device.poll(derived, .news).token
        let waiting = try await device.associated(.sport)
        #expect(waiting.shape == .automatic)
        // The device stays known, since another person is signed in on it.
        try await device.signedIn(.bank, as: .bert)

        let radio = try await server.store.read { try $0.signIns.find(device.id, TestDomain.radio.name) }
        let grant = try #require(radio).grant.id
        let answer = try await server.browser(of: .anna).post("account/undo", ["grant": grant.rawValue])
        #expect(answer.location == "/account?done=undone")
        #expect(try await server.check(source, for: .radio).status == .notFound)
        #expect(try await server.check(token, for: .news).status == .notFound)
        #expect(try await device.poll(waiting, .sport).refusal == .cancelled)
        // A sign-in that another person approved stays.
        #expect(try await server.store.read { try $0.signIns.find(device.id, TestDomain.bank.name) } != nil)
    }

    @Test func `by signing the device out is not granted by a code that was approved before`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        let automatic = try await device.associated(.news)
        // The device stays known, since another person is signed in on it.
        try await device.signedIn(.bank, as: .bert)
        let radio = try await server.store.read { try $0.signIns.find(device.id, TestDomain.radio.name) }
        let grant = try #require(radio).grant.id
        server.clock.advance(by: .seconds(120))
        let anna = try await server.browser(of: .anna)
        let answer = try await anna.post("account/sign-out", ["grant": grant.rawValue])
        #expect(answer.location == "/account?done=signed-out")
        #expect(try await device.poll(automatic, .news).refusal == .cancelled)
        #expect(try await server.audited(.withdrawn).count == 1)
        #expect(try await device.associate(.news).members == confirmation)
    }

    @Test func `says nothing about another device`() async throws {
        let (one, other) = (try await server.newDevice(), try await server.newDevice())
        for device in [one, other] { try await device.signedIn(.radio) }
        let automatic = try await one.associated(.news)
        try await undo(automatic, as: .anna, at: server)
        #expect(try await one.associate(.news).members == confirmation)
        #expect(try await other.associated(.news).shape == .automatic)
    }

    /// Takes back what let a device in, on the account page.
    private func undo(
        _ association: AssociationResponse,
        as person: TestPerson,
        at server: TestServer
    ) async throws {
        let found = try await server.store.read { try $0.exchanges.find(association.deviceCode.digest)?.exchange.grant }
        let grant = try #require(found)
        let answer = try await server.browser(of: person).post("account/undo", ["grant": grant.id.rawValue])
        #expect(answer.location == "/account?done=undone")
    }
}
