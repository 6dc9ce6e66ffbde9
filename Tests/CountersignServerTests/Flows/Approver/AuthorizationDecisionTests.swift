import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("A signed decision about the authorization request of another app", .server(withApps: true))
struct AuthorizationDecisionTests {
    let server = TestServer.current

    @Test(arguments: TestApps.allCases.filter { $0 != .bank })
    func `gives a code that is worth tokens`(app: TestApps) async throws {
        let phone = try await server.providersApp()
        let said = try await phone.decide(.approve, app.request.form.encoded).confirmation
        #expect(
            said.outcome == .approved && said.location?.isAnswer(to: .authorization, at: app.redirectURIs[0]) == true)
        let answer = try #require(said.location?.response)
        #expect(answer.state == app.request.state && answer.issuer == server.issuer.text)
        let tokens = try await server.redeem(try #require(answer.code), as: app).json(TokenResponse.self)
        #expect(tokens.scope == Scope([.openid, .profile]))
        #expect(try await server.honours(tokens.accessToken))
        let claims = try #require(tokens.idToken.flatMap { CompactJWS($0.revealed) }?.payload)
        let token = try JSONDecoder().decode(IDTokenClaims.self, from: Data(claims))
        #expect(token.subject == TestPerson.anna.subject && token.nonce == "a nonce")
        #expect(token.evidence?.way == .app && token.evidence?.hasDeviceKey == true)
    }

    /// The page of the server cannot sign an answer.
    @Test func `meets what demands the key of a device, which the browser does not`() async throws {
        let app = TestApps.native
        try await server.change { repositories in
            var client = try #require(try repositories.clients.find(app.id))
            client.minimumEvidence = ScopeDemands([.deviceKey])
            try repositories.clients.update(client)
        }
        let anna = try await server.browser(of: .anna)
        let refused = try await anna.get("authorize?\(app.request.form.encoded)")
        #expect(refused.authorization?.error == .unmetAuthenticationRequirements)
        let phone = try await server.providersApp()
        let said = try await phone.decide(.approve, app.request.form.encoded).confirmation
        #expect(said.outcome == .approved)
    }

    @Test func `is kept as proof, and its evidence says what it is`() async throws {
        let phone = try await server.providersApp()
        let looked = try await phone.looked(at: .native)
        let signed = try phone.signed(phone.claims(on: looked))
        let answer = try await phone.send(signed, on: looked.parameters)
        #expect(answer.status == .ok && answer.headers[.cacheControl] == "no-store")
        let exchange = looked.response.exchange
        let kept = try await server.store.read { repositories in
            (try repositories.signedDecisions.find(exchange), try repositories.exchanges.find(exchange))
        }
        #expect(kept.0?.signed == signed && kept.0?.subject == TestPerson.anna.subject)
        let grant = try #require(kept.1?.exchange.grant)
        #expect(grant.evidence.proofs.contains(.decisionSigned) && grant.evidence.isNearby)
        let audited = try #require(try await server.audited(.approved).last)
        #expect(audited.request == exchange && audited.by == .person)
        let detail = try #require(audited.detail)
        let thumbprint = try phone.publicKey.thumbprint
        #expect(detail.contains("redirected decision_signed") && detail.contains(thumbprint))
        // No row holds the code.
        let code = try #require(try answer.confirmation.location?.response?.code)
        #expect(try server.databaseBytes().range(of: Data(code.revealed.utf8)) == nil)
    }

    @Test func `tells the client of a denial, and remembers nothing of it`() async throws {
        let phone = try await server.providersApp()
        let parameters = TestApps.shop.request.form.encoded
        let said = try await phone.decide(.deny, parameters).confirmation
        #expect(said.outcome == .denied && said.location?.response?.error == .accessDenied)
        #expect(try await phone.looked(at: .shop).response.isAllowedBefore == false)
        #expect(try await server.audited(.denied).count == 1)
    }

    @Test func `brings an approval to the browser once the sign-in is too old, and no denial`() async throws {
        let phone = try await server.providersApp()
        let parameters = "\(TestApps.shop.request.form.encoded)&max_age=60"
        let looked = try await phone.looked(at: parameters)
        server.clock.advance(by: .seconds(60))
        let approved = try await phone.send(phone.claims(on: looked), on: parameters)
        let said = try approved.json(ApproverErrorResponse.self)
        #expect(approved.status == .forbidden && said.obstacle == .other)
        let denied = try await phone.send(phone.claims(on: looked, .deny), on: parameters)
        #expect(denied.status == .badRequest && denied.error == .invalidGrant)
    }

    @Test func `remembers what the person wants remembered, and then needs no person where nobody else can ask`()
        async throws
    {
        let phone = try await server.providersApp()
        for app in [TestApps.shop, .native] {
            let parameters = app.request.form.encoded
            #expect(try await phone.decide(.unasked, parameters).error == .accessDenied)
            #expect(try await phone.decide(.approve, parameters).status == .ok)
            #expect(try await phone.looked(at: app).response.isAllowedBefore == false)
            #expect(try await phone.decide(.remember, parameters).status == .ok)
            let unasked = try await phone.decide(.unasked, parameters)
            if app == .shop {
                #expect(try unasked.confirmation.outcome == .approved)
                #expect(try await server.audited(.approved).last?.by == .server)
            } else {
                #expect(unasked.error == .accessDenied)
            }
        }
        let insisting = "\(TestApps.shop.request.form.encoded)&prompt=consent"
        #expect(try await phone.decide(.unasked, insisting).error == .accessDenied)
    }

    @Test(arguments: [DecisionClaims.Answer.approve, .remember, .deny])
    func `counts once, whatever is decided`(answer: DecisionClaims.Answer) async throws {
        let phone = try await server.providersApp()
        let looked = try await phone.looked(at: .shop)
        let first = phone.claims(on: looked, answer)
        #expect(try await phone.send(first, on: looked.parameters).status == .ok)
        var again = first
        again.id = "another one"
        again.answer = answer == .deny ? .approve : .deny
        for claims in [first, again] {
            let answer = try await phone.send(claims, on: looked.parameters)
            #expect(answer.status == .badRequest && answer.error == .invalidGrant)
        }
        #expect(try await server.rows(of: "signed_decisions") == 1)
    }

    @Test(.server(withApps: true) { $0.limits[.approverPerAccount] = nil })
    func `gives one code when it arrives 200 times at once`() async throws {
        let phone = try await server.providersApp()
        let looked = try await phone.looked(at: .shop)
        let signed = try phone.signed(phone.claims(on: looked))
        let answers = try await withThrowingTaskGroup(of: TestResponse.self) { group in
            for _ in 0..<200 { group.addTask { try await phone.send(signed, on: looked.parameters) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0.status == .ok } == 1)
        #expect(answers.count { $0.error == .invalidGrant } == 199)
        #expect(try await server.audited(.approved).count { $0.client == TestApps.shop.id } == 1)
    }

    @Test func `is refused from a locked person and from an app that was signed out`() async throws {
        let (annas, berts) = (try await server.providersApp(), try await server.providersApp(of: .bert))
        let (first, second) = (try await annas.looked(at: .shop), try await berts.looked(at: .shop))
        try await server.lock(.anna)
        #expect(try await annas.send(annas.claims(on: first), on: first.parameters).status == .unauthorized)
        let revocation: Form = ["token": berts.token.revealed, "client_id": "providers-app"]
        #expect(try await server.post(server.path("revoke"), revocation).status == .ok)
        #expect(try await berts.send(berts.claims(on: second), on: second.parameters).status == .unauthorized)
        #expect(try await server.rows(of: "signed_decisions") == 0)
    }

    /// A change that an administrator makes to the shop while the person thinks.
    enum ConcurrentChange: String, CaseIterable {
        case removed, movedAway, givenLess, barredFromCodes, switchedToPushing
    }

    @Test(arguments: ConcurrentChange.allCases)
    func `is refused when the client changed since the look`(interference: ConcurrentChange) async throws {
        let phone = try await server.providersApp()
        let looked = try await phone.looked(at: .shop)
        try await server.change { repositories in
            var shop = try #require(try repositories.clients.find(TestApps.shop.id))
            switch interference {
            case .removed:
                _ = try repositories.clients.remove(shop.id)
                return
            case .movedAway: shop.redirects.redirectURIs = ["https://elsewhere.example/done"]
            case .givenLess: shop.scope = Scope([.openid])
            case .barredFromCodes: shop.grantTypes = [.refreshToken]
            case .switchedToPushing: shop.redirects.requiresPushedRequests = true
            }
            try repositories.clients.update(shop)
        }
        let answer = try await phone.send(phone.claims(on: looked), on: looked.parameters)
        #expect(answer.status == .badRequest && answer.error == .invalidGrant)
        #expect(try await server.rows(of: "signed_decisions") == 0)
    }
}
