import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// A request that needs more evidence than a person with a code.
@Suite("The least evidence of a request")
struct RequestedEvidenceTests {
    private static let play = ScopeWord("play")
    private static let all: Form = [
        "scope": "openid play", "nearby_challenge": NearbyVerifier(drawingFrom: .system).challenge.description,
    ]

    /// Asks as a screen of the test's choice.
    private func start(
        _ form: Form, showingNumbers: Bool = false, at server: TestServer
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if showingNumbers { headers[.prefer] = NumberPreference().headerValue }
        return try await server.post(
            server.path("device_authorization"), try TestClients.tv.form.with(form), headers: headers)
    }

    private func grant(of codes: DeviceAuthorizationResponse, at server: TestServer) async throws -> Grant? {
        try await server.store.read { try $0.exchanges.find(codes.deviceCode.digest)?.exchange.grant }
    }

    /// Demands, and whether a screen that looks for phones or that shows a number can meet them.
    private static let cases: [(Set<ScopeDemands.Demand>, nearby: Bool, number: Bool)] = [
        ([.nearby], nearby: true, number: false), ([.deviceKey], nearby: true, number: false),
        ([.number], nearby: true, number: true), ([.number, .userVerified], nearby: false, number: true),
        ([.nearby, .userVerified], nearby: false, number: false),
    ]

    @Test(arguments: cases)
    func `is asked of a screen that offers a way to it, and of no other`(
        demands: Set<ScopeDemands.Demand>, nearby: Bool, number: Bool
    ) async throws {
        let minimum = [Self.play: ScopeDemands(demands)]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            let plain = try await start(["scope": "openid play"], at: server)
            #expect(plain.status == .badRequest && plain.error == .unmetAuthenticationRequirements)
            #expect(try await start(["scope": "openid"], at: server).status == .ok)
            #expect(try await start(Self.all, at: server).status == (nearby ? .ok : .badRequest))
            let shown = try await start(["scope": "openid play"], showingNumbers: true, at: server)
            #expect(shown.status == (number ? .ok : .badRequest))
        }
    }

    @Test func `is asked for by a class of authentication, as a service demands it`() async throws {
        try await TestServer.open { server in
            for wanted in [AuthenticationClass.nearby, .deviceKey, .number].map(\.rawValue) {
                let plain = try await start(["scope": "openid", "acr_values": wanted], at: server)
                #expect(plain.error == .unmetAuthenticationRequirements, "\(wanted)")
                let either = ["urn:countersign:acr:passkey", wanted].joined(separator: " ")
                #expect(try await start(["scope": "openid", "acr_values": either], at: server).status == .ok)
            }
            let unknown = try await start(["scope": "openid", "acr_values": "urn:x"], at: server)
            #expect(unknown.status == .ok)
        }
    }

    /// Standard: OpenID Connect Core 1.0 §3.1.2.1 (`max_age`).
    @Test(arguments: [("99", true), ("101", false), ("0", true), ("99999999999999999999", false)])
    func `is a sign-in that is not older than the client says, or another one`(
        age: String, mustSignIn: Bool
    ) async throws {
        try await TestServer.open { server in
            let anna = try await server.browser(of: .anna)
            let first = server.clock.date
            server.clock.advance(by: .seconds(100))
            let codes = try await start(["scope": "openid", "max_age": age], at: server)
                .json(DeviceAuthorizationResponse.self)
            try await anna.take(codes)
            server.clock.advance(by: .seconds(5))
            let answer = try await anna.answer("approve", codes)
            #expect(answer.location?.hasPrefix(mustSignIn ? "/login?" : "/activate/result?") == true)
            if mustSignIn {
                #expect(try await grant(of: codes, at: server) == nil)
                let again = try await anna.signInAgain(sentBy: answer).browser
                try await again.take(codes)
                #expect(try await again.answer("approve", codes).location?.hasPrefix("/activate/result?") == true)
            }
            let idToken = try #require(try await server.poll(codes).json(TokenResponse.self).idToken)
            let authenticated = try #require(try await server.read(idToken.revealed).number("auth_time"))
            #expect((authenticated > first.numericDate) == mustSignIn)
        }
    }

    @Test(arguments: ["-1", "soon", "1.5"])
    func `is no age that is none`(age: String) async throws {
        try await TestServer.open { server in
            let refused = try await start(["scope": "openid", "max_age": age], at: server)
            #expect(refused.error == .invalidRequest)
        }
    }

    /// A relay sends the code with its link, and the victim types it: that is not enough.
    @Test func `is the number of the screen, though the code was typed next to it`() async throws {
        let minimum = [Self.play: ScopeDemands([.number])]
        try await TestScreenByLink.behindProxy(configuring: { $0.minimumEvidence = minimum }) { server in
            let screen = try await TestScreenByLink.asking(server, scope: "openid play")
            let anna = try await server.browser(of: .anna)
            let home = TestScreenByLink.home
            #expect(try await screen.type(anna, at: home).location?.hasPrefix("/activate/confirm?") == true)
            let number = try #require(try await screen.number())
            let page = try await screen.page(anna)
            #expect(page.contains("name=\"number\"") && page.contains("needs the number that it now shows"))
            let without = try await screen.answer("approve", anna, at: home)
            #expect(without.location?.hasSuffix("&number=wrong") == true)
            let wrong = TestScreenByLink.another(than: number)
            _ = try await screen.answer("approve", anna, number: wrong, at: home)
            #expect(try await screen.poll().error == .authorizationPending)
            let right = try await screen.answer("approve", anna, number: number, at: home)
            #expect(right.location?.hasPrefix("/activate/result") == true)
            let given = try #require(try await grant(of: screen.codes, at: server))
            let claim = EvidenceClaim(given.evidence)
            #expect(claim.isNumberMatched && claim.way == .code && claim.network == .same)
        }
    }

    /// The attack of THREATS 28: the attacker's program asks for the weak way only.
    @Test func `is not lowered by a request that offers or names only weaker ways`() async throws {
        let minimum = [Self.play: ScopeDemands([.nearby])]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            for classes in ["", "urn:countersign:acr:password", "urn:countersign:acr:number"] {
                let form: Form = ["scope": "openid play", "acr_values": classes]
                #expect(try await start(form, showingNumbers: true, at: server).status == .badRequest, "\(classes)")
            }
            // With a challenge that no phone answers, the code is shown, and is not enough either.
            var form = Self.all
            form["acr_values"] = "urn:countersign:acr:password"
            let codes = try await start(form, at: server).json(DeviceAuthorizationResponse.self)
            let anna = try await server.browser(of: .anna)
            try await anna.take(codes)
            let page = try await anna.answer("approve", codes)
            #expect(page.status == .forbidden && page.text.contains("Not from here"))
            #expect(try await grant(of: codes, at: server) == nil)
        }
    }

    @Test(arguments: [
        (ScopeDemands.Demand.nearby, "Let the screen look for a phone nearby"),
        (.deviceKey, "Answer in the app on your phone"),
    ])
    func `is named by the page that asks, which then offers to deny only`(
        demand: ScopeDemands.Demand, words: String
    ) async throws {
        let minimum = [Self.play: ScopeDemands([demand])]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            let codes = try await start(Self.all, at: server).json(DeviceAuthorizationResponse.self)
            let anna = try await server.browser(of: .anna)
            try await anna.take(codes)
            let page = try await anna.get("activate/confirm?user_code=\(codes.userCode)")
            #expect(page.status == .ok && page.text.contains(words), "\(page.text)")
            let buttons = Markup(page.text).all("button").filter { $0.attributes["name"] == "decision" }
            #expect(buttons.map { $0.attributes["value"] } == ["deny"])
            #expect(try await anna.answer("approve", codes).status == .forbidden)
            #expect(try await anna.answer("deny", codes).status == .seeOther)
        }
    }

    /// The person's code was typed on the screen, so that the request waits in their inbox, too.
    @Test func `is named to an approving device, which cannot meet it in its inbox`() async throws {
        let minimum = [Self.play: ScopeDemands([.nearby])]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            let device = try await server.authenticator()
            let code = try await server.browser(of: .anna).newCode()
            let form = try Self.all.with(["person_code": code.revealed])
            #expect(try await start(form, at: server).status == .ok)
            #expect(try await device.shown().response.approval?.obstacle == .nearby)
            #expect(try await device.decide(.approve).status == .forbidden)
            #expect(try await device.decide(.deny).status == .ok)
            let plain = try await server.browser(of: .anna).newCode()
            #expect(try await start(["scope": "openid", "person_code": plain.revealed], at: server).status == .ok)
            #expect(try await device.shown().response.approval?.obstacle == nil)
        }
    }

    @Test func `of a client counts for all that it asks for, and for each grant`() async throws {
        try await TestServer.open(withApps: true) { server in
            try await server.change(.tv) { $0.minimumEvidence = ScopeDemands([.nearby]) }
            #expect(try await start(["scope": "openid"], at: server).error == .unmetAuthenticationRequirements)
            let screen = try await server.screenNearby(scope: "openid")
            // What the operator changes later counts for later requests.
            try await server.change(.tv) { $0.minimumEvidence = .none }
            let anna = try await server.browser(of: .anna)
            try await anna.take(screen.codes)
            #expect(try await anna.answer("approve", screen.codes).status == .forbidden)
            #expect(try await start(["scope": "openid"], at: server).status == .ok)

            let shop = TestApps.shop
            try await server.change { repositories in
                var client = try #require(try repositories.clients.find(shop.id))
                client.minimumEvidence = ScopeDemands([.deviceKey])
                try repositories.clients.update(client)
            }
            let refused = try await anna.get("authorize?\(shop.request.form.encoded)")
            #expect(refused.authorization?.error == .unmetAuthenticationRequirements)
        }
    }

    @Test func `is met by the phone nearby, which adds that it is there to a code that was typed`() async throws {
        let minimum = [Self.play: ScopeDemands([.nearby])]
        try await TestServer.open(configuring: { $0.minimumEvidence = minimum }) { server in
            let screen = try await server.screenNearby(scope: "openid play")
            let anna = try await server.browser(of: .anna)
            try await anna.take(screen.codes)
            let phone = try await server.phone()
            #expect(try await phone.decide(.approve, screen).status == .ok)
            let given = try #require(try await grant(of: screen.codes, at: server))
            #expect(given.evidence.isNearby)
            let claim = EvidenceClaim(given.evidence)
            #expect(claim.way == .nearby && claim.proximity == .link && claim.hasDeviceKey && claim.isNumberMatched)
            let tokens = try await screen.poll(over: screen.link).json(TokenResponse.self)
            let read = try await server.read(try #require(tokens.idToken).revealed)
            #expect(try read.evidence() == claim)
            #expect(read.claims["amr"] as? [String] == ["pwd", "pop"])
        }
    }

    @Test func `over the back channel is the key of the device, which no page has`() async throws {
        try await TestServer.open { server in
            let client = try await TestBackchannelClient.add(to: server)
            let device = try await server.authenticator()
            let wanted = AuthenticationClass.deviceKey.rawValue
            let asked = try await client.asked(["acr_values": wanted])
            let anna = try await server.browser(of: .anna)
            let id = try #require(try await anna.openQuestion().field("request"))
            let page = try await anna.post("activate/decision", ["request": id, "decision": "approve"])
            #expect(page.status == .forbidden && page.text.contains("your own device"))
            #expect(try await client.poll(asked).error == .authorizationPending)

            #expect(try await device.decide(.approve).status == .ok)
            server.clock.advance(by: .seconds(5))
            let tokens = try await client.poll(asked).json(TokenResponse.self)
            let read = try await server.read(try #require(tokens.idToken).revealed)
            #expect(read.text("acr") == wanted)
            let claim = try read.evidence()
            #expect(claim.way == .push && claim.hasDeviceKey && claim.proximity == .none)
            let far = try await client.ask(["acr_values": "urn:countersign:acr:nearby"])
            #expect(far.error == .unmetAuthenticationRequirements)
        }
    }
}
