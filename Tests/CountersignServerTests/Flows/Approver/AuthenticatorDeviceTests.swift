import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("An enrolled device", .server)
struct AuthenticatorDeviceTests {
    let server = TestServer.current

    @Test func `is registered, read and changed by its own app`() async throws {
        try await server.addAuthenticatorApp()
        let tokens = try await server.redeem(try await server.ticket()).json(TokenResponse.self)
        let device = TestApprover(server: server, token: tokens.accessToken)
        #expect(try await device.send(.get, "device").status == .notFound)
        let added = try await device.register { details in
            details.pushToken = "push"
            details.isPushEnabled = true
        }
        let registration = try added.json(DeviceRegistration.self)
        #expect(registration.status == .unverified && registration.isPushEnabled)
        #expect(registration.pushToken == "push" && registration.id.rawValue.utf8.count == 22)
        #expect(try await device.send(.get, "device").json(DeviceRegistration.self) == registration)
        let changed = try await device.register { $0.isPushEnabled = false }.json(DeviceRegistration.self)
        #expect(changed.id == registration.id && !changed.isPushEnabled && changed.pushToken == "push")
        #expect(try await server.audited(.deviceAdded).count == 1)
    }

    /// A way to end a device.
    enum Ending: CaseIterable {
        case removedByApp, removedOnAccountPage, tokenRevoked
    }

    @Test(arguments: Ending.allCases)
    func `ends together with the sign-in that its ticket gave`(ending: Ending) async throws {
        try await server.addAuthenticatorApp()
        let tokens = try await server.redeem(try await server.ticket()).json(TokenResponse.self)
        let device = TestApprover(server: server, token: tokens.accessToken)
        #expect(try await device.register().status == .ok)
        let refreshToken = try #require(tokens.refreshToken).revealed
        let client: Form = ["client_id": TestApprover.app.rawValue]
        switch ending {
        case .removedByApp:
            #expect(try await device.send(.delete, "device").status == .noContent)
        case .removedOnAccountPage:
            let anna = try await server.browser(of: .anna)
            let id = try #require(try await anna.get("account").field("device"))
            _ = try await anna.confirm("account/devices/remove", ["device": id])
        case .tokenRevoked:
            _ = try await server.post(server.path("revoke"), client.with(["token": refreshToken]))
        }
        #expect(try await server.rows(of: "devices") == 0)
        #expect(try await device.send(.delete, "device").status == .unauthorized)
        #expect(try await device.inbox().status == .unauthorized)
        #expect(try await !server.honours(tokens.accessToken))
        let phone = TestApprover(server: server, token: tokens.accessToken, key: device.key)
        let screen = try await server.screenNearby()
        #expect(try await phone.look(at: screen).status == .unauthorized)
        let form = try client.with(["grant_type": "refresh_token", "refresh_token": refreshToken])
        #expect(try await server.post(server.path("token"), form).error == .invalidGrant)
        let actor: AuditActor = ending == .tokenRevoked ? .client : .person
        for act in [AuditAct.signedOut, .deviceRemoved] {
            let entries = try await server.audited(act)
            #expect(entries.map(\.by) == [actor])
            #expect(entries.map(\.client) == [TestApprover.app])
        }
    }

    @Test func `leaves its app signed in that removes it, where no ticket gave the sign-in`() async throws {
        let token = try await server.phone().token
        let device = TestApprover(server: server, token: token)
        #expect(try await device.register().status == .ok)
        #expect(try await device.send(.delete, "device").status == .noContent)
        #expect(try await device.send(.delete, "device").status == .noContent)
        #expect(try await device.send(.get, "device").status == .notFound)
        #expect(try await server.audited(.deviceRemoved).map(\.client) == [TestServer.phoneApp])
        #expect(try await server.audited(.signedOut).isEmpty)
        let phone = TestApprover(server: server, token: token, key: device.key)
        let screen = try await server.screenNearby()
        #expect(try await phone.decide(.approve, screen).status == .ok)

        // For its person, device and sign-in are one entry.
        #expect(try await device.register().status == .ok)
        let anna = try await server.browser(of: .anna)
        let id = try #require(try await anna.get("account").field("device"))
        _ = try await anna.confirm("account/devices/remove", ["device": id])
        #expect(try await device.inbox().status == .unauthorized)
        #expect(try await server.audited(.deviceRemoved).count == 2)
        #expect(try await server.audited(.signedOut).count == 1)
    }

    @Test func `is registered with proof of its key, which is for this server and this sign-in`() async throws {
        let other = try await server.authenticator()
        let tokens = try await server.redeem(try await server.ticket()).json(TokenResponse.self)
        let device = TestApprover(server: server, token: tokens.accessToken)
        let good = try device.keyProof()
        let proofs: [String?] = [
            nil, "", "x.y.z", try device.keyProof(for: "https://other.example"),
            try device.keyProof(presenting: other.token), String(good.dropLast(8)) + "AAAAAAAA",
        ]
        for proof in proofs {
            #expect(try await device.register { $0.keyProof = proof }.error == .invalidRequest)
        }
        #expect(try await device.send(.get, "device").status == .notFound)
        #expect(try await device.register { $0.keyProof = good }.status == .ok)
        // From then on the key is known.
        #expect(try await device.register { $0.keyProof = nil }.status == .ok)
        let kept = try await server.store.read { try $0.devices.all(of: TestPerson.anna.subject) }
        #expect(kept.count == 2 && kept.allSatisfy { $0.details.keyProof == nil })
    }

    @Test func `names its person's number, and proves it by the code that comes there`() async throws {
        let device = try await server.authenticator()
        let named = try await device.register(json: Array("{\"phone_number\":\"+31612345678\"}".utf8))
        #expect(try named.json(DeviceRegistration.self).status == .pending)
        let wrong = try await device.register(json: Array("{\"verification_code\":\"x\"}".utf8))
        #expect(wrong.error == .invalidGrant)
        #expect(try await device.send(.get, "device").json(DeviceRegistration.self).status == .pending)
    }

    @Test(arguments: [
        "", "[]", "{\"model\":7}", "{\"phone_number\":\"0612345678\"}",
        "{\"phone_number\":\"junk\",\"model\":\"another\"}",
    ])
    func `is not changed by a body like this`(json: String) async throws {
        let device = try await server.authenticator()
        let before = try await server.store.read { try $0.devices.all(of: TestPerson.anna.subject) }
        #expect(try await device.register(json: Array(json.utf8)).error == .invalidRequest)
        #expect(try await server.store.read { try $0.devices.all(of: TestPerson.anna.subject) } == before)
    }

    @Test func `needs a token with its scope`() async throws {
        let tv = try await server.signedIn(.tv)
        let stranger = TestApprover(server: server, token: tv.accessToken)
        let nobody = TestApprover(server: server, token: AccessToken(revealing: "nobody's"))
        for (method, path) in [(HTTPRequest.Method.get, "device"), (.delete, "device"), (.get, "inbox")] {
            #expect(try await stranger.send(method, path).status == .forbidden)
            #expect(try await nobody.send(method, path).status == .unauthorized)
        }
        #expect(try await stranger.register().status == .forbidden)
        #expect(try await stranger.look(SignInRequest.ID("x")).status == .forbidden)
    }

    @Test func `takes its push address from the app that had it before`() async throws {
        let (first, second) = (try await server.authenticator(), try await server.authenticator(of: .bert))
        _ = try await first.register { $0.pushToken = "one" }
        _ = try await second.register { $0.pushToken = "one" }
        #expect(try await first.send(.get, "device").json(DeviceRegistration.self).pushToken == nil)
        #expect(try await second.send(.get, "device").json(DeviceRegistration.self).pushToken == "one")
    }

    @Test func `is listed on the account page, pointed out while it is new, and signed out there`() async throws {
        let device = try await server.authenticator()
        _ = try await device.register { $0.model = "Handy <b>" }
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("account")
        #expect(page.text.contains("Handy &lt;b&gt;") && page.text.contains("An authenticator was added"))
        #expect(page.text.contains("ask whoever runs this server for a new password"))
        let id = try #require(page.field("device"))
        let bert = try await server.browser(of: .bert)
        _ = try await bert.confirm("account/devices/remove", ["device": id])
        #expect(try await device.inbox().status == .ok)
        let done = try await anna.confirm("account/devices/remove", ["device": id])
        #expect(done.location?.hasSuffix("done=device-removed") == true)
        #expect(try await device.inbox().status == .unauthorized)
        #expect(try await server.rows(of: "devices") == 0)
    }

    @Test func `is not pointed out after a day`() async throws {
        _ = try await server.authenticator()
        server.clock.advance(by: .seconds(86_400))
        let page = try await server.browser(of: .anna).get("account").text
        #expect(!page.contains("An authenticator was added") && page.contains("Handy"))
    }

    @Test(arguments: ["0", "86400"])
    func `lets its person be left alone`(seconds: String) async throws {
        let device = try await server.authenticator()
        #expect(try await device.send(.put, "quiet", ["seconds": seconds]).status == .noContent)
        let kept = try await server.store.read { try $0.devices.quiet(of: TestPerson.anna.subject) }
        #expect(kept == server.clock.date + (Double(seconds) ?? 0))
    }

    @Test(arguments: ["", "-1", "+1", "86401", "x", "9999999999999999999999"])
    func `is not quiet for a time like this`(seconds: String) async throws {
        let device = try await server.authenticator()
        #expect(try await device.send(.put, "quiet", ["seconds": seconds]).error == .invalidRequest)
    }

    // MARK: Sites

    private static let environment = CustomerSiteID("6d2f1c1e-8a3d-4b0e-9c55-0123456789ab")

    /// Adds a site with a ticket for a person.
    private func ticket(
        _ text: String,
        at server: TestServer,
        for person: TestPerson = .anna,
        in environment: CustomerSiteID = Self.environment
    ) async throws -> Form {
        let ticket = EnrollmentTicket(revealing: text)
        let now = server.clock.date
        try await server.change { repositories in
            if try repositories.clients.find(ClientID(environment.rawValue)) == nil {
                try repositories.clients.insert(
                    Client(
                        id: ClientID(environment.rawValue), name: "The bank", kind: .public, grantTypes: [],
                        scope: .none, tokenFormat: .opaque, created: now))
            }
            try repositories.enrollmentTickets.insert(
                EnrollmentTicketRecord(
                    digest: ticket.digest, subject: person.subject, environment: environment, made: now,
                    expires: now + 60))
        }
        return ["ticket": text]
    }

    @Test func `joins a site by a ticket, lists it, and leaves it`() async throws {
        let device = try await server.authenticator()
        let path = "environments/\(Self.environment)"
        let good = try await ticket("good", at: server)
        #expect(try await device.send(.put, path, good).status == .noContent)
        #expect(try await device.send(.put, path, good).status == .noContent)
        let listed = try await device.send(.get, "environments").json([CustomerSiteListing].self)
        #expect(listed == [CustomerSiteListing(id: Self.environment, name: "The bank")])
        #expect(try await server.audited(.environmentJoined).count == 1)
        // Another device of the same person needs another ticket.
        let second = try await server.authenticator()
        #expect(try await second.send(.put, path, good).error == .invalidGrant)
        #expect(try await device.send(.delete, path).status == .noContent)
        #expect(try await device.send(.delete, path).status == .noContent)
        #expect(try await device.send(.get, "environments").json([CustomerSiteListing].self) == [])
        #expect(try await server.audited(.environmentLeft).count == 1)
    }

    @Test func `joins no site by a ticket that is not good`() async throws {
        let device = try await server.authenticator()
        let path = "environments/\(Self.environment)"
        let other = CustomerSiteID("00000000-0000-4000-8000-000000000000")
        let forms: [Form] = [
            ["ticket": "unknown"], try await ticket("another's", at: server, for: .bert),
            try await ticket("elsewhere", at: server, in: other),
        ]
        for form in forms { #expect(try await device.send(.put, path, form).error == .invalidGrant) }
        let late = try await ticket("late", at: server)
        server.clock.advance(by: .seconds(60))
        #expect(try await device.send(.put, path, late).error == .invalidGrant)
        #expect(try await device.send(.put, "environments/x", late).error == .invalidRequest)
    }
}
