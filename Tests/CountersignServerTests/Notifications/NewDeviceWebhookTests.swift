import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The webhook for new devices")
struct NewDeviceWebhookTests {
    private static let secret = "a secret of the operator, long enough"
    private static let address = "https://hooks.example/new"

    private static func configure(_ settings: inout ServerSettings) {
        settings.delivery.deviceWebhook = DeviceWebhook(at: address, secret: WebhookSecret(revealing: secret))
    }

    private func open(
        _ test: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.open(configuring: Self.configure) { server in
            let created = server.clock.date
            try await server.change { repositories in
                for domain in TestDomain.allCases { try repositories.domains.insert(domain.record(created: created)) }
                try repositories.clients.insert(TestApps.native.record(created: created))
            }
            try await test(server)
        }
    }

    /// The devices that it is to be told of.
    private func told(_ server: TestServer) async throws -> [NewDevice] {
        try await server.store.read { try $0.deliveries.newDevices(limit: 99) }.compactMap { delivery in
            if case .newDevice(let device) = delivery.content { device } else { nil }
        }
    }

    /// The ways of the devices that were added; each has to be told once. The clock stands still, so they have no
    /// order.
    private func ways(_ server: TestServer) async throws -> Set<NewDevice.Way> {
        let ways = try await told(server).map(\.way)
        #expect(Set(ways).count == ways.count)
        return Set(ways)
    }

    /// The call as the receiver understands it, which has the standard and the secret alone.
    private func verified(_ call: ScriptedTransport.SentRequest) throws -> [String: Any] {
        let body = try #require(try JSONSerialization.jsonObject(with: Data(call.body)) as? [String: String])
        #expect(Array(body.keys) == ["token"])
        let parts = try #require(body["token"]).split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        func decoded(_ text: String) throws -> Data {
            let padded = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
            return try #require(
                Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.utf8.count % 4) % 4)))
        }
        let header = try JSONSerialization.jsonObject(with: try decoded(parts[0])) as? [String: String]
        #expect(header == ["alg": "HS256", "typ": "JWT"])
        let right = HMAC<SHA256>.authenticationCode(
            for: Data("\(parts[0]).\(parts[1])".utf8), using: SymmetricKey(data: Data(Self.secret.utf8)))
        #expect(Data(right) == (try decoded(parts[2])))
        return try #require(try JSONSerialization.jsonObject(with: try decoded(parts[1])) as? [String: Any])
    }

    // MARK: What it is told

    @Test func `is told of a screen that was signed in by its code, by identifiers only`() async throws {
        try await open { server in
            let codes = try await server.ask()
            try await server.browser(of: .anna).decide("approve", codes)
            #expect(try await told(server).isEmpty)
            #expect(try await server.poll(codes).status == .ok)
            let record = try #require(
                try await server.store.read { try $0.signIns.all(of: TestPerson.anna.subject) }.first)
            let transport = ScriptedTransport(["/new": [.status(.noContent)]])
            let service = server.server.deliveries(over: transport)
            try await service.deliver()
            let call = try #require(transport.sent(to: "/new").first)
            let claims = try verified(call)
            let now = Int(server.clock.date.timeIntervalSince1970)
            let event = try #require(claims["jti"] as? String)
            #expect(call.request.headerFields[try #require(WebhookCaller.idField)] == event)
            #expect(
                NSDictionary(dictionary: claims)
                    == NSDictionary(dictionary: [
                        "jti": event, "iss": server.issuer.text, "event": "sign_in", "id": record.grant.id.rawValue,
                        "sub": TestPerson.anna.subject.rawValue, "client_id": TestClients.tv.id.rawValue,
                        "way": "code", "time": now, "iat": now, "exp": now + 60,
                    ]))
            try await service.deliver()
            #expect(transport.sent().count == 1)
        }
    }

    @Test func `is told of each way in once, when the tokens are issued`() async throws {
        try await open { server in
            // The app on the phone was signed in by a code.
            let screen = try await server.screenNearby()
            try await server.phone().decide(.approve, screen)
            #expect(try await ways(server) == [.code])
            #expect(try await screen.poll(over: screen.link).status == .ok)
            #expect(try await ways(server) == [.code, .nearby])

            let device = try await server.newDevice()
            try await device.signedIn()
            #expect(try await ways(server) == [.code, .nearby, .crossPlatform])

            let code = try await server.browser(of: .anna).code(for: .native)
            #expect(try await ways(server).count == 3)
            #expect(try await server.redeem(code, as: .native).status == .ok)
            #expect(try await ways(server) == [.code, .nearby, .crossPlatform, .browser])

            let client = TestBackchannelClient(server: server)
            try await client.register()
            let asked = try await client.asked()
            try await server.browser(of: .anna).answerQuestion("approve")
            #expect(try await client.poll(asked).status == .ok)
            #expect(try await ways(server) == [.code, .nearby, .crossPlatform, .browser, .backChannel])
        }
    }

    @Test func `is told of the provider's own app, and of what a ticket and the device behind it add`() async throws {
        try await open { server in
            let phone = try await server.providersApp()
            let said = try await phone.decide(.approve, TestApps.native.request.form.encoded).confirmation
            let code = try #require(said.location?.response?.code)
            #expect(try await server.redeem(code, as: .native).status == .ok)
            #expect(try await ways(server) == [.code, .appToApp])

            let authenticator = try await server.authenticator()
            #expect(try await authenticator.register { $0.isPushEnabled = true }.status == .ok)
            #expect(try await ways(server) == [.code, .appToApp, .ticket, .enrollment])
            let added = try #require(try await told(server).first { $0.way == .enrollment })
            let device = try await authenticator.send(.get, "device").json(DeviceRegistration.self)
            #expect(added.addition == .device(device.id) && added.client == TestApprover.app)
        }
    }

    @Test func `is told of a device of the older dialect when it becomes a person's`() async throws {
        try await open { server in
            let (services, now) = (server.server.services, server.clock.date)
            let (number, id) = (try PhoneNumber("+31612345678"), DeviceRegistration.ID("older"))
            try await server.change { repositories in
                try repositories.devices.insert(
                    EnrolledDevice(id: id, dialect: .shared, subject: nil, signIn: nil, created: now))
                try repositories.phoneNumbers.keep(
                    PhoneNumberRecord(number, of: TestPerson.anna.subject, device: id, verified: now))
                let record = PhoneRegistrationRecord(id, PhoneRegistration(.verified(number)), touched: now)
                try PhoneNumbers(repositories).keep(record, telling: services.accounts.newDevices)
                try PhoneNumbers(repositories).keep(record, telling: services.accounts.newDevices)
            }
            #expect(
                try await told(server) == [
                    NewDevice(.device(id), of: TestPerson.anna.subject, client: nil, by: .phoneNumber, added: now)
                ])
        }
    }

    @Test func `is told nothing where there is none`() async throws {
        try await TestServer.open { server in
            _ = try await server.signedIn()
            #expect(try await told(server).isEmpty)
        }
    }

    // MARK: A receiver that is down

    @Test func `is told after it was down for an hour, by a server that was started again meanwhile`() async throws {
        try await open { server in
            _ = try await server.signedIn()
            let down = ScriptedTransport(["/new": [.failure(TransportError(.notReached, because: "down"))]])
            let before = server.server.deliveries(over: down)
            for _ in 0..<120 {
                try await before.deliver()
                server.clock.advance(by: .seconds(30))
            }
            #expect(down.sent().count >= 5)
            // Nobody who was signed in meanwhile has noticed anything.
            _ = try await server.signedIn(as: .bert)

            let store = try SQLiteStore.open(in: server.directory)
            let again = try AuthorizationServer(
                server.settings,
                keeping: store,
                clock: server.serverClock,
                random: .system,
                logger: server.server.logger
            )
            let up = ScriptedTransport(["/new": [.status(.ok)]])
            let after = again.deliveries(over: up)
            for _ in 0..<60 {
                try await after.deliver()
                server.clock.advance(by: .seconds(30))
            }
            try await store.close()
            let calls = up.sent(to: "/new")
            let subjects = Set(try calls.compactMap { try verified($0)["sub"] as? String })
            #expect(calls.count == 2)
            #expect(subjects == Set([TestPerson.anna, .bert].map(\.subject.rawValue)))
            // The receiver can tell that it was called before.
            let name = try #require(WebhookCaller.idField)
            let identifiers = Set(calls.map { $0.request.headerFields[name] })
            #expect(identifiers.count == 2 && identifiers.contains(down.sent().first?.request.headerFields[name]))
        }
    }

    @Test func `is given up in the end with an entry in the audit, and can be told once more`() async throws {
        try await open { server in
            _ = try await server.signedIn()
            let down = ScriptedTransport(["/new": [.status(.badGateway)]])
            let service = server.server.deliveries(over: down)
            for _ in 0..<200 {
                try await service.deliver()
                server.clock.advance(by: .seconds(30))
            }
            let audited = try await server.audited(.messageNotDelivered)
            #expect(audited.count == 1 && audited[0].detail?.hasPrefix("new_device attempts_spent") == true)
            let now = server.clock.date
            let replayed = try await server.store.change { repositories in
                let failed = try #require(try repositories.deliveries.newDevices(limit: 1).first)
                return try repositories.deliveries.replay(failed.id, at: now, lifetime: 60)
            }
            let up = ScriptedTransport(["/new": [.status(.ok)]])
            try await server.server.deliveries(over: up).deliver()
            #expect(try verified(try #require(up.sent().first))["jti"] as? String == replayed?.id.rawValue)
        }
    }

    // MARK: What may be set

    @Test(arguments: [
        ("https://hooks.example/new", true), ("http://127.0.0.1:9000/new", true), ("http://localhost/new", true),
        ("http://hooks.example/new", false), ("http://10.0.0.1/new", false), ("ftp://hooks.example/new", false),
        ("hooks.example", false),
    ])
    func `is called by https, or on this machine`(address: String, isGood: Bool) {
        let webhook = DeviceWebhook(at: address, secret: WebhookSecret(revealing: Self.secret))
        #expect((webhook != nil) == isGood)
    }

    @Test func `needs a secret that cannot be guessed`() {
        #expect(DeviceWebhook(at: Self.address, secret: WebhookSecret(revealing: "too short")) == nil)
    }
}
