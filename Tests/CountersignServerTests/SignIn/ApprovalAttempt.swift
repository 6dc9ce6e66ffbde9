import Countersign
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// An approval by Anna that is brought up to its last step, where something may stand against it.
struct ApprovalAttempt: Sendable {
    private let step: LastStep

    /// The step that is left to do.
    private enum LastStep: Sendable {
        case page(TestBrowser, DeviceAuthorizationResponse)
        case browserSignIn(TestBrowser, DeviceAuthorizationResponse)
        case nearby(TestApprover, TestApprover.Shown<NearbyLook>, TestScreenNearby, NearbyFinding.Proof)
        case automatic(TestDevice)
        case appToApp(TestApprover, TestApprover.Shown<AuthorizationLook>)
        case activation(TestApprover, TestApprover.Shown<ActivationLook>)
        case exchange(TestProvider, Form)
        case backchannel(TestBrowser, request: String)
        case textLink(TestBrowser, AuthenticationRequest)
        case authorize(TestBrowser, authorization: String)
        case authenticator(TestApprover, TestApprover.Shown<InboxLook>)
        case legacyDevice(TestLegacyPhone, AuthenticationRequest, CustomerSiteSecret)
        case password(TestCustomer, AuthenticationRequest, pin: String)
        case ticket(TestServer, EnrollmentTicket)
    }

    init(_ way: WayIn, against obstacle: Obstacle, at server: TestServer) async throws {
        let asking: Asking
        switch way {
        case .page:
            let codes = try await server.ask(scope: obstacle == .policy ? "openid play" : nil)
            // A request is held for two minutes, which must reach over its deadline here.
            if obstacle == .expired { server.clock.advance(by: .seconds(250)) }
            let anna = try await server.browser(of: .anna)
            try await anna.take(codes)
            step = .page(anna, codes)
            asking = Asking(client: TestClients.tv.id, codes: codes)
        case .personCode:
            let anna = try await server.browser(of: .anna)
            let scope = obstacle == .policy ? "openid play" : nil
            _ = try await server.asked(typing: try await anna.newCode(), scope: scope)
            step = .backchannel(anna, request: try #require(try await anna.startedRequest()).rawValue)
            asking = Asking(client: TestClients.tv.id, codes: nil)
        case .browserSignIn:
            let browser = try await TestAskingBrowser.asking(server)
            let cookie = try #require(browser.cookies["countersign-asking-8080"].flatMap { BrowserRequestCookie($0) })
            let codes = DeviceAuthorizationResponse(
                deviceCode: cookie.code, userCode: UserCodeText(cookie.userCode.description),
                verificationURI: server.issuer.appending("activate"), verificationURIComplete: nil, expiresIn: 300,
                interval: 5)
            if obstacle == .expired { server.clock.advance(by: .seconds(250)) }
            let anna = try await server.browser(of: .anna)
            try await anna.take(codes)
            step = .browserSignIn(anna, codes)
            asking = Asking(client: Client.signInPage.id, codes: codes)
        case .nearby:
            let phone = try await server.phone(at: "198.51.100.1")
            let screen = try await server.screenNearby(from: "203.0.113.1")
            let proof: NearbyFinding.Proof = obstacle == .policy ? .paired(at: 1_790_000_000) : .code
            step = .nearby(phone, try await phone.shown(screen), screen, proof)
            asking = Asking(client: TestClients.tv.id, codes: screen.codes)
        case .automatic:
            let device = try await server.newDevice()
            try await device.signedIn(.radio)
            step = .automatic(device)
            asking = Asking(client: device.id, codes: nil)
        case .appToApp:
            let (app, created) = (TestApps.native, server.clock.date)
            try await server.change { try $0.clients.insert(app.record(created: created)) }
            let phone = try await server.providersApp()
            step = .appToApp(phone, try await phone.looked(at: app))
            asking = Asking(client: app.id, codes: nil)
        case .activation:
            let phone = try await server.providersApp()
            let screen = try await server.screenHere()
            step = .activation(phone, try await phone.shown(screen))
            asking = Asking(client: TestClients.tv.id, codes: screen.codes)
        case .exchange:
            let other = try await OpenIDProvider.start(clock: server.serverClock, drawingFrom: .system)
            let provider = TestProvider(
                server: server,
                other: other,
                record: try await server.add(other, as: "work"),
                clock: server.clock
            )
            try await provider.connect()
            try await server.change(.tv) { $0.grantTypes.append(.tokenExchange) }
            let token = SubjectToken(revealing: try await provider.idToken())
            let request = TokenRequest.tokenExchange(TokenExchangeRequest(token, of: .idToken))
            step = .exchange(provider, try request.form.with(TestClients.tv.form))
            asking = Asking(client: TestClients.tv.id, codes: nil)
        case .backchannel:
            let client = TestBackchannelClient(server: server)
            try await client.register()
            _ = try await client.asked(obstacle == .policy ? ["scope": "openid play"] : [:])
            if obstacle == .expired { server.clock.advance(by: .seconds(250)) }
            let anna = try await server.browser(of: .anna)
            let id = try #require(try await anna.question())
            _ = try await anna.post("activate", ["request": id])
            step = .backchannel(anna, request: id)
            asking = Asking(client: client.id, codes: nil)
        case .textLink:
            let register = CustomerSiteRegistry(
                of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
            let (environment, secret) = try await register.add(CustomerSiteDraft(name: "My Bank"))
            let customer = TestCustomer(server: server, environment: environment, secret: secret)
            try await customer.give(TestCustomer.anna, to: .anna)
            let asked = try await customer.open(.instant, ["message_type": "\"sms\""])
            step = .textLink(try await server.newBrowser(), asked)
            asking = Asking(client: environment.client, codes: nil)
        case .authorize:
            let (app, created) = (TestApps.shop, server.clock.date)
            try await server.change { try $0.clients.insert(app.record(created: created)) }
            let anna = try await server.browser(of: .anna)
            let page = try await anna.authorize(app.request)
            step = .authorize(anna, authorization: try #require(page.unescapedField("authorization")))
            asking = Asking(client: app.id, codes: nil)
        case .authenticator:
            let client = TestBackchannelClient(server: server)
            try await client.register()
            let device = try await server.authenticator()
            _ = try await client.asked(obstacle == .policy ? ["scope": "openid play"] : [:])
            step = .authenticator(device, try await device.shown())
            asking = Asking(client: client.id, codes: nil)
        case .legacyDevice:
            let customer = try await TestCustomer.add(to: server) { $0.allowsLegacyDevices = true }
            let phone = try await TestLegacyPhone.add(to: customer)
            let secret = try await phone.joined()
            step = .legacyDevice(phone, try await customer.open(), secret)
            asking = Asking(client: customer.environment.client, codes: nil)
        case .password:
            let customer = try await TestCustomer.add(to: server)
            let asked = try await customer.open(.oneTimePassword)
            step = .password(customer, asked, pin: try await customer.password(of: asked))
            asking = Asking(client: customer.environment.client, codes: nil)
        case .ticket:
            try await server.addAuthenticatorApp()
            step = .ticket(server, try await server.ticket())
            asking = Asking(client: TestApprover.app, codes: nil)
        }
        try await asking.meet(obstacle, at: server)
    }

    /// Takes the last step; whether it approved.
    func approve() async throws -> Bool {
        switch step {
        case .page(let browser, let codes), .browserSignIn(let browser, let codes):
            return try await browser.answer("approve", codes).location?.hasPrefix("/activate/result?") == true
        case .nearby(let phone, let shown, let screen, let proof):
            return try await phone.send(phone.claims(on: shown, over: screen.link, proof: proof)).status == .ok
        case .automatic(let device):
            return try await device.associate(.news).members == ["device_code", "expires_in"]
        case .appToApp(let phone, let looked):
            let answer = try await phone.send(phone.claims(on: looked), on: looked.parameters)
            return answer.status == .ok ? try answer.confirmation.outcome == .approved : false
        case .activation(let phone, let shown):
            let answer = try await phone.send(try phone.claims(on: shown))
            return answer.status == .ok ? try answer.confirmation.outcome == .approved : false
        case .exchange(let provider, let form):
            return try await provider.server.post("/token", form).status == .ok
        case .backchannel(let browser, let request):
            let answer = try await browser.post("activate/decision", ["request": request, "decision": "approve"])
            return answer.location?.hasPrefix("/activate/result?") == true
        case .textLink(let browser, let asked):
            let keys = try await browser.server.server.services.keys.current()
            let link = keys.link(to: SignInRequest.ID(asked.id.rawValue))
            let form: Form = ["link": link.text, "decision": "approve", "number": asked.number ?? ""]
            return try await browser.post("answer", form).location?.hasSuffix(link.path) == true
        case .authorize(let browser, let authorization):
            let form: Form = ["authorization": authorization, "decision": "approve"]
            return try await browser.post("authorize/decision", form).authorization?.code != nil
        case .authenticator(let device, let shown):
            return try await device.send(device.claims(on: shown)).status == .ok
        case .legacyDevice(let phone, let asked, let secret):
            return try await phone.answer(asked, by: phone.token(secret)).status == .ok
        case .password(let customer, let asked, let pin):
            return try await customer.check(pin, of: asked).status == .ok
        case .ticket(let server, let ticket):
            return try await server.redeem(ticket).status == .ok
        }
    }
}

/// The side that asks in such an attempt.
private struct Asking: Sendable {
    let client: ClientID
    let codes: DeviceAuthorizationResponse?

    func meet(_ obstacle: Obstacle, at server: TestServer) async throws {
        switch obstacle {
        case .nothing, .policy, .inGroup: break
        case .notInGroup: try await server.take(.anna, outOf: TestGroups.band)
        case .lockedPerson: try await server.lock(.anna)
        case .removedPerson: try await server.change { _ = try $0.people.remove(TestPerson.anna.subject) }
        case .removedClient: try await server.change { [client] in _ = try $0.clients.remove(client) }
        case .expired: server.clock.advance(by: .seconds(codes == nil ? 401 * 86_400 : 300))
        case .takenByAnother: try await server.browser(of: .bert).take(try #require(codes))
        case .decidedByAnother: try await server.browser(of: .bert).decide("approve", try #require(codes))
        }
    }
}
