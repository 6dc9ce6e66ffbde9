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
@Suite("The sites of a device")
struct DeviceCustomerSiteTests {
    private static let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
    private let fixture = AuthenticatorFixture()

    @Test func `are none, one or many, with or without an icon`() async throws {
        let bank = CustomerSiteListing(id: Self.environment, name: "Bank", iconURL: "https://bank.example/icon.png")
        let shop = CustomerSiteListing(id: CustomerSiteID("00000000-0000-0000-0000-000000000001"), name: "Shop")
        for list in [[], [bank], [bank, shop]] {
            fixture.transport.reply(at: "/authenticator/environments", with: .json(list))
            #expect(try await fixture.approver.customerSites() == list)
        }
    }

    @Test func `are joined by the ticket of a scanned code, and left`() async throws {
        let path = "/authenticator/environments/\(Self.environment)"
        fixture.transport.reply(at: path, with: .status(.noContent), .status(.noContent), .error(.invalidGrant))
        let scanned = "https://id.example.com/authenticator/enroll#fQ3Zr8m1cX0b7Lw2Yk5T9A\n"
        guard case .ticket(issuer: let issuer, let ticket)? = CustomerSiteInvitation(scanned) else {
            Issue.record("the text is an invitation")
            return
        }
        #expect(issuer == fixture.approver.issuer.text)
        try await fixture.approver.register(in: Self.environment, by: ticket)
        try await fixture.approver.unregister(from: Self.environment)
        let sent = fixture.transport.sent(to: path)
        #expect(sent.map(\.request.method) == [.put, .delete])
        #expect(sent.first?.form["ticket"] == "fQ3Zr8m1cX0b7Lw2Yk5T9A")
        let approver = fixture.approver
        let environment = Self.environment
        #expect(
            await code { () async throws(ApprovalError) in
                try await approver.register(in: environment, by: ticket)
            } == .wrongCode)
    }
}

/// Features 115, 131 to 136, 138, 140 and 141, in the older dialect.
@Suite("A device of the older dialect")
struct LegacyAuthenticatorClientTests {
    private static let base = "https://api.example.com/authenticator/v1.0"
    private static let environment = CustomerSiteID("2bd57d49-1d1c-4dd9-8f95-a7f2b1ad0f0d")
    private static let secret = CustomerSiteSecret(revealing: "device-secret")

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

    private func token(_ sent: ScriptedTransport.SentRequest) throws -> CustomerSiteToken {
        let header = try #require(sent.request.headerFields[.authorization])
        return try CustomerSiteToken(String(header.dropFirst("Bearer ".count)))
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

    @Test func `is registered as a new one, once, when the service does not know it any more`() async throws {
        let client = try await registered()
        let gone = ScriptedTransport.Reply.json(AuthenticatorError(status: 404, message: "gone"), status: .notFound)
        reply("device/d1", gone)
        reply("device", .status(.serviceUnavailable))
        #expect(await code { () async throws(ApprovalError) in _ = try await client.register() } == .unreachable)
        let second = DeviceRegistration(
            id: DeviceRegistration.ID("d2"), status: .unverified, isPushEnabled: false, isDevelopment: false)
        reply("device", .json(second))
        reply("device/d2", .json(second))
        #expect(try await client.register() == second)
        #expect(try await client.register() == second)
        #expect(transport.sent(to: "/authenticator/v1.0/device/d1").map(\.request.method) == [.put])
        #expect(transport.sent(to: "/authenticator/v1.0/device/d2").map(\.request.method) == [.put])
    }

    @Test(arguments: [401, 500])
    func `stays the same one while the service says something else`(status: Int) async throws {
        let client = try await registered()
        let made = transport.sent(to: "/authenticator/v1.0/device").count
        reply("device/d1", .json(AuthenticatorError(status: status, message: "m"), status: .init(code: status)))
        for _ in 1...2 {
            #expect(await code { () async throws(ApprovalError) in _ = try await client.register() } != nil)
        }
        #expect(transport.sent(to: "/authenticator/v1.0/device/d1").count == 2)
        #expect(transport.sent(to: "/authenticator/v1.0/device").count == made)
    }

    // MARK: What was unreliable in the older SDK, by its name

    @Test func `1: two registrations at the first start – one device comes of them`() async throws {
        let client = try client()
        let registration = DeviceRegistration(
            id: DeviceRegistration.ID("d1"), status: .unverified, isPushEnabled: false, isDevelopment: false)
        reply("device", .json(registration))
        reply("device/d1", .json(registration))
        var push = DeviceDetails()
        push.pushToken = "00ff"
        async let first = client.register()
        async let second = client.register(push)
        _ = try await (first, second)
        #expect(transport.sent(to: "/authenticator/v1.0/device").count == 1)
    }

    @Test func `2: calls without an end – each ends in a result or an error, also for an address that is none`()
        async throws
    {
        let (items, transport, clock) = (items, transport, clock.skipping)
        for address in ["", "nonsense", "https://", "ftp://api.example.com"] {
            let error = await code { () async throws(ApprovalError) in
                _ = try LegacyAuthenticatorClient(
                    at: address, describing: DeviceDetails(), keepingStateIn: items, over: transport, clock: clock)
            }
            #expect(error == .badAnswer, "\(address)")
        }
    }

    @Test func `3: answers that are a little different – an empty one, missing members and fractions are read`()
        async throws
    {
        let client = try client()
        reply("device", .text(#"{"id":"d1","registration_status":"verified"}"#, type: "application/json"))
        #expect(try await client.register().status == .verified)
        reply("device/d1/environment/\(Self.environment)", .text("", type: "application/json"))
        try await client.register(in: Self.environment, secret: Self.secret)
        let created = "2017-09-26T13:35:25.250+0000"
        let text = #"{"id":"a1","auth_type":"instant","expiry":60,"created_at":"\#(created)"}"#
        let request = try JSONDecoder().decode(AuthenticationRequest.self, from: Data(text.utf8))
        #expect(abs(request.created.timeIntervalSince1970 - 1_506_432_925.25) < 0.5)
    }

    @Test(arguments: [-10_800.0, 10_800])
    func `4: a clock that is wrong – the server's time decides what is over, and dates the tokens`(off: Double)
        async throws
    {
        let client = try await registered()
        try await client.register(in: Self.environment, secret: Self.secret)
        let path = "device/d1/environment/\(Self.environment)/auth"
        let server = clock.date + off
        let created = Date.ISO8601FormatStyle().format(server)
        let body = #"[{"id":"a1","auth_type":"instant","expiry":60,"created_at":"\#(created)"}]"#
        reply(path, .text(body, type: "application/json", fields: [.date: HTTPDate.text(of: server)]))
        #expect(try await client.openRequest(in: Self.environment) != nil)
        _ = try await client.openRequest(in: Self.environment)
        let sent = try #require(transport.sent(to: "/authenticator/v1.0/\(path)").last)
        try token(sent).verify(by: Self.secret, meeting: .init(), at: server)
    }

    @Test func `5: a secret with a comma that is cut – it is whole`() {
        let text = "\(Self.environment),a,b,"
        #expect(CustomerSiteInvitation(text) == .shared(Self.environment, CustomerSiteSecret(revealing: "a,b,")))
    }

    @Test func `6: calls that cannot be ended – a cancelled one ends as that`() async throws {
        let client = try await registered()
        let ended = Task { await code { () async throws(ApprovalError) in _ = try await client.register() } }
        ended.cancel()
        #expect(await [.cancelled, nil].contains(ended.value))
    }

    /// An RSA key of a service, and an entry that it signed, both made by OpenSSL.
    private static let pinModulus = """
        kt5vqoQVeM0XxkmCMhavbUCl3rJ8tX7qUHmV5MzCdNAz15u1/ZbaHQQk2ETXvcikCkFsC6XY9muJhY38Ake09018jg\
        LpsLtI5R8oEo422BLtCja57iGzGTSNBQ094R8B466misZ45P2Tj/GcKXkxcwJRacjaJHWdntHINs34MuiVJBPGfden\
        5bw2Vuise3L/yQ4n++DuI3f74RJUMXCXeNe3QS9NVncw6NixnOvc8dfktsxzndO2W2FLYIVcSk2vviB9F/UfhSc+WM\
        qqpCyvGsXfgfTUoz/adaTRg7YXaNFJVvNImlFY6FTmtvn9nMV5TRWzOSzFkFelUhSpV4kM6w==
        """
    private static let pin = LegacyPin(
        data: "eyJhbGdvcml0aG0iOiJzaGEyNTYiLCJoYXNoIjoiQUJDMSJ9",
        signature: """
            bsI0Wl5gB7xjUYWridrmDqndmpu9hJsgLCCy1QRqwzwrBZRtvwZ3eiieWod9oK1zYCCVxKxwAiOoSXjg2bCe6es/er\
            SbIDY3R7ebAV0EbP/A142v3uxKLNHia2m7y5Wo3fYRNOgTKYe/dBq2erZZXTUi2nByPLvJVIFnIkDeon8dvOWlR3wt\
            xN373H3M8uehoF7vA16mWSVTLZctjLSci3bZBkIZovU6qRbHcRDr17fQRC3r1c+MVXFNhLFGjH3k0q48/9DaTKPpmO\
            mcl+JP3UmX8nYchggFtW4FFGvRPlPbh0KkeyzjkrMGt/ZGHELCBjx6Ly4WAuj9h1Ael6Wa6w==
            """)

    @Test func `reads the certificates that the service signed, and no list with an entry that it did not`()
        async throws
    {
        let client = try client()
        let key = JSONWebKey.rsa(
            id: JSONWebKey.ID("old"), modulus: try #require(Data(base64Encoded: Self.pinModulus)),
            exponent: Data([1, 0, 1]))
        var forged = Self.pin
        forged.data = Base64.encode(Array(#"{"algorithm":"sha256","hash":"ABC2"}"#.utf8))
        reply("certificate", .json([Self.pin]), .json([Self.pin, forged]))
        #expect(try await client.acceptedCertificates(signedBy: key) == ["abc1"])
        #expect(
            await code { () async throws(ApprovalError) in _ = try await client.acceptedCertificates(signedBy: key) }
                == .notTrusted)
        #expect(transport.sent().allSatisfy { $0.request.headerFields[.authorization] == nil })
    }

    @Test func `names itself and what it reads as the older SDK does`() async throws {
        var details = DeviceDetails()
        (details.appVersion, details.appID) = ("1.2", "com.example.bank")
        (details.platform, details.systemVersion) = ("iOS", "10.3 (x)\r\n")
        let client = try LegacyAuthenticatorClient(
            at: Self.base, describing: details, as: "Bank", build: "7", keepingStateIn: items, over: transport,
            clock: clock.skipping)
        reply("certificate", .json([LegacyPin]()))
        let key = JSONWebKey.rsa(id: JSONWebKey.ID("old"), modulus: Data([1]), exponent: Data([1, 0, 1]))
        #expect(try await client.acceptedCertificates(signedBy: key).isEmpty)
        let fields = try #require(transport.sent().last).request.headerFields
        #expect(fields[.userAgent] == "Bank/1.2 (com.example.bank; build:7; iOS 10.3x)")
        #expect(fields[.accept] == "application/json; charset=utf-8")
        #expect(fields[.contentType] == "application/json; charset=utf-8")
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

    @Test(arguments: [(401, ApprovalError.Code?.none), (404, nil), (403, .policyRefused), (503, .unreachable)])
    func `forgets the secret when the service has no such registration, also after an answer that was lost`(
        status: Int,
        expected: ApprovalError.Code?
    ) async throws {
        let client = try await registered()
        try await client.register(in: Self.environment, secret: Self.secret)
        let path = "device/d1/environment/\(Self.environment)"
        reply(path, .failure(TransportError(.interrupted, because: "")))
        #expect(
            await code { () async throws(ApprovalError) in try await client.unregister(from: Self.environment) }
                == .unreachable)
        #expect(
            await code { () async throws(ApprovalError) in _ = try await client.openRequest(in: Self.environment) }
                == .notRegistered)
        reply(path, .json(AuthenticatorError(status: status, message: "m"), status: .init(code: status)))
        #expect(
            await code { () async throws(ApprovalError) in try await client.unregister(from: Self.environment) }
                == expected)
        let isKept = items.all.values.contains { String(decoding: $0, as: UTF8.self).contains("device-secret") }
        #expect(isKept == (expected != nil))
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
            CustomerSiteToken.digest(of: sent.body, by: Self.secret)
                == "fb80eeebf47b0863bf2b648928d8bfb6a5beced7492a1229163ccb7480eb85eb")
        let demands = CustomerSiteToken.Demands(request: "a1", body: sent.body)
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
            } == .expired)
        #expect(transport.sent(to: "/authenticator/v1.0/device/d1/instant/a1").isEmpty)
    }

    @Test(arguments: [
        (401, ApprovalError.Code.wrongSecret), (404, .nothingToDecide), (409, .nothingToDecide), (410, .expired),
        (400, .refused),
        (500, .outcomeUnknown), (502, .outcomeUnknown), (503, .unreachable),
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

    @Test func `are renewed with each check of the registration, at most once in an interval`() async throws {
        let fixture = AuthenticatorFixture()
        let pins = try pins()
        transport.reply(at: "/pins", with: try list(1), try list(2, lasting: 14_400))
        let account = ApproverAccount(
            id: ApproverAccount.ID("anna"), issuer: try Issuer("https://id.example.com"),
            authorizing: { $0 }, again: { _, _ in nil })
        let context = ApproverContext(
            over: fixture.transport, renewing: pins, clock: fixture.clock.skipping, random: .system)
        let approver = Approver(
            for: account, as: .device(DeviceDetails(), keepingStateIn: fixture.items),
            keepingKeysIn: AuthenticatorFixture.Keys(key: fixture.key), in: context)
        fixture.transport.reply(at: "/authenticator/device", with: .json(fixture.registration(.verified)))
        for _ in 0..<3 {
            #expect(await approver.checkRegistration() == .verified(fixture.registration(.verified)))
        }
        #expect(transport.sent(to: "/pins").count == 1)
        #expect(try await pins.current()?.version == 1)
        clock.advance(by: .seconds(3600))
        _ = await approver.checkRegistration()
        #expect(try await pins.current()?.version == 2)
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
        for refusal in [PinnedCertificates.VerificationError.older, .malformed] {
            clock.advance(by: .seconds(3600))
            #expect(await pins.refresh() == .refused(refusal))
        }
        #expect(transport.sent(to: "/pins").count == 4)
    }

    @Test func `are asked for again at once when no answer came, since nothing is accepted without a list`()
        async throws
    {
        let pins = try pins()
        transport.reply(at: "/pins", with: .failure(TransportError(.notReached, because: "")), try list(1))
        #expect(await pins.refresh() == .failed(ApprovalError(.unreachable, because: "")))
        #expect(await !pins.accepts([1, 2, 3], isTrusted: true))
        #expect(await pins.refresh() == .taken(version: 1))
        #expect(await pins.accepts([1, 2, 3], isTrusted: true))
        #expect(await pins.refresh() == .notYet)
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
