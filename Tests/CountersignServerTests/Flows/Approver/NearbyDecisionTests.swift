import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import CountersignServer

@Suite("A decision made nearby", .server)
struct NearbyDecisionTests {
    let server = TestServer.current

    @Test func `signs the screen in over its link, and is kept and written down`() async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby(scope: "openid")
        #expect(try await screen.poll(over: screen.link).error == .authorizationPending)

        let answer = try await phone.decide(.approve, screen)
        #expect(answer.status == .ok)
        let said = try answer.json(ApproverDecideResponse.self)
        #expect(said.outcome == .approved)
        server.clock.advance(by: .seconds(5))
        let tokens = try await screen.poll(over: screen.link)
        #expect(tokens.status == .ok)
        #expect(try await server.honours(try tokens.json(TokenResponse.self).accessToken))

        let kept = try #require(try await server.store.read { try $0.signedDecisions.find(said.exchange) })
        let key = try phone.publicKey
        #expect(kept.subject == TestPerson.anna.subject && kept.key == key)
        #expect(try UnverifiedDecision(kept.signed).claims(signedBy: kept.key).answer == .approve)
        let audited = try #require(try await server.audited(.approved).last)
        #expect(audited.by == .person && audited.subject == TestPerson.anna.subject)
        #expect(audited.detail?.hasPrefix("account_password nearby_code (same network: yes), by phone") == true)
    }

    @Test func `leaves evidence of how, and of what the server saw`() async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby()
        let paired = server.clock.date.numericDate - 1_000
        try await phone.decide(.approve, screen, proof: .paired(at: paired))
        let evidence = try #require(try await server.exchange(of: screen)?.grant?.evidence)
        #expect(evidence.authenticated != nil)
        #expect(
            evidence.proofs.last
                == .nearby(
                    how: .paired(at: Date(timeIntervalSince1970: Double(paired))), sameNetwork: .yes)
        )
    }

    @Test(arguments: [-1, 0, 1_000, 1_400_000_000, 1_800_000_500])
    func `by a pairing of an impossible date is refused`(paired: Int) async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby()
        #expect(try await phone.decide(.approve, screen, proof: .paired(at: paired)).error == .invalidRequest)
    }

    @Test func `that denies ends the request`() async throws {
        let screen = try await server.screenNearby()
        #expect(try await server.phone().decide(.deny, screen).status == .ok)
        #expect(try await screen.poll(over: screen.link).error == .accessDenied)
        #expect(try await server.audited(.denied).count == 1)
    }

    @Test func `takes the request over from whoever was about to answer it`() async throws {
        let screen = try await server.screenNearby()
        let bert = try await server.browser(of: .bert)
        try await bert.take(screen.codes)
        #expect(try await server.phone().decide(.approve, screen).status == .ok)
        let late = try await bert.answer("approve", screen.codes)
        #expect(late.status == .seeOther || late.status == .gone || late.status == .conflict)
        #expect(try await server.exchange(of: screen)?.decider == TestPerson.anna.subject)
    }

    @Test func `can be undone on the account page, before and after the screen has its tokens`() async throws {
        let phone = try await server.phone()
        let anna = try await server.browser(of: .anna)
        let waiting = try await server.screenNearby()
        try await phone.decide(.approve, waiting)
        let grant = try #require(try await server.exchange(of: waiting)?.grant)
        #expect(try await anna.get("account").text.contains(grant.id.rawValue))
        _ = try await anna.post("account/undo", ["grant": grant.id.rawValue])
        #expect(try await waiting.poll(over: waiting.link).error == .accessDenied)

        let signedIn = try await server.screenNearby()
        try await phone.decide(.approve, signedIn)
        let tokens = try await signedIn.poll(over: signedIn.link).json(TokenResponse.self)
        let second = try #require(try await server.exchange(of: signedIn)?.grant)
        _ = try await anna.post("account/undo", ["grant": second.id.rawValue])
        #expect(try await !server.honours(tokens.accessToken))
    }

    // MARK: Keys

    @Test func `pins the key of the first one to this sign-in of the app, and takes no second`() async throws {
        var phone = try await server.phone()
        let (first, second) = (try await server.screenNearby(), try await server.screenNearby())
        #expect(try await phone.decide(.approve, first).status == .ok)
        let key = phone.key
        phone.key = P256.Signing.PrivateKey()
        let refused = try await phone.decide(.approve, second)
        #expect(refused.status == .badRequest && refused.error == .invalidRequest)
        #expect(try await server.exchange(of: second)?.decider == nil)
        phone.key = key
        #expect(try await phone.decide(.approve, second).status == .ok)
        // Another sign-in of the app may have another key.
        let third = try await server.screenNearby()
        #expect(try await server.phone().decide(.approve, third).status == .ok)
    }

    @Test func `needs the key at first use, and not later`() async throws {
        let phone = try await server.phone()
        let screen = try await server.screenNearby()
        let shown = try await phone.shown(screen)
        let claims = String(
            decoding: try JSONEncoder.wire.encode(phone.claims(on: shown, over: screen.link)), as: UTF8.self)
        let keyless = try phone.signed(header: #"{"alg":"ES256","typ":"countersign-decision+jwt"}"#, payload: claims)
        #expect(try await phone.send(keyless).error == .invalidRequest)
        let other = try await server.screenNearby()
        #expect(try await phone.decide(.approve, other).status == .ok)
        #expect(try await phone.send(keyless).status == .ok)
    }

    @Test(.server { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] })
    func `that policy refuses pins no key`() async throws {
        var phone = try await server.phone(at: "198.51.100.1")
        let screen = try await server.screenNearby(from: "203.0.113.1")
        #expect(try await phone.decide(.approve, screen, proof: .paired(at: 1_790_000_000)).error == .accessDenied)
        phone.key = P256.Signing.PrivateKey()
        #expect(try await phone.decide(.approve, screen).status == .ok)
    }

    // MARK: Policy

    @Test(
        .server { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] },
        arguments: [
            (NearbyFinding.Proof.code, "203.0.113.1", true), (.code, "198.51.100.1", true),
            (.paired(at: 1_790_000_000), "203.0.113.1", true), (.paired(at: 1_790_000_000), "198.51.100.1", false),
            (.paired(at: 1_790_000_000), "2001:db8::1", false),
        ])
    func `by a remembered pairing counts only in the same network, by digits anywhere`(
        proof: NearbyFinding.Proof,
        phone address: String,
        counts: Bool
    ) async throws {
        let phone = try await server.phone(at: address)
        let screen = try await server.screenNearby(from: "203.0.113.1")
        let answer = try await phone.decide(.approve, screen, proof: proof)
        #expect(answer.status == (counts ? .ok : .forbidden))
        if !counts {
            #expect(answer.error == .accessDenied)
            // The phone lets the person type the digits, and says so about what it showed.
            #expect(try await phone.decide(.approve, screen).status == .ok)
        }
    }

    @Test(.server { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] })
    func `by a pairing elsewhere may still deny`() async throws {
        let phone = try await server.phone(at: "198.51.100.1")
        let screen = try await server.screenNearby(from: "203.0.113.1")
        #expect(try await phone.decide(.deny, screen, proof: .paired(at: 1_790_000_000)).status == .ok)
    }

    @Test(.server { $0.minimumEvidence = [ScopeWord("play"): ScopeDemands([.nearby])] })
    func `gives what a code alone does not, where an operator wants that`() async throws {
        let screen = try await server.screenNearby(scope: "openid play")
        let browser = try await server.browser(of: .anna)
        try await browser.take(screen.codes)
        let page = try await browser.answer("approve", screen.codes)
        #expect(page.status == .forbidden && page.text.contains("Not from here"))
        #expect(try await screen.poll(over: screen.link).error == .authorizationPending)
        server.clock.advance(by: .seconds(5))
        #expect(try await server.phone().decide(.approve, screen).status == .ok)
        #expect(try await screen.poll(over: screen.link).status == .ok)
    }
}
