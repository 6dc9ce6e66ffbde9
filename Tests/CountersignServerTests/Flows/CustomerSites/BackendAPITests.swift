import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("The backend API of sites", .server)
struct BackendAPITests {
    let server = TestServer.current

    @Test(arguments: AuthenticationRequest.Kind.allCases)
    func `opens a request to the person who has the number`(kind: AuthenticationRequest.Kind) async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open(
            kind, ["expiry": "90", "ip": "\"203.0.113.7\"", "text": "\"Pay 5 € to Bert\""])
        #expect(asked.kind == kind && asked.status == .open && asked.expiry == 90)
        #expect(asked.address == "203.0.113.7" && asked.pin == nil)
        #expect((asked.number?.utf8.count == 2) == (kind == .instant))
        let id = SignInRequest.ID(asked.id.rawValue)
        let stored = try #require(try await customer.server.store.read { try $0.exchanges.find(id) })
        let request = stored.exchange.request
        #expect(request.addressee == TestPerson.anna.subject)
        #expect(request.client == .verified(customer.environment.client))
        #expect(request.address == .asserted("203.0.113.7"))
        let terms = try await customer.terms(of: asked)
        #expect(terms.message == "Pay 5 € to Bert")
        #expect(terms.environment == customer.environment.id && terms.kind == kind)
        let read = try await customer.read(asked)
        #expect(read.status == .open && read.number == nil && read.pin == nil)
    }

    @Test func `carries the place that the site names to the person's devices, and takes no nonsense for one`()
        async throws
    {
        let customer = try await TestCustomer.add(to: server)
        let place =
            #"{"country_code":"NL","region":"Noord-Brabant","city":"Breda","latitude":51.6,"longitude":4.8}"#
        let asked = try await customer.open(.instant, ["ip": "\"203.0.113.7\"", "geoip": place])
        #expect(asked.place?.city == "Breda" && asked.place?.latitude == 51.6)
        #expect(try await customer.terms(of: asked).place == asked.place && asked.place?.countryCode == "NL")
        let long = String(repeating: "x", count: 101)
        for wrong in [#"{"latitude":91}"#, #"{"longitude":-181}"#, #"{"city":"a\nb"}"#, "{\"region\":\"\(long)\"}"] {
            #expect(try await customer.ask(.instant, ["geoip": wrong]).status == .badRequest, "\(wrong)")
        }
    }

    @Test func `answers at both bases that clients of the older dialect use`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let body = customer.body()
        let asked = try await customer.send(
            .post, "/authenticator/v1.0/otp", body, by: customer.token(body))
        let request = try asked.json(AuthenticationRequest.self)
        let read = try await customer.send(
            .get, "/authenticator/v1.0/otp/\(request.id)", by: customer.token(about: request.id.rawValue))
        #expect(asked.status == .ok && read.status == .ok)
        #expect(try read.json(AuthenticationRequest.self).id == request.id)
    }

    @Test func `answers an unknown site and a wrong secret alike`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let wrong = CustomerSiteSecret(revealing: "another")
        let body = customer.body()
        let other = customer.body(["environment_id": "\"00000000-0000-4000-8000-000000000000\""])
        let answers = [
            try await customer.send(.post, "/auth/v1.0/instant", body, by: customer.token(body, by: wrong)),
            try await customer.send(.post, "/auth/v1.0/instant", other, by: customer.token(other)),
            try await customer.send(.post, "/auth/v1.0/instant", body, by: nil),
            try await customer.send(.post, "/auth/v1.0/instant", body, by: "a.b.c"),
            // Of another body, of none, too old, too long.
            try await customer.send(.post, "/auth/v1.0/instant", body, by: customer.token(body + " ")),
            try await customer.send(.post, "/auth/v1.0/instant", body, by: customer.token()),
            try await customer.send(
                .post, "/auth/v1.0/instant", body, by: customer.token(body, lifetime: 3601)),
        ]
        for answer in answers {
            #expect(answer.status == .unauthorized)
            #expect(answer.text == answers[0].text)
            #expect(answer.failure?.status == 401)
        }
        #expect(try await server.rows(of: "exchanges") == 0)
    }

    @Test func `allows clocks to differ by a minute`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let (clock, body) = (server.clock, customer.body())
        let token = customer.token(body)
        clock.setDate(clock.date + 119)
        #expect(try await customer.send(.post, "/auth/v1.0/instant", body, by: token).status == .ok)
        let late = customer.token(body)
        clock.setDate(clock.date + 120)
        #expect(try await customer.send(.post, "/auth/v1.0/instant", body, by: late).status == .unauthorized)
        clock.setDate(clock.date + 61)
        let early = customer.token(body)
        clock.setDate(clock.date - 61)
        #expect(try await customer.send(.post, "/auth/v1.0/instant", body, by: early).status == .unauthorized)
    }

    @Test func `reads a request by a token of two minutes at most`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open(.instant)
        let path = "/auth/v1.0/instant/\(asked.id)"
        for (lifetime, expected) in [(120, HTTPResponse.Status.ok), (121, .unauthorized)] {
            let token = customer.token(about: asked.id.rawValue, lifetime: lifetime)
            #expect(try await customer.send(.get, path, by: token).status == expected, "\(lifetime)")
        }
    }

    @Test func `takes two requests of one second with the same body, whose tokens are the same`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let body = customer.body()
        let token = customer.token(body)
        #expect(try await customer.send(.post, "/auth/v1.0/otp", body, by: token).status == .ok)
        #expect(try await customer.send(.post, "/auth/v1.0/otp", body, by: token).status == .ok)
        #expect(try await server.rows(of: "exchanges") == 2)
    }

    @Test func `accepts a replaced secret until it ends, and not after the site was removed`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let register = CustomerSiteRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
        _ = try await register.renewSecret(of: customer.environment.id, keepingOldFor: 60)
        let asked = try await customer.open()
        server.clock.setDate(server.clock.date + 61)
        #expect(try await customer.ask().status == .unauthorized)
        _ = try await register.remove(customer.environment.id)
        #expect(try await customer.ask().status == .unauthorized)
        let gone = try await customer.send(
            .get, "/auth/v1.0/instant/\(asked.id)", by: customer.token(about: asked.id.rawValue))
        #expect(gone.status == .notFound)
        #expect(try await server.rows(of: "exchanges") == 0)
    }

    @Test(arguments: [
        ["to": ""], ["to": "\"06 12345678\""], ["to": "\"+3161234567890123\""], ["to": "31612345678"],
        ["expiry": "9"], ["expiry": "3601"], ["expiry": "\"60\""], ["ip": "\"nowhere\""],
        ["message_type": "\"pigeon\""], ["text": "\"two\\nlines\""],
        ["text": "\"\(String(repeating: "x", count: 201))\""],
        ["environment_id": "\"bank\""], ["environment_id": ""],
    ])
    func `refuses what makes no sense, and stores nothing`(changes: [String: String]) async throws {
        let customer = try await TestCustomer.add(to: server)
        let answer = try await customer.ask(.instant, changes)
        #expect(answer.status == .badRequest && answer.failure?.status == 400, "\(answer.text)")
        #expect(try await server.rows(of: "exchanges") == 0)
    }

    @Test func `tells a request to its own site only`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let asked = try await customer.open()
        let register = CustomerSiteRegistry(
            of: customer.server.store, mint: CodeMint(drawingFrom: .system), clock: customer.server.serverClock)
        let (_, secret) = try await register.add(CustomerSiteDraft(name: "Another"))
        let path = "/auth/v1.0/instant/\(asked.id)"
        let id = asked.id.rawValue
        #expect(try await customer.send(.get, path, by: customer.token(about: id, by: secret)).status == .unauthorized)
        // The token of another request.
        #expect(try await customer.send(.get, path, by: customer.token(about: "other")).status == .unauthorized)
        #expect(try await customer.send(.get, path, by: customer.token()).status == .unauthorized)
        // Another kind, and a request that there is not.
        let otp = "/auth/v1.0/otp/\(id)"
        #expect(try await customer.send(.get, otp, by: customer.token(about: id)).status == .notFound)
        #expect(try await customer.send(.get, path + "x", by: customer.token(about: id + "x")).status == .notFound)
    }

    @Test(arguments: [ProposedDecision.Answer.approve, .deny])
    func `tells what the person decided, and after the time that it is expired`(
        answer: ProposedDecision.Answer
    ) async throws {
        let customer = try await TestCustomer.add(to: server)
        let decided = try await customer.open()
        try await customer.decide(answer, decided)
        let status: AuthenticationRequest.Status = answer == .approve ? .approved : .denied
        #expect(try await customer.read(decided).status == status)
        let other = try await customer.open()
        customer.server.clock.setDate(customer.server.clock.date + 60)
        #expect(try await customer.read(other).status == .expired)
        #expect(try await customer.read(decided).status == status)
    }

    @Test(arguments: [true, false])
    func `invites a person whose device has lost its sign-in`(isRevoked: Bool) async throws {
        let customer = try await TestCustomer.add(to: server)
        try await customer.enrollDevice()
        #expect(try await customer.open(.oneTimePassword).invitation == nil)
        let now = customer.server.clock.date
        try await customer.server.change { repositories in
            var signIn = try #require(try repositories.signIns.find(Grant.ID("sign-in of phone")))
            if isRevoked { signIn.revoked = now } else { signIn.ends = now }
            try repositories.signIns.update(signIn)
        }
        #expect(try await customer.open(.oneTimePassword).invitation != nil)
    }

    @Test func `treats a number of nobody like that of a person who does not answer`() async throws {
        let customer = try await TestCustomer.add(to: server)
        for kind in AuthenticationRequest.Kind.allCases {
            let texts = try await [TestCustomer.anna, TestCustomer.nobody].asyncMap { number in
                let asked = try await customer.open(kind, ["to": "\"\(number)\""])
                let again = try await customer.open(kind, ["to": "\"\(number)\"", "expiry": "61"])
                return [asked, again].map { "\($0.status!) \($0.number?.utf8.count ?? 0) \($0.invitation != nil)" }
            }
            #expect(texts[0] == texts[1])
        }
        // Nothing is sent, and nobody can decide.
        let asked = try await customer.open(.oneTimePassword, ["to": "\"\(TestCustomer.nobody)\""])
        #expect(try await customer.deliveries(about: asked).isEmpty)
        let pin = try await customer.password(of: asked)
        #expect(try await customer.check(pin, of: asked).status == .forbidden)
        #expect(try await customer.read(asked).status == .open)
        customer.server.clock.setDate(customer.server.clock.date + 60)
        #expect(try await customer.read(asked).status == .expired)
    }

    @Test func `asks a person one question at a time`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let first = try await customer.open()
        let second = try await customer.open(.instant, ["expiry": "59"])
        #expect(first.status == .open && second.status == .failed)
        #expect(try await customer.read(second).status == .failed)
        // One-time passwords are no questions.
        #expect(try await customer.open(.oneTimePassword).status == .open)
        try await customer.decide(.deny, first)
        #expect(try await customer.open(.instant, ["expiry": "58"]).status == .open)
    }

    @Test func `is not told whether two numbers are one person's, by whether a question waits`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let other = "+31611111111"
        try await customer.give(other, to: .anna)
        #expect(try await customer.open().status == .open)
        #expect(try await customer.open(.instant, ["to": "\"\(other)\""]).status == .open)
        #expect(try await customer.open(.instant, ["to": "\"\(TestCustomer.nobody)\""]).status == .open)
        // The same number again is refused, whoever has it.
        for number in [other, TestCustomer.nobody] {
            let again = try await customer.open(.instant, ["to": "\"\(number)\"", "expiry": "59"])
            #expect(again.status == .failed)
        }
    }

    @Test func `asks a person though another site waits for them`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let register = CustomerSiteRegistry(
            of: server.store, mint: CodeMint(drawingFrom: .system), clock: server.serverClock)
        let (environment, secret) = try await register.add(CustomerSiteDraft(name: "The shop"))
        let shop = TestCustomer(server: server, environment: environment, secret: secret)
        for number in [TestCustomer.anna, TestCustomer.nobody] {
            let first = try await customer.open(.instant, ["to": "\"\(number)\"", "expiry": "3600"])
            let second = try await shop.open(.instant, ["to": "\"\(number)\""])
            #expect(first.status == .open && second.status == .open)
        }
    }

    @Test(.server { $0.limits[.startPerClient] = Limit(3, in: 60) }) func `limits the requests of a site`()
        async throws
    {
        let customer = try await TestCustomer.add(to: server)
        for _ in 0..<3 { #expect(try await customer.ask(.oneTimePassword).status == .ok) }
        let answer = try await customer.ask(.oneTimePassword)
        #expect(answer.status == .tooManyRequests && answer.failure?.status == 429)
        #expect(answer.headers[.retryAfter] != nil)
        // Those who sign in by themselves go on at the same address.
        #expect(try await !server.ask().deviceCode.revealed.isEmpty)
    }

    @Test(.server { $0.limits[.questionPerSource] = Limit(3, in: 60) })
    func `texts a number only so often, and does not show that`() async throws {
        let customer = try await TestCustomer.add(to: server)
        for number in [TestCustomer.anna, TestCustomer.nobody] {
            var answers: Set<Set<String>> = []
            var texts: [Int] = []
            for _ in 0..<5 {
                let answer = try await customer.ask(.oneTimePassword, ["to": "\"\(number)\""])
                let asked = try answer.json(AuthenticationRequest.self)
                #expect(answer.status == .ok && asked.status == .open)
                answers.insert(answer.members)
                texts.append(try await customer.deliveries(about: asked).count)
            }
            #expect(answers.count == 1)
            #expect(texts == (number == TestCustomer.anna ? [1, 1, 1, 0, 0] : [0, 0, 0, 0, 0]))
        }
        customer.server.clock.advance(by: .seconds(60))
        let later = try await customer.open(.oneTimePassword)
        #expect(try await customer.deliveries(about: later).count == 1)
    }

    @Test(.server { $0.limits[.wrongProofPerAddress] = Limit(5, in: 60) })
    func `counts wrong tokens, which refuse no right one from there`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let body = customer.body()
        let wrong = customer.token(body, by: CustomerSiteSecret(revealing: "another"))
        for _ in 0..<5 {
            #expect(try await customer.send(.post, "/auth/v1.0/otp", body, by: wrong).status == .unauthorized)
        }
        #expect(try await customer.send(.post, "/auth/v1.0/otp", body, by: wrong).status == .tooManyRequests)
        #expect(try await customer.ask().status != .tooManyRequests)
    }

    @Test func `names the methods that an address takes`() async throws {
        let customer = try await TestCustomer.add(to: server)
        let answer = try await customer.send(.delete, "/auth/v1.0/instant", by: nil)
        #expect(answer.status == .methodNotAllowed && answer.headers[.allow] == "POST")
        #expect(answer.failure?.status == 405)
    }
}

extension Sequence {
    /// The results of a closure that waits, one after the other.
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
