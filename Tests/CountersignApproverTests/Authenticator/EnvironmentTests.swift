import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import CountersignApprover

/// Features 129, 131 to 134.
@Suite("The environments of a device")
struct DeviceEnvironmentTests {
    private static let environment = EnvironmentID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
    private let fixture = AuthenticatorFixture()

    @Test func `are none, one or many, with or without an icon`() async throws {
        let bank = ListedEnvironment(id: Self.environment, name: "Bank", iconURL: "https://bank.example/icon.png")
        let shop = ListedEnvironment(id: EnvironmentID("00000000-0000-0000-0000-000000000001"), name: "Shop")
        for list in [[], [bank], [bank, shop]] {
            fixture.transport.reply(at: "/authenticator/environments", with: .json(list))
            #expect(try await fixture.authenticator.environments() == list)
        }
    }

    @Test func `are joined by the ticket of a scanned code, and left`() async throws {
        let path = "/authenticator/environments/\(Self.environment)"
        fixture.transport.reply(at: path, with: .status(.noContent), .status(.noContent), .error(.invalidGrant))
        let scanned = "https://id.example.com/authenticator/enroll#fQ3Zr8m1cX0b7Lw2Yk5T9A\n"
        guard case .ticket(issuer: let issuer, let ticket)? = EnvironmentInvitation(scanned) else {
            Issue.record("the text is an invitation")
            return
        }
        #expect(issuer == fixture.authenticator.issuer.text)
        try await fixture.authenticator.register(in: Self.environment, by: ticket)
        try await fixture.authenticator.unregister(from: Self.environment)
        let sent = fixture.transport.sent(to: path)
        #expect(sent.map(\.request.method) == [.put, .delete])
        #expect(sent.first?.form["ticket"] == "fQ3Zr8m1cX0b7Lw2Yk5T9A")
        let authenticator = fixture.authenticator
        let environment = Self.environment
        #expect(
            await code { () async throws(ApprovalError) in
                try await authenticator.register(in: environment, by: ticket)
            } == .wrongCode)
    }
}

/// Features 115, 131 to 136, 138, 140 and 141, in the older dialect.
@Suite("A device of the older dialect")
struct LegacyAuthenticatorClientTests {
    private static let base = "https://api.example.com/authenticator/v1.0"
    private static let environment = EnvironmentID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
    private static let secret = EnvironmentSecret(revealing: "device-secret")

    private let clock = ManualClock()
    private let transport = ScriptedTransport()
    private let items = AuthenticatorFixture.Items()

    private func client() throws -> LegacyAuthenticatorClient {
        var details = DeviceDetails()
        details.appKey = "app-key"
        return try LegacyAuthenticatorClient(
            at: Self.base, describing: details, keepingStateIn: items, over: transport, clock: clock.skipping)
    }

    private func reply(_ path: String, _ replies: ScriptedTransport.Reply...) {
        transport.reply(at: "/authenticator/v1.0/\(path)", with: replies)
    }

    private func registered() async throws -> LegacyAuthenticatorClient {
        let client = try client()
        let registration = DeviceRegistration(
            id: DeviceRegistration.ID("d1"), status: .verified, isPushEnabled: false, isDevelopment: false)
        reply("device", .json(registration))
        reply("device/d1", .json(registration))
        reply("device/d1/environment/\(Self.environment)", .status(.noContent))
        try await client.register()
        return client
    }

    private func request(status: String = "", kind: String = "instant", expiry: Int = 60) -> String {
        let created = Date.ISO8601FormatStyle().format(clock.date)
        return
            #"{"id":"a1","auth_type":"\#(kind)",\#(status)"expiry":\#(expiry),"ip":"192.0.2.7","created_at":"\#(created)"}"#
    }

    private func token(_ sent: ScriptedTransport.Sent) throws -> EnvironmentToken {
        let header = try #require(sent.request.headerFields[.authorization])
        return try EnvironmentToken(String(header.dropFirst("Bearer ".count)))
    }

    @Test func `is made once, also by calls at the same time, and after a restart it is the same one`() async throws {
        let client = try client()
        let registration = DeviceRegistration(
            id: DeviceRegistration.ID("d1"), status: .unverified, isPushEnabled: false, isDevelopment: false)
        reply("device", .json(registration))
        reply("device/d1", .json(registration))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try await client.register() } }
            try await group.waitForAll()
        }
        #expect(transport.sent(to: "/authenticator/v1.0/device").map(\.request.method) == [.post])
        #expect(transport.sent(to: "/authenticator/v1.0/device/d1").map(\.request.method).allSatisfy { $0 == .put })
        let body = try #require(transport.sent().first?.body)
        #expect(String(decoding: body, as: UTF8.self) == #"{"app_key":"app-key"}"#)
        try await self.client().register()
        #expect(transport.sent(to: "/authenticator/v1.0/device").count == 1)
        #expect(transport.sent().allSatisfy { $0.request.headerFields[.authorization] == nil })
    }

    @Test func `shares a secret with an environment, and keeps it in its store once it was taken`() async throws {
        let client = try await registered()
        let path = "device/d1/environment/\(Self.environment)"
        reply(path, .json(AuthenticatorError(status: 401, message: "no"), status: .unauthorized), .status(.noContent))
        #expect(
            await code { () async throws(ApprovalError) in
                try await client.register(in: Self.environment, secret: Self.secret)
            } == .wrongSecret)
        #expect(items.all.values.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("device-secret") })
        try await client.register(in: Self.environment, secret: Self.secret)
        #expect(items.all.values.contains { String(decoding: $0, as: UTF8.self).contains("device-secret") })
        #expect(items.all.keys.allSatisfy { !$0.rawValue.contains("device-secret") })
        let sent = try #require(transport.sent(to: "/authenticator/v1.0/\(path)").last)
        try token(sent).verify(by: Self.secret, meeting: .init(), at: clock.date)
        try await client.unregister(from: Self.environment)
        #expect(items.all.values.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("device-secret") })
        #expect(
            await code { () async throws(ApprovalError) in _ = try await client.openRequest(in: Self.environment) }
                == .notRegistered)
    }

    @Test func `signs its answer over body and request, as the vector says`() async throws {
        let client = try await registered()
        try await client.register(in: Self.environment, secret: Self.secret)
        reply("device/d1/environment/\(Self.environment)/auth", .text("[\(request())]", type: "application/json"))
        reply("device/d1/instant/a1", .text(request(status: #""auth_status":"approved","#), type: "application/json"))
        let open = try #require(try await client.openRequest(in: Self.environment))
        #expect(open.address == "192.0.2.7" && open.kind == .instant)
        #expect(try await client.answer(open, in: Self.environment, with: .approved).status == .approved)
        let sent = try #require(transport.sent(to: "/authenticator/v1.0/device/d1/instant/a1").first)
        #expect(String(decoding: sent.body, as: UTF8.self) == #"{"auth_status":"approved"}"#)
        #expect(
            EnvironmentToken.digest(of: sent.body, by: Self.secret)
                == "fb80eeebf47b0863bf2b648928d8bfb6a5beced7492a1229163ccb7480eb85eb")
        let demands = EnvironmentToken.Demands(request: "a1", body: sent.body)
        try token(sent).verify(by: Self.secret, meeting: demands, at: clock.date)
    }

    @Test func `answers only open requests to approve, and only with yes or no`() async throws {
        let client = try await registered()
        try await client.register(in: Self.environment, secret: Self.secret)
        let path = "device/d1/environment/\(Self.environment)/auth"
        reply(path, .text("[]", type: "application/json"))
        #expect(try await client.openRequest(in: Self.environment) == nil)
        reply(
            path,
            .text("[\(request(expiry: 0)),\(request(status: #""auth_status":"denied","#))]", type: "application/json"))
        #expect(try await client.openRequest(in: Self.environment) == nil)
        var open = AuthenticationRequest(
            id: AuthenticationRequest.ID("a1"), kind: .instant, expiry: 60, created: clock.date)
        for status in [AuthenticationRequest.Status.open, .expired, .failed] {
            let asked = open
            #expect(
                await code { () async throws(ApprovalError) in
                    try await client.answer(asked, in: Self.environment, with: status)
                } == .notAnswerable)
        }
        open.kind = .oneTimePassword
        let passcode = open
        #expect(
            await code { () async throws(ApprovalError) in
                try await client.answer(passcode, in: Self.environment, with: .approved)
            } == .notAnswerable)
        open.kind = .instant
        open.status = .approved
        let answered = open
        open.status = nil
        let over = open
        #expect(
            await code { () async throws(ApprovalError) in
                try await client.answer(answered, in: Self.environment, with: .denied)
            } == .nothingToDecide)
        clock.advance(by: .seconds(60))
        #expect(
            await code { () async throws(ApprovalError) in
                try await client.answer(over, in: Self.environment, with: .denied)
            } == .nothingToDecide)
        #expect(transport.sent(to: "/authenticator/v1.0/device/d1/instant/a1").isEmpty)
    }

    @Test(arguments: [
        (401, ApprovalError.Code.wrongSecret), (404, .notRegistered), (410, .nothingToDecide), (400, .refused),
        (500, .unreachable),
    ])
    func `says in its own words what the service says`(status: Int, expected: ApprovalError.Code) async throws {
        let client = try await registered()
        try await client.register(in: Self.environment, secret: Self.secret)
        let open = AuthenticationRequest(
            id: AuthenticationRequest.ID("a1"), kind: .instant, expiry: 60, created: clock.date)
        reply(
            "device/d1/instant/a1",
            .json(AuthenticatorError(status: status, message: "m"), status: HTTPResponse.Status(code: status)))
        #expect(
            await code { () async throws(ApprovalError) in
                try await client.answer(open, in: Self.environment, with: .denied)
            } == expected)
    }

    @Test func `has to be registered first, and takes no address without encryption`() async throws {
        let client = try client()
        #expect(await code { () async throws(ApprovalError) in _ = try await client.registration() } == .notRegistered)
        #expect(await code { () async throws(ApprovalError) in _ = try await client.environments() } == .notRegistered)
        #expect(transport.sent().isEmpty)
        let (items, transport, clock) = (items, transport, clock.skipping)
        #expect(
            await code { () async throws(ApprovalError) in
                _ = try LegacyAuthenticatorClient(
                    at: "http://api.example.com", describing: DeviceDetails(), keepingStateIn: items, over: transport,
                    clock: clock)
            } == .badAnswer)
    }
}

@Suite("Pinned certificates of an app")
struct CertificatePinsTests {
    private let service = P256.Signing.PrivateKey()
    private let clock = ManualClock()
    private let transport = ScriptedTransport()
    private let items = AuthenticatorFixture.Items()

    private func pins() throws -> CertificatePins {
        let raw = service.publicKey.rawRepresentation
        return try CertificatePins(
            at: "https://id.example.com/pins",
            signedBy: .p256(id: JSONWebKey.ID("pins"), x: raw.prefix(32), y: raw.suffix(32)),
            keepingStateIn: items, over: transport, clock: clock.skipping)
    }

    private func list(_ version: Int, of certificate: [UInt8] = [1, 2, 3], lasting: Double = 7200) throws
        -> ScriptedTransport.Reply
    {
        let text = try PinnedCertificates.text(
            version: version, expires: clock.date + lasting, certificates: [certificate]
        ) { Array(try service.signature(for: $0).rawRepresentation) }
        return .text(text, type: "application/jwt")
    }

    @Test func `come on top of the system's verdict, never in its place`() async throws {
        let pins = try pins()
        #expect(await !pins.accepts([1, 2, 3], isTrusted: true))
        transport.reply(at: "/pins", with: try list(1))
        #expect(await pins.refresh() == .taken(version: 1))
        #expect(await pins.accepts([1, 2, 3], isTrusted: true))
        #expect(await !pins.accepts([1, 2, 3], isTrusted: false))
        #expect(await !pins.accepts([9], isTrusted: true))
        clock.advance(by: .seconds(7200))
        #expect(await !pins.accepts([1, 2, 3], isTrusted: true))
    }

    @Test func `are asked for once in an interval, and a failure changes nothing`() async throws {
        let pins = try pins()
        transport.reply(
            at: "/pins", with: try list(2), .failure(TransportError(.notTrusted, because: "")),
            try list(1, lasting: 20_000),
            .text("junk", type: "text/plain"))
        async let first = pins.refresh()
        async let second = pins.refresh()
        #expect([await first, await second].contains(.taken(version: 2)))
        #expect(await pins.refresh() == .notYet)
        clock.advance(by: .seconds(3600))
        #expect(await pins.refresh() == .failed(ApprovalError(.notTrusted, because: "")))
        #expect(await pins.accepts([1, 2, 3], isTrusted: true))
        for refusal in [PinnedCertificates.Refusal.older, .malformed] {
            clock.advance(by: .seconds(3600))
            #expect(await pins.refresh() == .refused(refusal))
        }
        #expect(transport.sent(to: "/pins").count == 4)
    }

    @Test func `are there after a restart, and no list that is older is taken then`() async throws {
        transport.reply(at: "/pins", with: try list(5), try list(4))
        #expect(try await pins().refresh() == .taken(version: 5))
        let again = try pins()
        #expect(await again.accepts([1, 2, 3], isTrusted: true))
        #expect(await again.refresh() == .refused(.older))
        #expect(try await again.current()?.version == 5)
    }
}
