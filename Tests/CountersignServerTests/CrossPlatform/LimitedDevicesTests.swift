import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("Devices without end")
struct LimitedDevicesTests {
    private func expectSlowDown(_ answer: TestResponse, retryIn: Int) throws {
        #expect(answer.status == .tooManyRequests)
        #expect(answer.refusal == .slowDown)
        #expect(try answer.json(CrossPlatformErrorResponse.self).retryIn == retryIn)
        #expect(answer.headers[.retryAfter] == "\(retryIn)")
    }

    @Test(arguments: [LimitName.registrationPerAddress, .registrationOverall])
    func `are not registered`(limit: LimitName) async throws {
        try await TestServer.withDomains(configuring: { $0.limits[limit] = Limit(3, in: 3600) }) { server in
            for _ in 0..<3 { _ = try await server.newDevice() }
            let rows = try await server.rows(of: "clients")
            let asked = ["client_name": "Radio", "software_id": "a.b", "software_version": "1"]
            try expectSlowDown(try await server.post("/cpa/register", object: asked), retryIn: 3600)
            #expect(try await server.rows(of: "clients") == rows)
            server.clock.advance(by: .seconds(3600))
            _ = try await server.newDevice()
        }
    }

    @Test(arguments: [LimitName.startPerAddress, .startPerClient, .startOverall])
    func `start no sign-ins`(limit: LimitName) async throws {
        try await TestServer.withDomains(configuring: { $0.limits[limit] = Limit(3, in: 600) }) { server in
            let device = try await server.newDevice()
            for _ in 0..<3 { _ = try await device.associated() }
            try expectSlowDown(try await device.associate(), retryIn: 600)
            #expect(try await server.rows(of: "exchanges") == 3)
        }
    }

    /// Anybody can make one with a token for nobody.
    @Test func `are kept without a person no longer than their token and a week`() async throws {
        try await TestServer.withDomains { server in
            let device = try await server.newDevice()
            let token = try await device.renew().json(CrossPlatformTokenResponse.self)
            let client = try #require(try await server.store.read { try $0.clients.find(device.id) })
            let end = try #require(client.registration.expires)
            let now = server.clock.date
            let lifetime = TimeInterval(try #require(token.expiresIn))
            let expected = now.addingTimeInterval(lifetime + 7 * 86_400)
            #expect(end == expected)
            try await device.signedIn()
            let signedIn = try #require(try await server.store.read { try $0.clients.find(device.id) })
            let later = try #require(signedIn.registration.expires)
            let longest = now.addingTimeInterval(400 * 86_400)
            #expect(later >= longest)
        }
    }

    @Test func `do not fill the page of a person with confirmations`() async throws {
        try await TestServer.withDomains(configuring: { $0.limits[.confirmationPerAccount] = Limit(3, in: 600) }) {
            server in
            let device = try await server.newDevice()
            try await device.signedIn(.bank)
            for _ in 0..<3 { _ = try await device.associated() }
            try expectSlowDown(try await device.associate(), retryIn: 600)
            #expect(try await server.waiting(for: .anna) == 3)
            // A code is still to be had: it fills nobody's page.
            _ = try await device.associated(.bank)
        }
    }

    @Test(arguments: [LimitName.tokenPerAddress, .tokenPerClient])
    func `ask for no tokens`(limit: LimitName) async throws {
        try await TestServer.withDomains(configuring: { $0.limits[limit] = Limit(3, in: 60) }) { server in
            let device = try await server.newDevice()
            for _ in 0..<3 { #expect(try await device.renew().status == .ok) }
            try expectSlowDown(try await device.renew(), retryIn: 60)
        }
    }

    @Test func `guess no secrets, codes and credentials`() async throws {
        try await TestServer.withDomains(configuring: { $0.limits[.clientSecretPerAddress] = Limit(3, in: 60) }) {
            server in
            let device = try await server.newDevice()
            let wrong = TestDevice(server: server, id: device.id, secret: ClientSecret(revealing: "wrong"))
            for _ in 0..<3 { #expect(try await wrong.renew().refusal == .invalidClient) }
            try expectSlowDown(try await wrong.renew(), retryIn: 60)
            // What cannot be guessed is not refused for the wrong ones of others.
            let token = try await device.renew().token
            #expect(try await server.check(token, for: .radio).status == .ok)
        }
        try await TestServer.withDomains(configuring: { $0.limits[.grantPerAddress] = Limit(3, in: 60) }) { server in
            let device = try await server.newDevice()
            let unknown = AssociationResponse(deviceCode: DeviceCode(revealing: "x"), shape: .automatic, expiresIn: 1)
            for _ in 0..<3 { #expect(try await device.poll(unknown).refusal == .invalidRequest) }
            try expectSlowDown(try await device.poll(unknown), retryIn: 60)
            try expectSlowDown(try await device.renew(), retryIn: 60)
        }
    }
}

@Suite("A device's request that is held open", .timeLimit(.minutes(10)))
struct HeldDeviceTests {
    @Test(arguments: ["approve", "deny"])
    func `is answered when somebody decides`(decision: String) async throws {
        try await TestServer.withDomains { server in
            let device = try await server.newDevice()
            let association = try await device.associated()
            async let held = device.poll(association, headers: [.prefer: "wait=30"])
            await server.clock.sleepers(1)
            try await device.decide(decision, association)
            let answer = try await held
            #expect(answer.refusal == (decision == "approve" ? nil : .cancelled))
            if decision == "approve" { #expect(answer.headers[.preferenceApplied] == "wait=30") }
        }
    }

    @Test func `is still pending when the wait is over`() async throws {
        try await TestServer.withDomains { server in
            let device = try await server.newDevice()
            let association = try await device.associated()
            async let held = device.poll(association, headers: [.prefer: "wait=30"])
            await server.clock.sleepers(1)
            server.clock.advance(by: .seconds(30))
            let answer = try await held
            #expect(answer.status == .accepted)
            #expect(answer.headers[.preferenceApplied] == "wait=30")
        }
    }

    @Test func `is answered by an unusable store in its own form`() async throws {
        try await TestServer.withDomains { server in
            let device = try await server.newDevice()
            try await server.store.close()
            let answer = try await device.renew(.sport)
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.refusal == .temporarilyUnavailable)
            #expect(answer.headers[.retryAfter] == "5")
        }
    }
}
