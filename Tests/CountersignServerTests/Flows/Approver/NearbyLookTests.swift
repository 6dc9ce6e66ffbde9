import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("A look at the request of a screen nearby", .server)
struct NearbyLookTests {
    let server = TestServer.current

    @Test func `shows who asks for what, from where and since when, each with its provenance`() async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby(scope: "openid play")
        server.clock.advance(by: .seconds(20))

        let shown = try await phone.shown(screen).response
        #expect(shown.client == .asserted(TestClients.tv.id))
        #expect(shown.clientName == .asserted("The tv"))
        #expect(shown.scope == Scope([.openid, ScopeWord("play")]))
        #expect(shown.address == "192.0.2.1" && shown.sameNetwork == .yes)
        #expect(shown.asked == server.clock.date.numericDate - 20 && shown.expires == shown.asked + 300)
        #expect(shown.accountName == "Anna Ek")
        #expect(try await server.exchange(of: screen)?.request.id == shown.exchange)
    }

    @Test func `of a client with a secret says that it is verified`() async throws {
        let screen = try await server.screenNearby(as: .console)
        #expect(try await server.phone().shown(screen).response.client == .verified(TestClients.console.id))
    }

    @Test func `takes nothing, so that several phones may look`() async throws {
        let (annas, berts) = (try await server.phone(), try await server.phone(of: .bert))
        let screen = try await server.screenNearby()
        let looks = [
            try await annas.shown(screen).response, try await annas.shown(screen).response,
            try await berts.shown(screen).response,
        ]
        #expect(Set(looks.map(\.nonce.revealed)).count == 3)
        #expect(Set(looks.map(\.exchange)).count == 1)
        #expect(try await server.exchange(of: screen)?.state == .open)
    }

    @Test func `needs the verifier: a stranger’s own request with the code of the screen gets nowhere`() async throws {
        let phone = try await server.phone()
        let victim = try await server.screenNearby()
        let attacker = try await server.screenNearby(over: 9)
        // The attacker knows the code that the screen shows, and hands out a verifier of its own.
        let answer = try await phone.look(at: victim, showing: attacker.verifier)
        #expect(answer.status == .badRequest && answer.error == .invalidGrant)
        #expect(try await server.rows(of: "decision_nonces") == 0)
    }

    @Test func `is answered alike for what is unknown, over, decided, another’s, or asked with a wrong verifier`()
        async throws
    {
        let phone = try await server.phone()
        let screen = try await server.screenNearby()
        let decided = try await server.screenNearby()
        // The person who answers is told where they did.
        #expect(try await server.phone(of: .bert).decide(.deny, decided).status == .ok)
        let plain = try await server.ask()
        func named(_ code: String, _ verifier: NearbyVerifier) -> TestScreenNearby {
            let codes = DeviceAuthorizationResponse(
                deviceCode: screen.codes.deviceCode,
                userCode: UserCodeText(code),
                verificationURI: "",
                verificationURIComplete: nil,
                expiresIn: 1,
                interval: 5
            )
            return TestScreenNearby(server: server, client: .tv, codes: codes, verifier: verifier, link: screen.link)
        }
        var answers = [
            try await phone.look(at: screen, showing: NearbyVerifier(drawingFrom: .system)),
            try await phone.look(at: named("BCDF-GHJK", screen.verifier)),
            try await phone.look(at: named("no code at all", screen.verifier)),
            try await phone.look(at: named(plain.userCode.rawValue, screen.verifier)),
            try await phone.look(at: decided),
        ]
        server.clock.advance(by: .seconds(300))
        answers.append(try await phone.look(at: screen))
        for answer in answers {
            #expect(answer.status == .badRequest && answer.text == answers[0].text)
            #expect(answer.headers == answers[0].headers)
        }
    }

    @Test(arguments: [
        ["method": "nearby", "user_code": "WDJB-MJHT"], ["method": "nearby", "verifier": "x"],
        ["method": "nearby", "user_code": "WDJB-MJHT", "verifier": "x"],
        ["method": "nearby", "user_code": "WDJB-MJHT", "verifier": String(repeating: "A", count: 44)],
        ["method": "nearby"], ["method": "other"], ["method": "inbox"], ["method": "authorization"], Form(),
    ])
    func `that is malformed is refused`(form: Form) async throws {
        let phone = try await server.phone()
        let headers: HTTPFields = [.authorization: BearerHeader.value(for: phone.token)]
        for path in ["approver/look", "approver/decide"] {
            let answer = try await server.post(server.path(path), form, headers: headers)
            #expect(answer.status == .badRequest && answer.error == .invalidRequest)
        }
    }

    @Test(arguments: ["approver/look", "approver/decide"])
    func `is for apps with the scope nearby_approve only`(path: String) async throws {
        func answer(_ token: AccessToken?) async throws -> TestResponse {
            var headers: HTTPFields = [:]
            headers[.authorization] = token.map { BearerHeader.value(for: $0) }
            return try await server.post(server.path(path), ["user_code": "x"], headers: headers)
        }
        let none = try await answer(nil)
        #expect(none.status == .unauthorized)
        #expect(none.headers[.wwwAuthenticate] == "Bearer realm=\"countersign\", DPoP algs=\"ES256 RS256\"")
        let wrong = try await answer(AccessToken(revealing: "wrong"))
        #expect(wrong.status == .unauthorized)
        #expect(wrong.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
        let tv = try await answer(try await server.signedIn().accessToken)
        #expect(tv.status == .forbidden)
        #expect(tv.headers[.wwwAuthenticate]?.contains("scope=\"nearby_approve\"") == true)
        let half = try await answer(try await server.phone(scope: "openid").token)
        #expect(half.status == .forbidden)
    }

    @Test func `is refused to a locked account, to an app that is gone, and after signing out`() async throws {
        let (annas, berts) = (try await server.phone(), try await server.phone(of: .bert))
        let screen = try await server.screenNearby()
        try await server.lock(.anna)
        #expect(try await annas.look(at: screen).status == .unauthorized)
        #expect(try await berts.look(at: screen).status == .ok)
        try await server.change { _ = try $0.clients.remove(TestServer.phoneApp) }
        #expect(try await berts.look(at: screen).status == .unauthorized)
    }

    @Test(.server { $0.limits[.approverPerAccount] = Limit(2, in: 60) })
    func `is held to limits for each account, right or wrong`() async throws {
        let (annas, berts) = (try await server.phone(), try await server.phone(of: .bert))
        let screen = try await server.screenNearby()
        #expect(try await annas.look(at: screen).status == .ok)
        let wrong = NearbyVerifier(drawingFrom: .system)
        #expect(try await annas.look(at: screen, showing: wrong).status == .badRequest)
        #expect(try await annas.look(at: screen).status == .tooManyRequests)
        #expect(try await berts.look(at: screen).status == .ok)
    }

    @Test(
        .server { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] },
        arguments: [
            (String?.some("192.0.2.7"), "192.0.2.7", SameNetwork.yes), ("192.0.2.7", "192.0.2.8", .no),
            ("2001:db8:1:2::3", "2001:db8:1:2:4::5", .yes), ("2001:db8:1:2::3", "2001:db8:1:3::3", .no),
            ("192.0.2.7", "2001:db8::1", .unknown), (String?.none, "192.0.2.7", .unknown),
        ])
    func `tells whether both are seen in the same network`(
        screen: String?,
        phone: String,
        expected: SameNetwork
    ) async throws {
        let asking = try await server.screenNearby(from: screen)
        #expect(try await server.phone(at: phone).shown(asking).response.sameNetwork == expected)
    }

    @Test func `is forgotten when the request is over`() async throws {
        _ = try await server.phone().shown(try await server.screenNearby())
        #expect(try await server.rows(of: "decision_nonces") == 1)
        server.clock.advance(by: .seconds(301))
        try await server.maintenance().sweep()
        #expect(try await server.rows(of: "decision_nonces") == 0)
    }
}
