import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: RFC 10027 for the attack; RFC 8628 §3.3.1 for the link.
@Suite("A link to a request")
struct LinkApprovalTests {
    private let home = TestScreenByLink.home
    private let elsewhere = TestScreenByLink.elsewhere

    @Test func `is enough in the network of the screen`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            #expect(try await screen.open(anna, at: home).location?.hasPrefix("/activate/confirm?") == true)
            let page = try await screen.page(anna)
            #expect(!page.contains("name=\"number\"") && page.contains("class=\"ticket\""))
            #expect(try await screen.number() == nil)
            #expect(try await screen.answer("approve", anna, at: home).location?.hasPrefix("/activate/result") == true)
            #expect(try await screen.poll().status == .ok)
        }
    }

    @Test func `approves in another network with the number that the screen shows`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            // Nothing is shown before somebody has taken the request.
            #expect(try await screen.number() == nil)
            #expect(try await screen.open(anna, at: elsewhere).location?.hasPrefix("/activate/confirm?") == true)
            let number = try #require(try await screen.number())
            #expect(number.utf8.count == 2)
            let page = try await screen.page(anna)
            #expect(page.contains("name=\"number\"") && page.contains("It is not in the network that you use"))
            // The number is the one thing to compare.
            #expect(!page.contains(">\(number)<") && !page.contains("class=\"ticket\""))

            let without = try await screen.answer("approve", anna, at: elsewhere)
            #expect(without.location?.hasSuffix("&number=wrong") == true)
            let right = try await screen.answer("approve", anna, number: number, at: elsewhere)
            #expect(right.location?.hasPrefix("/activate/result") == true)
            #expect(try await screen.poll().status == .ok)
            let stored = try await server.store.read { try $0.exchanges.find(screen.codes.deviceCode.digest) }
            let proofs = stored?.exchange.grant?.evidence.proofs ?? []
            #expect(proofs.contains(.linkOpened) && proofs.contains(.numberMatched))
        }
    }

    @Test func `ends the request with the third wrong number`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: elsewhere)
            let number = try #require(try await screen.number())
            let wrong = TestScreenByLink.another(than: number)
            for _ in 1...2 {
                let answer = try await screen.answer("approve", anna, number: wrong, at: elsewhere)
                #expect(answer.location?.hasSuffix("&number=wrong") == true)
            }
            _ = try await screen.answer("approve", anna, number: wrong, at: elsewhere)
            #expect(try await screen.poll().error == .accessDenied)
            _ = try await screen.answer("approve", anna, number: number, at: elsewhere)
            #expect(try await screen.poll().error == .accessDenied)
        }
    }

    @Test func `shows another number to whoever takes the request next, with no more tries`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let attacker = try await server.browser(of: .bert)
            let victim = try await server.browser(of: .anna)
            var numbers: Set<String> = []
            // The attacker learns a number at their own screen, and sends it along with the link.
            for _ in 1...12 where numbers.count < 2 {
                _ = try await screen.open(attacker, at: elsewhere)
                numbers.insert(try #require(try await screen.number()))
                _ = try await screen.open(victim, at: elsewhere)
                numbers.insert(try #require(try await screen.number()))
            }
            #expect(numbers.count > 1)
            let shown = try #require(try await screen.number())
            let wrong = TestScreenByLink.another(than: shown)
            _ = try await screen.answer("approve", victim, number: wrong, at: elsewhere)
            _ = try await screen.open(attacker, at: elsewhere)
            let now = TestScreenByLink.another(than: try #require(try await screen.number()))
            _ = try await screen.answer("approve", attacker, number: now, at: elsewhere)
            _ = try await screen.open(victim, at: elsewhere)
            let last = TestScreenByLink.another(than: try #require(try await screen.number()))
            _ = try await screen.answer("approve", victim, number: last, at: elsewhere)
            #expect(try await screen.poll().error == .accessDenied)
        }
    }

    /// A phone nearby proves by its own link which screen it is at.
    @Test func `asks no number of a phone nearby, whoever opened the link`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let nearby = try await server.screenNearby(
                from: TestScreenByLink.home, preferring: NumberPreference().headerValue)
            let stranger = try await server.browser(of: .bert)
            let screen = TestScreenByLink(server: server, codes: nearby.codes)
            _ = try await screen.open(stranger, at: elsewhere)
            let phone = try await server.phone()
            #expect(try await phone.decide(.approve, nearby).status == .ok)
            #expect(try await nearby.poll(over: nearby.link).status == .ok)
        }
    }

    @Test func `shows no number any more when the hold is over`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: elsewhere)
            #expect(try await screen.number() != nil)
            server.clock.advance(by: .seconds(SignInExchange.takingLifetime))
            #expect(try await screen.number() == nil)
        }
    }

    @Test func `needs the typed code for a screen that shows no number`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server, showingNumbers: false)
            let anna = try await server.browser(of: .anna)
            let before = try await server.dump()
            let answer = try await screen.open(anna, at: elsewhere)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("a link or a picture is not enough"))
            #expect(!answer.visible.contains(screen.codes.userCode.rawValue))
            #expect(try await server.dump() == before)
            // And no way round by the form of the decision.
            #expect(try await screen.answer("approve", anna, at: elsewhere).location?.hasPrefix("/activate?") == true)

            #expect(try await screen.type(anna, at: elsewhere).location?.hasPrefix("/activate/confirm?") == true)
            _ = try await screen.answer("approve", anna, at: elsewhere)
            #expect(try await screen.poll().status == .ok)
        }
    }

    @Test func `needs nothing more for a person who types the code as well`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: elsewhere)
            #expect(try await screen.number() != nil)
            _ = try await screen.type(anna, at: elsewhere)
            #expect(try await screen.number() == nil)
            #expect(try await !screen.page(anna).contains("name=\"number\""))
            _ = try await screen.answer("approve", anna, at: elsewhere)
            #expect(try await screen.poll().status == .ok)
        }
    }

    @Test func `is not enough for a person who leaves the network after opening it`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: home)
            let answer = try await screen.answer("approve", anna, at: elsewhere)
            #expect(answer.location?.hasPrefix("/activate?user_code=") == true)
            #expect(try await screen.poll().error == .authorizationPending)
            // To deny is always possible.
            #expect(
                try await screen.answer("deny", anna, at: elsewhere).location?.hasPrefix("/activate/result") == true)
            #expect(try await screen.poll().error == .accessDenied)
        }
    }

    @Test(.server(issuer: "https://id.example"))
    func `is not enough where the server does not see who is where`() async throws {
        let server = TestServer.current
        let screen = try await TestScreenByLink.asking(server)
        let anna = try await server.browser(of: .anna)
        _ = try await anna.post("activate", screen.named.with(["by_link": "1"]))
        #expect(try await screen.number() != nil)
    }

    static let approvals: [(LinkApproval, LinkDemand, LinkDemand, LinkDemand)] = [
        (.always, .nothing, .nothing, .nothing), (.sameNetwork, .nothing, .code, .code),
        (.number, .nothing, .number, .code),
    ]

    @Test(arguments: approvals)
    func `is enough for what the client's registration says`(
        approval: LinkApproval,
        demandAtHome: LinkDemand,
        demandElsewhere: LinkDemand,
        plain: LinkDemand
    ) async throws {
        try await TestScreenByLink.behindProxy { server in
            try await server.change(.tv) { $0.linkApproval = approval }
            let cases = [
                (true, TestScreenByLink.home, demandAtHome), (true, TestScreenByLink.elsewhere, demandElsewhere),
                (false, TestScreenByLink.elsewhere, plain),
            ]
            let anna = try await server.browser(of: .anna)
            for (showsNumber, address, demand) in cases {
                let screen = try await TestScreenByLink.asking(server, showingNumbers: showsNumber)
                let answer = try await screen.open(anna, at: address)
                #expect((answer.status == .unprocessableContent) == (demand == .code))
                #expect(try await (screen.number() != nil) == (demand == .number))
            }
        }
    }

    @Test func `is judged by the registration at the start of the request, as the audit says`() async throws {
        try await TestScreenByLink.behindProxy { server in
            let screen = try await TestScreenByLink.asking(server)
            try await server.change(.tv) { $0.linkApproval = .always }
            let anna = try await server.browser(of: .anna)
            _ = try await screen.open(anna, at: elsewhere)
            #expect(try await screen.number() != nil)
            let taken = try await server.audited(.taken).last
            #expect(taken?.detail?.contains("link: number, asked for the number of the screen") == true)
        }
    }

    @Test(.server(withSigningKeys: false, withDomains: true) { $0.trustedProxies = [AddressNetwork("192.0.2.1")!] })
    func `asks for the number in Cross-Platform Authentication, whoever named the return address`() async throws {
        let server = TestServer.current
        let device = try await server.newDevice()
        let headers: HTTPFields = [
            .xForwardedFor: elsewhere, .prefer: NumberPreference().headerValue,
        ]
        let association = try await device.associate(headers: headers).json(AssociationResponse.self)
        guard case .code(let code, at: _, interval: _) = association.shape else {
            Issue.record("there is no code to show")
            return
        }
        let anna = try await server.browser(of: .anna)
        let named: Form = ["user_code": code.rawValue, "redirect_uri": "cpacred://verification"]
        let arrival = try await anna.get("cpa/verify?\(named.encoded)")
        #expect(arrival.text.contains("Did you open this from your own screen?"))
        let taken = try await anna.post("cpa/verify", named.with(["by_link": "1"]), headers: [.xForwardedFor: home])
        #expect(taken.location?.hasPrefix("/activate/confirm?") == true)
        let pending = try await device.poll(association)
        #expect(pending.status == .accepted)
        let number = try #require(try pending.json(PendingResponse.self).verificationNumber)
        let decision = try named.with(["decision": "approve"])
        let without = try await anna.post("activate/decision", decision, headers: [.xForwardedFor: home])
        #expect(without.location?.hasSuffix("&number=wrong") == true)
        let right = try await anna.post(
            "activate/decision", decision.with(["number": number.rawValue]), headers: [.xForwardedFor: home])
        #expect(right.location == "cpacred://verification?result=success")
    }
}
