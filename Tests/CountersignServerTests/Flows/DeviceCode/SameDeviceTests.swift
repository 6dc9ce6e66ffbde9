import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: ETSI TS 103 407 §8.3, with the pages opened on the device that asks.
@Suite("A person who comes from an app on the same device", .server)
struct SameDeviceTests {
    let server = TestServer.current

    private func query(_ code: UserCode, _ address: String) -> Form {
        ["user_code": code.description, "redirect_uri": address]
    }

    static let ways: [(String, String)] = [
        (TestDomains.callback, "http://127.0.0.1:9090/done?a=1&result="),
        (TestDomains.appCallback, "org.example.radio:/done?result="),
        (RedirectURIRules.insideApp, "cpacred://verification?result="),
        // Addresses that the domain need not register: a mark of the app's own, and a program of the person's machine.
        ("cpacred://verification?session=7", "cpacred://verification?session=7&result="),
        ("http://127.0.0.1:43210/verification", "http://127.0.0.1:43210/verification?result="),
    ]

    @Test(arguments: ways, [("approve", "success"), ("deny", "cancelled")])
    func `goes back there with the result`(way: (String, String), decision: (String, String)) async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        let anna = try await server.browser(of: .anna)
        let named = query(asked.userCode, way.0)
        // As apps write it: nothing is escaped that may stand in a query.
        let page = try await anna.get("cpa/verify?user_code=\(asked.userCode)&redirect_uri=\(way.0)")
        #expect(page.text.contains("Did you open this from your own screen?"))
        #expect(!page.text.contains("Kitchen") && !page.text.contains("Radio"))
        #expect(page.field("redirect_uri") == way.0)

        let taken = try await anna.post("cpa/verify", named.with(["by_link": "1"]))
        #expect(taken.location == "/activate/confirm?\(named.encoded)")
        let confirm = try await anna.get(String(try #require(taken.location).dropFirst()))
        #expect(confirm.field("redirect_uri") == way.0)
        #expect(confirm.text.contains("Is this screen in front of you?"))

        let answer = try await anna.answer(decision.0, named)
        #expect(answer.location == way.1 + decision.1)
        let isApproved = try await server.exchange(asked).grant != nil
        #expect(isApproved == (decision.0 == "approve"))
        // Going back, and answering otherwise: the first answer stands.
        for second in ["approve", "deny"] {
            #expect(try await anna.answer(second, named).location == way.1 + decision.1)
        }
    }

    @Test(arguments: [
        (TestDomains.callback, "form-action 'self' http: https:;"),
        (TestDomains.appCallback, "form-action 'self' org.example.radio:;"),
        ("https://radio.example/;a,b", "form-action 'self' https:;"),
        (RedirectURIRules.insideApp, "form-action 'self' cpacred:;"),
    ])
    func `may be led there by that one page`(address: String, policy: String) async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        let anna = try await server.browser(of: .anna)
        let named = query(asked.userCode, address)
        let arrival = try await anna.get("cpa/verify?\(named.encoded)")
        #expect(arrival.headers[.contentSecurityPolicy]?.contains("form-action 'self';") == true)
        _ = try await anna.post("activate", named)
        let confirm = try await anna.get("activate/confirm?\(named.encoded)")
        #expect(confirm.headers[.contentSecurityPolicy]?.contains(policy) == true)
        let plain = try await anna.get("activate/confirm?user_code=\(asked.userCode)")
        #expect(plain.headers[.contentSecurityPolicy]?.contains("form-action 'self';") == true)
    }

    static let strays = [
        "http://127.0.0.1:9090/done", "http://127.0.0.1:9090/done?a=1#", "http://127.0.0.1:9090/done?a=1&b=2",
        "http://127.0.0.1:9090@evil.test/done?a=1", "http://user@127.0.0.1:9090/done?a=1",
        "HTTP://127.0.0.1:9090/done?a=1", "http://127.0.0.1:9090/DONE?a=1", "http://127.0.0.1:9090/done?a=1/",
        "http://127.0.0.1:9090.evil.test/done?a=1", "http://127.0.0.1:9091/done?a=1", "//127.0.0.1:9090/done?a=1",
        "http:127.0.0.1:9090/done?a=1", "https://evil.test/", "//evil.test", "/\\evil.test", "javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>", "cpacred://verification/", "cpacred://verification@evil.test",
        "cpacred:verification", "CPACRED://VERIFICATION", "cpacred://verification#",
        "cpacred://verification?result=success",
        "org.example.radio:/done?", "news.example:8443", "/account", "\r\nLocation: https://evil.test",
        String(repeating: "a", count: 5000),
    ]

    @Test(arguments: strays)
    func `is led to no address but the app's own`(address: String) async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        let anna = try await server.browser(of: .anna)
        let before = try await server.dump()
        let named = query(asked.userCode, address)
        let arrival = try await anna.get("cpa/verify?\(named.encoded)")
        #expect(arrival.status == .ok && arrival.headers[.location] == nil)
        let taken = try await anna.post("cpa/verify", named)
        #expect(taken.status == .badRequest && taken.headers[.location] == nil)
        #expect(taken.text.contains("This link leads elsewhere"))
        #expect(try await server.dump() == before)

        // Taken without it, and decided with it.
        _ = try await anna.post("activate", ["user_code": asked.userCode.description])
        let held = try await server.dump()
        let confirm = try await anna.get("activate/confirm?\(named.encoded)")
        #expect(confirm.status == .badRequest && confirm.headers[.location] == nil)
        for decision in ["approve", "deny"] {
            let answer = try await anna.answer(decision, named)
            #expect(answer.status == .badRequest && answer.headers[.location] == nil)
        }
        #expect(try await server.dump() == held)
    }

    @Test(arguments: ["unknown", "expired", "decided", "nonsense"])
    func `is led nowhere by a code that does not work`(kind: String) async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        let anna = try await server.browser(of: .anna)
        var code = asked.userCode.description
        switch kind {
        case "unknown": code = "BBBB-BBBB"
        case "expired": server.clock.advance(by: .seconds(300))
        case "decided":
            _ = try await anna.post("activate", ["user_code": code])
            _ = try await anna.answer("deny", ["user_code": code])
        default: code = "(null)"
        }
        for address in [TestDomains.callback, RedirectURIRules.insideApp, "https://evil.test/"] {
            let named: Form = ["user_code": code, "redirect_uri": address]
            let arrival = try await anna.get("cpa/verify?\(named.encoded)")
            #expect(arrival.status == .ok && arrival.headers[.location] == nil)
            let taken = try await anna.post("cpa/verify", named)
            // Who decided it themselves is shown what they answered.
            let isOwn = kind == "decided"
            #expect(taken.status == (isOwn ? .seeOther : .unprocessableContent))
            #expect(taken.location?.hasPrefix("/activate/result?") ?? false == isOwn)
            #expect(taken.field("redirect_uri") == nil)
        }
    }

    @Test func `goes back with nothing when it took too long, or is locked by then`() async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice(), lifetime: 100)
        let anna = try await server.browser(of: .anna)
        let named = query(asked.userCode, TestDomains.callback)
        _ = try await anna.post("activate", named)
        server.clock.advance(by: .seconds(100))
        let answer = try await anna.answer("approve", named)
        #expect(answer.location == "http://127.0.0.1:9090/done?a=1&result=cancelled")
        #expect(try await server.exchange(asked).grant == nil)
    }

    @Test func `has two minutes, and arrives anew after that`() async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        let anna = try await server.browser(of: .anna)
        let named = query(asked.userCode, TestDomains.callback)
        _ = try await anna.post("activate", named)
        server.clock.advance(by: .seconds(120))
        let answer = try await anna.answer("approve", named)
        #expect(answer.location == "/activate?\(named.encoded)")
        #expect(try await anna.get("activate?\(named.encoded)").field("redirect_uri") == TestDomains.callback)
    }

    @Test func `is led nowhere when the address was taken from the service meanwhile`() async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        let anna = try await server.browser(of: .anna)
        let named = query(asked.userCode, TestDomains.callback)
        _ = try await anna.post("activate", named)
        try await server.change { repositories in
            var domain = try #require(try repositories.domains.find(TestDomains.radio.name))
            domain.redirectURIs = []
            try repositories.domains.update(domain)
        }
        let answer = try await anna.answer("approve", named)
        #expect(answer.status == .badRequest && answer.headers[.location] == nil)
        #expect(try await server.exchange(asked).grant == nil)
    }

    @Test func `confirms without a code and goes back, where the address is one of that service`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let radio = try await server.associate(device, addressedTo: .anna)
        let news = try await server.associate(device, for: .news, addressedTo: .anna)
        let anna = try await server.browser(of: .anna)
        let page = try await anna.get("cpa/verify?redirect_uri=\(TestDomains.callback)")
        #expect(page.field("redirect_uri") == TestDomains.callback)

        let stray: Form = ["request": news.id.rawValue, "redirect_uri": TestDomains.callback]
        #expect(try await anna.post("activate", stray).status == .badRequest)
        let named: Form = ["request": radio.id.rawValue, "redirect_uri": TestDomains.callback]
        #expect(try await anna.post("activate", named).location == "/activate/confirm?\(named.encoded)")
        let answer = try await anna.answer("approve", named)
        #expect(answer.location == "http://127.0.0.1:9090/done?a=1&result=success")
    }

    @Test(arguments: [TestDomains.callback, RedirectURIRules.insideApp])
    func `is led nowhere for a request that is for no service`(address: String) async throws {
        try await server.addDomains()
        let codes = try await server.ask()
        let anna = try await server.browser(of: .anna)
        let named: Form = ["user_code": codes.userCode.rawValue, "redirect_uri": address]
        let taken = try await anna.post("activate", named)
        #expect(taken.status == .badRequest && taken.headers[.location] == nil)
        #expect(try await server.poll(codes).error == .authorizationPending)
    }

    @Test(.server { $0.limits[.guessPerAddress] = nil })
    func `finds out by stray addresses about no more codes than by typing`() async throws {
        try await server.addDomains()
        let device = try await server.addDevice()
        let anna = try await server.browser(of: .anna)
        // As many wrong codes go on at once.
        for _ in 0..<12 {
            let asked = try await server.associate(device)
            #expect(try await anna.post("activate", query(asked.userCode, "x")).status == .badRequest)
        }
        let asked = try await server.associate(device)
        #expect(try await anna.post("activate", query(asked.userCode, "x")).status == .tooManyRequests)
    }

    @Test func `signs in first, and still knows where it came from`() async throws {
        try await server.addDomains()
        let asked = try await server.associate(try await server.addDevice())
        for path in ["/cpa/verify", "/cpa/verify/"] {
            let target = "\(path)?user_code=\(asked.userCode)&redirect_uri=\(RedirectURIRules.insideApp)"
            let stranger = try await server.newBrowser()
            let sent = try #require(try await stranger.get(String(target.dropFirst())).location)
            let login = try await stranger.get(String(sent.dropFirst()))
            #expect(login.field("return_to") == HTMLEscaping().escapeText(target))
            let password = TestPerson.anna.password.revealed
            let form: Form = ["username": "anna", "password": password, "return_to": target]
            #expect(try await stranger.post("login", form).location == target)
        }
    }
}
