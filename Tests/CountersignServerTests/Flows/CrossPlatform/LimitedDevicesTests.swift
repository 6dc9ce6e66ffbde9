import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Devices without end", .server)
struct LimitedDevicesTests {
    let server = TestServer.current

    private func expectSlowDown(_ answer: TestResponse, retryIn: Int) throws {
        #expect(answer.status == .tooManyRequests)
        #expect(answer.refusal == .slowDown)
        #expect(try answer.json(CrossPlatformErrorResponse.self).retryIn == retryIn)
        #expect(answer.headers[.retryAfter] == "\(retryIn)")
    }

    @Test(
        .server(withSigningKeys: false, withDomains: true) { $0.limits[.registrationPerAddress] = Limit(3, in: 3600) })
    func `are not registered beyond the limit`() async throws {
        for _ in 0..<3 { _ = try await server.newDevice() }
        let rows = try await server.rows(of: "clients")
        let asked = ["client_name": "Radio", "software_id": "a.b", "software_version": "1"]
        try expectSlowDown(try await server.post("/cpa/register", object: asked), retryIn: 3600)
        #expect(try await server.rows(of: "clients") == rows)
        server.clock.advance(by: .seconds(3600))
        _ = try await server.newDevice()
    }

    /// Or whoever registers many would shut out all those who register one.
    @Test(.server(withSigningKeys: false, withDomains: true) { $0.limits[.registrationOverall] = Limit(3, in: 3600) })
    func `raise the alarm when all together are many, and keep no other from being registered`() async throws {
        for _ in 0..<5 { _ = try await server.newDevice() }
        #expect(try await server.audited(.limitReached).map(\.detail) == ["registration-overall 3/3600"])
        #expect(
            server.metrics.text().contains(
                "countersign_limits_flooded_total{limit=\"registration-overall\"} 1"))
    }

    /// Each device is a client of its own, and anybody can make as many as they like.
    @Test(
        .server(withSigningKeys: false, withDomains: true) { settings in
            settings.limits[.startPerAddress] = Limit(3, in: 600)
            settings.limits[.startPerClient] = Limit(1, in: 600)
        })
    func `start no sign-ins, however many of them one network has`() async throws {
        let device = try await server.newDevice()
        for _ in 0..<2 { _ = try await device.associated() }
        let other = try await server.newDevice()
        _ = try await other.associated()
        for device in [device, other] { try expectSlowDown(try await device.associate(), retryIn: 600) }
        #expect(try await server.rows(of: "exchanges") == 3)
        // A client with a secret counts for itself.
        let codes = try await server.ask(as: .console)
        #expect(!codes.deviceCode.revealed.isEmpty)
    }

    /// Anybody can make one with a token for nobody.
    @Test(.server(withSigningKeys: false, withDomains: true))
    func `are kept without a person no longer than their token and a week`() async throws {
        let device = try await server.newDevice()
        let token = try await device.renew().json(CrossPlatformTokenResponse.self)
        let client = try #require(try await server.store.read { try $0.clients.find(device.id) })
        let end = try #require(client.registration.expires)
        let now = server.clock.date
        let lifetime = Double(try #require(token.expiresIn))
        let expected = now.addingTimeInterval(lifetime + 7 * 86_400)
        #expect(end == expected)
        try await device.signedIn()
        let signedIn = try #require(try await server.store.read { try $0.clients.find(device.id) })
        let later = try #require(signedIn.registration.expires)
        let longest = now.addingTimeInterval(400 * 86_400)
        #expect(later >= longest)
    }

    @Test(.server(withSigningKeys: false, withDomains: true))
    func `do not fill the page of a person with confirmations, and hide those of no other device`() async throws {
        let (device, other) = (try await server.newDevice(), try await server.newDevice())
        for device in [device, other] { try await device.signedIn(.bank) }
        _ = try await other.associated()
        for _ in 0..<30 {
            server.clock.advance(by: .seconds(1))
            _ = try await device.associated()
        }
        // The newest twenty of the one, and the one of the other.
        #expect(try await server.waiting(for: .anna) == 21)
        let now = server.clock.date
        let shown = try await server.store.read { repositories in
            try RequestInbox(repositories).answerable(by: TestPerson.anna.subject, at: now)
                .map(\.exchange.request.client.value)
        }
        #expect(shown.prefix(2).contains(other.id) && shown.count == 21)
        // A code is still to be had: it fills nobody's page.
        _ = try await device.associated(.bank)
    }

    @Test(.server(withSigningKeys: false, withDomains: true) { $0.limits[.tokenPerAddress] = Limit(3, in: 60) })
    func `ask for no tokens beyond the limit`() async throws {
        let device = try await server.newDevice()
        for _ in 0..<3 { #expect(try await device.renew().status == .ok) }
        try expectSlowDown(try await device.renew(), retryIn: 60)
    }

    @Test func `guess no secrets, codes and credentials`() async throws {
        try await TestServer.open(
            withSigningKeys: false, withDomains: true,
            configuring: { $0.limits[.wrongProofPerAddress] = Limit(3, in: 60) }
        ) {
            server in
            let device = try await server.newDevice()
            let wrong = TestDevice(server: server, id: device.id, secret: ClientSecret(revealing: "wrong"))
            for _ in 0..<3 { #expect(try await wrong.renew().refusal == .invalidClient) }
            try expectSlowDown(try await wrong.renew(), retryIn: 60)
            // A secret that cannot be guessed is not refused for the wrong ones of others.
            let token = try await device.renew().token
            #expect(try await server.check(token, for: .radio).status == .ok)
        }
        try await TestServer.open(
            withSigningKeys: false, withDomains: true,
            configuring: { $0.limits[.wrongProofPerAddress] = Limit(3, in: 60) }
        ) {
            server in
            let device = try await server.newDevice()
            let unknown = AssociationResponse(deviceCode: DeviceCode(revealing: "x"), shape: .automatic, expiresIn: 1)
            for _ in 0..<3 { #expect(try await device.poll(unknown).refusal == .invalidRequest) }
            try expectSlowDown(try await device.poll(unknown), retryIn: 60)
            #expect(try await device.renew().status == .ok)
        }
    }
}

@Suite(
    "A device's request that is held open", .timeLimit(.minutes(10)), .server(withSigningKeys: false, withDomains: true)
)
struct HeldDeviceTests {
    let server = TestServer.current

    @Test(arguments: ["approve", "deny"])
    func `is answered when somebody decides`(decision: String) async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        async let held = device.poll(association, headers: [.prefer: "wait=30"])
        await server.clock.sleepers(1)
        try await device.decide(decision, association)
        let answer = try await held
        #expect(answer.refusal == (decision == "approve" ? nil : .cancelled))
        if decision == "approve" { #expect(answer.headers[.preferenceApplied] == "wait=30") }
    }

    @Test func `is still pending when the wait is over`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        async let held = device.poll(association, headers: [.prefer: "wait=30"])
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(30))
        let answer = try await held
        #expect(answer.status == .accepted)
        #expect(answer.headers[.preferenceApplied] == "wait=30")
    }

    @Test func `is answered by an unusable store in its own form`() async throws {
        let device = try await server.newDevice()
        try await server.store.close()
        let answer = try await device.renew(.sport)
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.refusal == .temporarilyUnavailable)
        #expect(answer.headers[.retryAfter] == "5")
    }
}
