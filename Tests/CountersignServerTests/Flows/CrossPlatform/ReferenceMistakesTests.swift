import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Mistakes that EBU's reference provider was seen to make, and the right behaviour.
@Suite("Where the reference provider is wrong, this one", .server(withSigningKeys: false, withDomains: true))
struct ReferenceMistakesTests {
    let server = TestServer.current

    @Test func `ties a device to nobody who refuses`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        try await device.decide("deny", association)
        #expect(try await device.poll(association).refusal == .cancelled)
        #expect(try await device.renew().userName == nil)
        #expect(try await device.associate().members.contains("user_code"))
    }

    @Test func `lets nobody approve what was refused`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        try await device.decide("deny", association)
        guard case .code(let code, at: _, interval: _) = association.shape else {
            Issue.record("there is no code")
            return
        }
        for person in TestPerson.allCases {
            let browser = try await server.browser(of: person)
            let taken = try await browser.post("activate", ["user_code": code.rawValue])
            // Who refused it is shown that.
            #expect(taken.status == (person == .anna ? .seeOther : .unprocessableContent))
            _ = try await browser.post(
                "activate/decision",
                ["user_code": code.rawValue, "decision": "approve"]
            )
        }
        #expect(try await device.poll(association).refusal == .cancelled)
    }

    @Test func `shows a service the tokens of its own domain only`() async throws {
        let token = try await server.newDevice().signedIn(.radio)
        let foreign = try await server.check(token, for: .radio, by: .news)
        #expect(foreign.status == .unauthorized)
        #expect(foreign.refusal == .unauthorized)
        #expect(foreign.members == ["error", "error_description"])
        #expect(try await server.check(token, for: .news).status == .notFound)
        #expect(try await server.check(token, for: .radio).status == .ok)
    }

    @Test func `opens no further domain by the identity alone`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.radio)
        for domain in TestDomain.allCases where domain != .radio {
            let answer = try await device.renew(domain)
            #expect(answer.status == .ok)
            #expect(answer.userName == nil)
            #expect(!answer.members.contains("user_name"))
        }
    }

    @Test func `lets a confirmation that nobody answered disappear`() async throws {
        let device = try await server.newDevice()
        try await device.signedIn(.bank)
        _ = try await device.associated(.radio)
        #expect(try await server.waiting(for: .anna) == 1)
        server.clock.advance(by: .seconds(1800))
        #expect(try await server.waiting(for: .anna) == 0)
    }

    @Test func `lets no code live longer because it was approved late`() async throws {
        let device = try await server.newDevice()
        let association = try await device.associated()
        server.clock.advance(by: .seconds(1790))
        try await device.decide("approve", association)
        server.clock.advance(by: .seconds(10))
        #expect(try await device.poll(association).refusal == .expired)
    }

    @Test func `registers a device whatever stands in X-Forwarded-For`() async throws {
        let asked = ["client_name": "Radio", "software_id": "a.b", "software_version": "1"]
        for header in ["10.0.0.1, 10.0.0.2", "unknown", ""] {
            let answer = try await server.post(
                "/cpa/register", object: asked,
                headers: [.xForwardedFor: header]
            )
            #expect(answer.status == .created)
        }
    }
}
