import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The device API of the older dialect", .server(configuring: TestLegacyPhone.configure))
struct LegacyAuthenticatorTests {
    let server = TestServer.current

    @Test(.server) func `is there only where the operator wants it`() async throws {
        let customer = try await TestCustomer.add(to: server)
        #expect(try await customer.send(.get, "/authenticator/v1.0/certificate", by: nil).status == .notFound)
        let answer = try await customer.send(.post, "/authenticator/v1.0/device", "{}", by: nil)
        #expect(answer.status == .notFound || answer.status == .methodNotAllowed)
        #expect(try await server.rows(of: "devices") == 0)
    }

    @Test func `registers devices of known apps, under an identifier that the store does not hold`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        #expect(phone.id.utf8.count == 22)
        #expect(try await server.store.read { try $0.devices.find(DeviceRegistration.ID(phone.id)) } == nil)
        let stored = try await server.store.read { try $0.devices.find(LegacyDeviceID(revealing: phone.id).stored) }
        #expect(stored?.dialect == .shared && stored?.details.modelID == "iPhone9,3")
        #expect(try await phone.registration().id.rawValue == phone.id)
        for body in [#"{"model":"x"}"#, #"{"app_key":"other"}"#] {
            let answer = try await phone.customer.send(.post, "/authenticator/v1.0/device", body, by: nil)
            #expect(answer.status == .unauthorized && answer.failure?.status == 401)
        }
        for body in ["", "[]", #"{"app_key":5}"#] {
            let answer = try await phone.customer.send(.post, "/authenticator/v1.0/device", body, by: nil)
            #expect(answer.status == .badRequest)
        }
        let unknown = try await phone.customer.send(.get, "/authenticator/v1.0/device/none", by: nil)
        #expect(unknown.status == .notFound && unknown.failure?.message == "There is no such device.")
    }

    @Test func `takes no app key that was removed`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let apps = AuthenticatorAppRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
        #expect(try await apps.remove(phone.app.key))
        #expect(try await phone.change(#""model":"x""#).status == .unauthorized)
        let body = #"{"app_key":"\#(phone.app.key)"}"#
        let answer = try await phone.customer.send(.post, "/authenticator/v1.0/device", body, by: nil)
        #expect(answer.status == .unauthorized)
    }

    @Test func `keeps push tokens; another one counts from the next call on in which the device shows its secret`()
        async throws
    {
        let phone = try await TestLegacyPhone.add(to: server)
        let none = try await phone.change(#""push_token":"""#).json(DeviceRegistration.self)
        #expect(none.pushToken == nil)
        let first = try await phone.change(
            #""push_token":"00ffa0","push_enabled":true,"development":true"#
        ).json(DeviceRegistration.self)
        #expect(first.pushToken == "00ffa0" && first.isPushEnabled && first.isDevelopment)
        #expect(first.status == .verified)
        let again = try await phone.change(#""push_token":"00ffa0""#).json(DeviceRegistration.self)
        #expect(again.status == .verified)
        let secret = try await phone.joined()
        // With a token of one of its sites, for this body.
        let body = #"{"push_token":"11"}"#
        let token = CustomerSiteToken.text(by: secret, body: Array(body.utf8), at: server.clock.date)
        let proved = try await phone.customer.send(.put, phone.device, body, by: token)
        #expect(try proved.json(DeviceRegistration.self).status == .verified)
        // As both SDKs send a new token of the system: without any proof. The app goes on working.
        let rotated = try await phone.change(#""push_token":"22","push_enabled":true"#).json(DeviceRegistration.self)
        #expect(rotated.status == .verified && rotated.pushToken == "22")
        #expect(try await pushToken(of: phone) == "11")
        #expect(try await phone.requests(CustomerSiteSecret(revealing: "wrong")).status == .unauthorized)
        #expect(try await pushToken(of: phone) == "11")
        #expect(try await phone.requests(secret).status == .ok)
        #expect(try await pushToken(of: phone) == "22")
        // A caller that has only the identifier neither takes the messages away nor stops the device.
        for token in ["33", "44", ""] {
            let thief = try await phone.change(#""push_token":"\#(token)""#).json(DeviceRegistration.self)
            #expect(thief.status == .verified)
            #expect(try await pushToken(of: phone) == "22")
        }
        // The app sends its own again at its next start, before it shows its secret.
        _ = try await phone.change(#""push_token":"22""#)
        #expect(try await phone.requests(secret).status == .ok)
        #expect(try await pushToken(of: phone) == "22")
    }

    @Test func `uses another push token at once when the one before is dead`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        _ = try await phone.change(#""push_token":"11","push_enabled":true"#)
        _ = try await phone.change(#""push_token":"22""#)
        #expect(try await pushToken(of: phone) == "11")
        let now = server.clock.date
        try await server.change { try $0.devices.forgetPushAddress(of: PushToken(revealing: "11"), at: now) }
        _ = try await phone.change(#""push_token":"33""#)
        #expect(try await pushToken(of: phone) == "33")
    }

    @Test func `takes a push token from other devices when the device shows its secret, and not before`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        _ = try await phone.change(#""push_token":"11","push_enabled":true"#)
        // The person's former app, on the same phone.
        let before = try await TestLegacyPhone.register(with: phone.customer, phone.app)
        try await before.prove(TestCustomer.nobody)
        _ = try await before.change(#""push_token":"22","push_enabled":true"#)
        // A stranger's device, which proved nothing.
        let stranger = try await TestLegacyPhone.register(with: phone.customer, phone.app)
        _ = try await stranger.change(#""push_token":"22","push_enabled":true"#)
        #expect(try await pushToken(of: before) == "22")

        let secret = try await phone.joined()
        _ = try await phone.change(#""push_token":"22""#)
        #expect(try await pushToken(of: before) == "22")
        #expect(try await phone.requests(secret).status == .ok)
        #expect(try await pushToken(of: phone) == "22")
        for other in [before, stranger] { #expect(try await pushToken(of: other) == nil) }
    }

    /// The push token that the server has of a phone.
    private func pushToken(of phone: TestLegacyPhone) async throws -> String? {
        let id = LegacyDeviceID(revealing: phone.id).stored
        return try await phone.server.store.read { try $0.devices.find(id)?.pushToken?.revealed }
    }

    @Test func `lists sites: none, one, and with an icon`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let path = "\(phone.device)/environment"
        #expect(try await phone.customer.send(.get, path, by: nil).text == "[]")
        _ = try await phone.joined()
        let id = phone.customer.environment.id
        let plain = try await phone.customer.send(.get, path, by: nil)
        #expect(plain.text == #"[{"id":"\#(id)","name":"My Bank"}]"#)
        try await server.change { repositories in
            var environment = try #require(try repositories.environments.find(id))
            environment.iconURL = "https://bank.example/icon.png"
            try repositories.environments.update(environment)
        }
        let full = try await phone.customer.send(.get, path, by: nil).json([CustomerSiteListing].self)
        #expect(full == [CustomerSiteListing(id: id, name: "My Bank", iconURL: "https://bank.example/icon.png")])
    }

    @Test func `joins a site with the secret of the QR code, and leaves it`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.scanned()
        let wrong = try await phone.join(CustomerSiteSecret(revealing: "wrong"))
        #expect(wrong.status == .unauthorized && wrong.failure?.status == 401)
        #expect(try await phone.customer.send(.put, phone.environment, by: nil).status == .unauthorized)
        #expect(try await phone.requests(secret).status == .unauthorized)
        #expect(try await phone.join(secret).status == .ok)
        #expect(try await phone.join(secret).status == .ok)
        // The request whose code was scanned still waits.
        #expect(try await phone.requests(secret).status == .ok)
        let left = try await phone.customer.send(.delete, phone.environment, by: phone.token(secret))
        #expect(left.status == .noContent)
        #expect(try await phone.requests(secret).status == .unauthorized)
        #expect(try await phone.join(secret).status == .unauthorized)
    }

    @Test func `gives the secret of a QR code to one device, of the person for whom it was made`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.scanned()
        let other = try await TestLegacyPhone.register(with: phone.customer, phone.app)
        #expect(try await other.join(secret).status == .unauthorized)
        try await other.prove("+31687654321", of: .bert)
        #expect(try await other.join(secret).status == .unauthorized)
        #expect(try await phone.join(secret).status == .ok)
        let second = try await TestLegacyPhone.register(with: phone.customer, phone.app)
        try await second.prove()
        #expect(try await second.join(secret).status == .unauthorized)
        // Each code has its own secret, for some minutes.
        try await server.change { repositories in
            _ = try repositories.devices.removeEnrollments(in: phone.customer.environment.id)
        }
        let late = try await phone.scanned()
        #expect(late != secret)
        server.clock.setDate(server.clock.date + 301)
        #expect(try await phone.join(late).status == .unauthorized)
    }

    @Test func `needs a site that allows such devices`() async throws {
        try await TestLegacyPhone.open(editing: { _ in }) { (phone) async throws -> Void in
            await #expect(throws: TestLegacyPhone.NoSecret.self) { _ = try await phone.scanned() }
        }
        try await TestLegacyPhone.open { (phone) async throws -> Void in
            let secret = try await phone.joined()
            let id = phone.customer.environment.id
            try await phone.server.change { repositories in
                var environment = try #require(try repositories.environments.find(id))
                environment.allowsLegacyDevices = false
                try repositories.environments.update(environment)
            }
            #expect(try await phone.requests(secret).status == .unauthorized)
        }
    }

    @Test(
        .server {
            TestLegacyPhone.configure(&$0)
            $0.limits[.wrongProofPerAddress] = Limit(3, in: 60)
        })
    func `counts wrong secrets, which refuse no right one from there`() async throws {
        let phone = try await TestLegacyPhone.add(to: server)
        let secret = try await phone.joined()
        let wrong = CustomerSiteSecret(revealing: "wrong")
        for _ in 0..<3 { #expect(try await phone.requests(wrong).status == .unauthorized) }
        #expect(try await phone.requests(wrong).status == .tooManyRequests)
        #expect(try await phone.requests(secret).status == .ok)
    }
}
