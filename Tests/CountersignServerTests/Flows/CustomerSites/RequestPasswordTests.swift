import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The one-time password of a request")
struct RequestPasswordTests {
    @Test func `approves its request once, and is weak evidence`() async throws {
        try await TestCustomer.open { (customer) async throws -> Void in
            let asked = try await customer.open(.oneTimePassword)
            let pin = try await customer.password(of: asked)
            #expect(pin.utf8.count == 5 && pin.allSatisfy(\.isNumber))
            let right = try await customer.check(pin, of: asked)
            #expect(try right.json(AuthenticationRequest.self).status == .approved)
            #expect(try await customer.read(asked).status == .approved)
            #expect(try await customer.check(pin, of: asked).status == .conflict)
            let id = SignInRequest.ID(asked.id.rawValue)
            let grant = try await customer.server.store.read { try $0.exchanges.find(id)?.exchange.grant }
            let evidence = try #require(grant?.evidence)
            #expect(evidence.authentication?.how == .possession(.deliveredPassword))
            #expect(evidence.proofs.contains(.namedByClient) && !evidence.isNearby)
            let entry = try await customer.server.store.read { try $0.audit.entries(before: .max, limit: 1).first }
            #expect(entry?.facts.act == .approved && entry?.facts.subject == TestPerson.anna.subject)
            #expect(entry?.facts.detail?.contains("delivered_password") == true)
        }
    }

    @Test(arguments: [" ", "-", "\u{A0}"])
    func `is right in groups, and in the digits of another script`(separator: String) async throws {
        try await TestCustomer.open { (customer) async throws -> Void in
            let asked = try await customer.open(.oneTimePassword)
            let pin = try await customer.password(of: asked)
            let scalars = pin.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x630) }
            let arabic = String(String.UnicodeScalarView(scalars))
            let long = "\(String(repeating: " ", count: 128))\(pin)"
            let answer = try await customer.check(long, of: asked)
            #expect(try answer.json(AuthenticationRequest.self).status == .denied)
            let typed = "\(arabic.prefix(2))\(separator)\(pin.suffix(3)) "
            let right = try await customer.check(typed, of: asked)
            #expect(try right.json(AuthenticationRequest.self).status == .approved)
        }
    }

    @Test func `may be missed four times; the fifth miss denies the request`() async throws {
        try await TestCustomer.open { (customer) async throws -> Void in
            let first = try await customer.open(.oneTimePassword)
            let pin = try await customer.password(of: first)
            let wrong = pin == "00000" ? "00001" : "00000"
            for text in [wrong, "", "x\(pin)", "\(pin)0"] {
                let answer = try await customer.check(text, of: first)
                #expect(try answer.json(AuthenticationRequest.self).status == .denied)
                #expect(try await customer.read(first).status == .open)
            }
            #expect(try await customer.check(pin, of: first).status == .ok)

            let second = try await customer.open(.oneTimePassword)
            let other = try await customer.password(of: second)
            for _ in 0..<5 { _ = try await customer.check(other == wrong ? "11111" : wrong, of: second) }
            #expect(try await customer.read(second).status == .denied)
            #expect(try await customer.check(other, of: second).status == .conflict)
            #expect(try await customer.read(second).status == .denied)
        }
    }

    @Test func `is good for its own request, until that expires`() async throws {
        try await TestCustomer.open { (customer) async throws -> Void in
            let first = try await customer.open(.oneTimePassword)
            let second = try await customer.open(.oneTimePassword, ["expiry": "61"])
            let pins = try await [first, second].asyncMap { try await customer.password(of: $0) }
            if pins[0] != pins[1] {
                let answer = try await customer.check(pins[0], of: second)
                #expect(try answer.json(AuthenticationRequest.self).status == .denied)
            }
            customer.server.clock.setDate(customer.server.clock.date + 60)
            let late = try await customer.check(pins[0], of: first)
            #expect(late.status.code == 410 && late.failure?.status == 410)
            #expect(try await customer.read(first).status == .expired)
        }
    }

    @Test func `is not approved by a token for another body or request`() async throws {
        try await TestCustomer.open { (customer) async throws -> Void in
            let asked = try await customer.open(.oneTimePassword)
            let body = "{\"pin\":\"\(try await customer.password(of: asked))\"}"
            let path = "/auth/v1.0/otp/\(asked.id)"
            let id = asked.id.rawValue
            for token in [
                customer.token(body), customer.token(about: id), customer.token("{}", about: id),
                customer.token(body, about: "other"),
                customer.token(body, about: id, by: CustomerSiteSecret(revealing: "other")),
            ] {
                #expect(try await customer.send(.put, path, body, by: token).status == .unauthorized)
            }
            let good = customer.token(body, about: id)
            #expect(try await customer.send(.put, path, "{\"pin\":5}", by: good).status == .unauthorized)
            let malformed = customer.token("{\"pin\":5}", about: id)
            #expect(try await customer.send(.put, path, "{\"pin\":5}", by: malformed).status == .badRequest)
            #expect(try await customer.send(.put, path, body, by: good).status == .ok)
            // A copy finds the request decided.
            #expect(try await customer.send(.put, path, body, by: good).status == .conflict)
        }
    }

    @Test func `has to wait at the site where others were guessed, not at another, nor where the person was before`()
        async throws
    {
        try await TestCustomer.open { (customer) async throws -> Void in
            let server = customer.server
            // The browser is at 192.0.2.1.
            _ = try await server.browser(of: .anna)
            for number in 1...3 {
                let asked = try await customer.open(.oneTimePassword, ["ip": "\"203.0.113.\(number)\""])
                for _ in 0..<4 { #expect(try await customer.check("x", of: asked).status == .ok) }
            }
            let asked = try await customer.open(.oneTimePassword, ["ip": "\"198.51.100.7\""])
            let pin = try await customer.password(of: asked)
            let refused = try await customer.check(pin, of: asked)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")

            let known = try await customer.open(.oneTimePassword, ["ip": "\"192.0.2.1\""])
            let right = try await customer.check(try await customer.password(of: known), of: known)
            #expect(try right.json(AuthenticationRequest.self).status == .approved)
            let register = CustomerSiteRegistry(
                of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
            let (environment, secret) = try await register.add(CustomerSiteDraft(name: "The shop"))
            let shop = TestCustomer(server: server, environment: environment, secret: secret)
            let other = try await shop.open(.oneTimePassword, ["ip": "\"198.51.100.7\""])
            let rightThere = try await shop.check(try await shop.password(of: other), of: other)
            #expect(try rightThere.json(AuthenticationRequest.self).status == .approved)

            server.clock.advance(by: .seconds(1))
            let later = try await customer.check(pin, of: asked)
            #expect(try later.json(AuthenticationRequest.self).status == .approved)
        }
    }

    /// Somebody who may open requests guesses as fast as the limits allow: one of 50,000 guesses in a hundred or so is
    /// looked at, once in two minutes, so that 100,000 possible passwords last. None is right here.
    @Test func `withstands 50,000 guesses, one in each second`() async throws {
        try await TestServer.open { server in
            let (clock, keys) = (server.serverClock, try await server.server.services.keys.current())
            let limiter = StoredRateLimiter(limits: Limits(), clock: clock)
            let mint = CodeMint(drawingFrom: SeededRandom(seed: 50_000).source)
            let key = RateLimitKey.name("password of one site for one person", .codePerAccount)
            let (tried, right) = try await server.store.change { repositories -> (Int, Int) in
                var (tried, right) = (0, 0)
                var request = SignInRequest.ID("0")
                var password = try RequestPassword(mint.digits(5), of: request, under: keys)
                for guess in 0..<50_000 {
                    server.clock.setDate(server.clock.date + 1)
                    guard (try? limiter.admit([key], in: repositories)) != nil else { continue }
                    tried += 1
                    switch password.match(DigitsCode(of: mint.digits(5), for: request, under: keys)) {
                    case .matched: right += 1
                    case .missed: try limiter.count([key], in: repositories)
                    case .spent:
                        try limiter.count([key], in: repositories)
                        request = SignInRequest.ID("\(guess)")
                        password = try RequestPassword(mint.digits(5), of: request, under: keys)
                    }
                }
                return (tried, right)
            }
            // At 1 in 100,000, one seed in two hundred would meet one.
            #expect((400...500).contains(tried) && right == 0)
        }
    }
}
