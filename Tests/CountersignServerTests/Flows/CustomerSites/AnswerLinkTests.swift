import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// Standard: the older backend API's `message_type` `sms`: an instant request by text is a link to approve or deny.
@Suite("The link in a text message", .server)
struct AnswerLinkTests {
    let server = TestServer.current

    /// A request by text, and where the link in it leads.
    private struct Asked: Sendable {
        let request: AuthenticationRequest
        let path: String
        let browser: TestBrowser

        var link: String { String(path.split(separator: "=").last ?? "") }

        func page() async throws -> TestResponse { try await browser.get(String(path.dropFirst())) }

        func answer(_ decision: String, number: String? = nil) async throws -> TestResponse {
            var form: Form = ["link": link, "decision": decision]
            form["number"] = number
            return try await browser.post("answer", form)
        }
    }

    private func ask(_ customer: TestCustomer, _ changes: [String: String] = [:]) async throws -> Asked {
        var changes = changes
        changes["message_type"] = "\"sms\""
        let request = try await customer.open(.instant, changes)
        let text = try #require(try await customer.deliveries(about: request).first)
        let words = try #require(try await customer.words(of: text))
        let start = "My Bank asks whether this is you. Answer at http://localhost:8080"
        #expect(words.hasPrefix("\(start)/answer?link="))
        // Two parts of a text message at most, with a usual name.
        #expect(words.utf8.count < 153 * 2)
        return Asked(
            request: request, path: String(words.dropFirst(start.count)),
            browser: try await customer.server.newBrowser())
    }

    private func evidence(of request: AuthenticationRequest, at server: TestServer) async throws -> Evidence? {
        let id = SignInRequest.ID(request.id.rawValue)
        return try await server.store.read { try $0.exchanges.find(id)?.exchange.grant?.evidence }
    }

    @Test func `asks a person without a password or a device, and approves with the number of the site`() async throws {
        let customer = try await TestCustomer.add(to: server)
        try await server.change(.anna) { $0.password = nil }
        let asked = try await ask(customer, ["ip": "\"203.0.113.7\"", "text": "\"Pay 5 euro\""])
        let page = try await asked.page()
        #expect(page.status == .ok)
        for words in ["My Bank", "203.0.113.7", "Pay 5 euro", "You came by the link in a text message"] {
            #expect(page.text.contains(words), "\(words)")
        }
        #expect(!page.text.contains("Sign out of this browser"))
        let done = try await asked.answer("approve", number: asked.request.number)
        #expect(done.location == asked.path)
        #expect(try await asked.page().text.contains("<h1>Approved</h1>"))
        #expect(try await customer.read(asked.request).status == .approved)
        let proofs = try #require(try await evidence(of: asked.request, at: server)).proofs
        #expect(proofs.contains(.possession(.deliveredLink, at: server.clock.date)))
        #expect(proofs.contains(.numberMatched) && !proofs.contains(.linkOpened))
        // It works once.
        #expect(try await asked.answer("deny").status == .conflict)
        #expect(try await customer.read(asked.request).status == .approved)
    }

    @Test func `takes the number with spaces, and in the digits of another script`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        let number = try #require(asked.request.number)
        let scalars = number.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x630) }
        let arabic = String(String.UnicodeScalarView(scalars))
        _ = try await asked.answer("approve", number: "\u{A0}\(arabic.prefix(1)) \(number.dropFirst()) ")
        #expect(try await customer.read(asked.request).status == .approved)
    }

    @Test func `denies, with an entry in the audit, and shows that afterwards`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        #expect(try await asked.answer("deny").location == asked.path)
        #expect(try await asked.page().text.contains("<h1>Denied</h1>"))
        #expect(try await customer.read(asked.request).status == .denied)
        let entry = try #require(try await server.audited(.denied).first)
        #expect(entry.detail?.contains("by the link in a text message") == true)
        #expect(entry.subject == TestPerson.anna.subject)
    }

    @Test func `decides nothing by being opened, and nothing from another site or without its form`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        for _ in 0..<3 { _ = try await asked.page() }
        #expect(try await server.get("\(asked.path)&decision=approve").status == .ok)
        let number = try #require(asked.request.number)
        let form: Form = ["link": asked.link, "decision": "approve", "number": number]
        let foreign = try await asked.browser.post("answer", form, headers: [.secFetchSite: "cross-site"])
        #expect(foreign.status == .forbidden)
        #expect(try await server.post("/answer", form).status == .forbidden)
        #expect(try await customer.read(asked.request).status == .open)
    }

    @Test func `asks for the number, three times`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        let wrong = asked.request.number == "00" ? "01" : "00"
        for number in [wrong, nil, wrong] {
            let answer = try await asked.answer("approve", number: number)
            #expect(answer.location == "\(asked.path)&number=wrong")
            #expect(try await customer.read(asked.request).status == .open)
        }
        let again = try await server.get("\(asked.path)&number=wrong")
        #expect(again.text.contains("That is not the number"))
        #expect(try await asked.answer("approve", number: wrong).location == asked.path)
        #expect(try await customer.read(asked.request).status == .denied)
    }

    @Test func `is weak evidence, with which policy may ask for more`() async throws {
        try await TestCustomer.open(configuring: { $0.minimumEvidence = [.openid: ScopeDemands([.password])] }) {
            (customer) async throws -> Void in
            let asked = try await ask(customer)
            let refused = try await asked.answer("approve", number: asked.request.number)
            #expect(refused.status == .forbidden)
            #expect(try await customer.read(asked.request).status == .open)
            #expect(try await asked.answer("deny").location == asked.path)
        }
        let evidence = Evidence([.namedByClient, .possession(.deliveredLink, at: Date(timeIntervalSince1970: 0))])
        let openid = Scope([.openid])
        for demands in [
            ScopeDemands([.nearby]), ScopeDemands([.password]), ScopeDemands([.secondFactor]),
            ScopeDemands([.userVerified]), ScopeDemands([.number]), ScopeDemands([.deviceKey]),
            ScopeDemands([], within: 300),
        ] {
            let policy = Policy(minimumEvidence: [.openid: demands])
            #expect(throws: Policy.ViolationError.self) {
                try policy.authorize(.decision, client: .active, subject: .active, evidence: evidence, scope: openid)
            }
        }
    }

    @Test func `is for its request and its person only, as long as they can sign in`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        let id = asked.request.id.rawValue
        for link in ["", "x", id, "\(id).", "\(id).\(String(repeating: "A", count: 22))", "\(asked.link).x"] {
            #expect(try await customer.server.get("/answer?link=\(link)").status == .notFound, "\(link)")
            let form: Form = ["link": link, "decision": "approve", "number": asked.request.number ?? ""]
            let answer = try await asked.browser.post("answer", form)
            #expect([.notFound, .forbidden].contains(answer.status), "\(link)")
        }
        // The link of one request does not open another.
        let code = asked.link.split(separator: ".").last ?? ""
        try await customer.decide(.deny, asked.request)
        let password = try await customer.open(.oneTimePassword)
        #expect(try await customer.server.get("/answer?link=\(password.id).\(code)").status == .notFound)
        try await customer.server.lock(.anna)
        #expect(try await asked.page().status == .notFound)
    }

    @Test func `leads to a page that tells at once of an answer at another place`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        let tag = "\"\(asked.request.id)\""
        var headers: HTTPFields = [.cookie: asked.browser.cookie, .ifNoneMatch: tag]
        let page = try await asked.page()
        #expect(page.text.contains("data-waits=\"&quot;\(asked.request.id)&quot;\""))
        #expect(page.headers[.contentSecurityPolicy]?.hasSuffix("connect-src 'self'") == true)
        #expect(try await server.get(asked.path, headers: headers).status == .notModified)
        headers[.prefer] = "wait=25"
        async let held = server.get(asked.path, headers: headers)
        await server.clock.sleepers(1)
        try await customer.decide(.deny, asked.request)
        let answer = try await held
        #expect(answer.status == .ok && answer.text.contains("<h1>Denied</h1>"))
        #expect(!answer.text.contains("data-waits"))
    }

    @Test func `leads to pages whose waits end each other, and none of the site`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        let flow = server.flow(CustomerSitesFlow.self)
        let headers: HTTPFields = [
            .cookie: asked.browser.cookie, .ifNoneMatch: "\"\(asked.request.id)\"", .prefer: "wait=25",
        ]
        async let told = customer.read(asked.request, prefer: "wait=30")
        while flow.requests.watchers.count < 1 { try await Task.sleep(for: .milliseconds(2)) }
        var pages: [Task<HTTPResponse.Status, any Error>] = []
        for number in 0..<12 {
            pages.append(Task { [server, path = asked.path] in try await server.get(path, headers: headers).status })
            if number < 4 {
                while flow.waiters.count <= number { try await Task.sleep(for: .milliseconds(2)) }
            } else {
                #expect(try await pages[number - 4].value == .notModified)
            }
        }
        #expect(flow.requests.watchers.count == 1)
        try await customer.decide(.deny, asked.request)
        #expect(try await told.status == .denied)
        for page in pages.suffix(4) { #expect(try await page.value == .ok) }
    }

    @Test func `leads to a page that tells at once that it is too late`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        let headers: HTTPFields = [
            .cookie: asked.browser.cookie, .ifNoneMatch: "\"\(asked.request.id)\"", .prefer: "wait=25",
        ]
        server.clock.advance(by: .seconds(50))
        async let held = server.get(asked.path, headers: headers)
        await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(10))
        let answer = try await held
        #expect(answer.status == .gone && answer.text.contains("<h1>Too late</h1>"))
    }

    @Test func `is over with its request`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        server.clock.advance(by: .seconds(61))
        #expect(try await asked.page().status == .gone)
        #expect(try await asked.answer("approve", number: asked.request.number).status == .gone)
        #expect(try await customer.read(asked.request).status == .expired)
    }

    @Test(.server { $0.limits[.approverPerAccount] = Limit(2, in: 60) }) func `is counted like every decision`()
        async throws
    {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await ask(customer)
        for _ in 0..<2 { _ = try await asked.answer("approve") }
        #expect(try await asked.answer("approve", number: asked.request.number).status == .tooManyRequests)
        #expect(try await customer.read(asked.request).status == .open)
    }
}
