import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

/// The six rules of `Documentation/Limits.md`: whatever strangers do in a day, a person is never refused for it after
/// they waited as they were told, which is two minutes at most.
@Suite("Beside strangers who do their worst for a day, a person")
struct LimitLawTests {
    @Test(arguments: StrangerCrowd.allCases)
    func `signs in with a password, from wherever they come`(crowd: StrangerCrowd) async throws {
        try await LawfulDay.open(with: crowd) { day in
            let cookie = try await day.knownBrowser()
            try await day.live { round in
                try await day.guess(.passwordPerAccount, "anna", times: 64, from: 64 * round)
                for number in 0..<2 { _ = try await day.logIn("wrong", from: crowd.address(64 * round + number)) }
            } others: { round in
                let elsewhere = LawfulDay.newNetwork(100 + round)
                #expect(try await day.signIn(from: elsewhere, showing: cookie).status == .seeOther)
                #expect(try await day.signIn(from: LawfulDay.home).status == .seeOther)
                let answer = try await day.insist {
                    try await day.signIn(from: LawfulDay.newNetwork(round))
                } beside: {
                    try await day.guess(.passwordPerAccount, "anna", times: 32, from: 64 * round)
                }
                #expect(answer.status == .seeOther)
            }
        }
    }

    @Test(arguments: StrangerCrowd.allCases)
    func `types a user code, at once`(crowd: StrangerCrowd) async throws {
        try await LawfulDay.open(with: crowd) { day in
            try await day.live { round in
                // A hundred accounts; in the first round more codes than raise the alarm.
                try await day.flood(times: round == 0 ? 400 : 40, from: 40 * round) { number, address in
                    let subject = Subject("stranger \(number % 100)")
                    return [
                        .address(.guessPerAddress, address).sparing("\(CountedAddress.text(of: address)) \(subject)"),
                        RateLimitKey(rule: .codePerAccount, whom: "user code \(subject)", subject: subject),
                        .overall(.userCodeOverall),
                    ]
                }
            } others: { round in
                for address in [LawfulDay.home, LawfulDay.newNetwork(round)] {
                    let anna = try await day.browser(from: address)
                    let codes = try await day.server.ask()
                    func post(_ page: String, _ form: Form) async throws -> HTTPResponse.Status {
                        try await anna.post(page, form, headers: [.xForwardedFor: address]).status
                    }
                    let code = codes.userCode.rawValue
                    #expect(try await post("activate", ["user_code": "BBBB-BBBB"]) == .unprocessableContent)
                    #expect(try await post("activate", ["user_code": code]) == .seeOther)
                    let decision: Form = ["user_code": code, "decision": "approve"]
                    #expect(try await post("activate/decision", decision) == .seeOther)
                    #expect(try await day.server.poll(codes).status == .ok)
                }
            }
            let isAlarmed = day.server.metrics.text().contains(
                "countersign_limits_flooded_total{limit=\"user-code-overall\"} 1")
            #expect(isAlarmed || crowd != .everywhere)
        }
    }

    @Test(arguments: StrangerCrowd.allCases)
    func `types the one-time password of a site`(crowd: StrangerCrowd) async throws {
        try await LawfulDay.open(with: crowd) { day in
            let bank = try await TestCustomer.add(to: day.server)
            try await day.noteHome()
            let names = [bank.environment.client, ClientID("another")].map {
                "password \($0) \(TestPerson.anna.subject.rawValue)"
            }
            @Sendable func guess(_ round: Int) async throws {
                for name in names { try await day.guess(.codePerAccount, name, times: 20, from: 20 * round) }
            }
            @Sendable func open(from address: String) async throws -> (AuthenticationRequest, pin: String) {
                let asked = try await bank.open(.oneTimePassword, ["ip": "\"\(address)\"", "expiry": "300"])
                return (asked, try await bank.password(of: asked))
            }
            try await day.live { round in
                let (asked, pin) = try await open(from: crowd.address(round))
                for _ in 0..<5 { _ = try await bank.check(NumberProving.wrong(pin), of: asked) }
                try await guess(round)
            } others: { round in
                let (atHome, pin) = try await open(from: LawfulDay.home)
                let answer = try await bank.check(pin, of: atHome)
                #expect(try answer.json(AuthenticationRequest.self).status == .approved)

                let (elsewhere, other) = try await open(from: LawfulDay.newNetwork(round))
                let late = try await day.insist {
                    try await bank.check(other, of: elsewhere)
                } beside: {
                    // Strangers with many networks could go on forever here, and a code has no turns.
                }
                #expect(try late.json(AuthenticationRequest.self).status == .approved)
            }
        }
    }

    @Test(arguments: StrangerCrowd.allCases)
    func `gets texts for their number, and registers new phones`(crowd: StrangerCrowd) async throws {
        try await NumberProving.open(configuring: {
            $0.limits[.textPerPrefix] = Limit(40, in: 3600)
            $0.limits[.textOverall] = Limit(200, in: 86_400)
            $0.limits[.registrationOverall] = Limit(20, in: 3600)
        }) { proving in
            let day = LawfulDay(server: proving.server, crowd: crowd)
            try await proving.prove(for: proving.device("phone"))
            try await day.noteHome()
            let limits = proving.server.server.services.limits
            let numbers = try (0..<480).map { try PhoneNumber("+31620000\(100 + $0)") }
            try await day.live { round in
                for number in 0..<3 {
                    let device = proving.device("stranger-\(round)-\(number)", of: .bert)
                    let address = crowd.address(3 * round + number)
                    do { try await proving.register(for: device, from: address) } catch is RateLimitError {}
                }
                try await proving.server.change { repositories in
                    let budget = MessageBudget(limits: limits)
                    for number in 60 * round..<60 * (round + 1) {
                        do {
                            try budget.spend(
                                on: numbers[number], for: .stranger(crowd.address(number)), isSent: true,
                                in: repositories)
                        } catch is RateLimitError {
                            continue
                        }
                    }
                }
                try await day.flood(times: 60, from: 60 * round) { SelfRegistration.rateKeys(from: $1) }
                _ = try await proving.messages()
            } others: { round in
                // A device that is signed in, from anywhere, and one of the older dialect at home.
                for (device, address) in [
                    (proving.device("tablet-\(round)"), LawfulDay.newNetwork(round)),
                    (proving.device("old-\(round)", of: nil), LawfulDay.home),
                ] {
                    let registered = try await day.flood(times: 1, from: 0) { _, _ in
                        SelfRegistration.rateKeys(from: address)
                    }
                    #expect(registered == 1)
                    #expect(try await proving.register(for: device, from: address).status == .pending)
                    let code = try await proving.code() ?? ""
                    #expect(try await proving.verify(code, for: device, from: address).status == .verified)
                }
            }
            let own = 1 + 2 * LawfulDay.rounds
            #expect(try await proving.messages().count { $0.contains("is your code") } <= own + 31)
        }
    }

    @Test(arguments: StrangerCrowd.allCases)
    func `stays signed in on a screen, which refreshes its tokens`(crowd: StrangerCrowd) async throws {
        try await LawfulDay.open(
            with: crowd,
            configuring: {
                $0.limits[.wrongProofPerAddress] = Limit(5, in: 60)
                $0.limits[.tokenPerAddress] = Limit(100, in: 60)
            }
        ) { day in
            let services = day.server.server.services
            let first = try await day.server.signedIn()
            var wrong = TestClients.tv.form
            wrong["grant_type"] = "refresh_token"
            wrong["refresh_token"] = "wrong"
            let latest = LatestToken(first.refreshToken)
            try await day.live { [wrong] round in
                for number in 0..<10 {
                    let address = crowd.address(10 * round + number)
                    let answer = try await day.server.post("/token", wrong, headers: [.xForwardedFor: address])
                    #expect(answer.status == .badRequest || answer.status == .tooManyRequests)
                }
                for number in 0..<200 {
                    let key = RateLimitKey.address(.tokenPerAddress, crowd.address(200 * round + number))
                    do { try services.requestLimiter.admit(key) } catch is RateLimitError { continue }
                }
            } others: { round in
                var form = TestClients.tv.form
                form["grant_type"] = "refresh_token"
                form["refresh_token"] = await latest.token?.revealed
                let answer = try await day.server.post("/token", form, headers: [.xForwardedFor: LawfulDay.home])
                #expect(answer.status == .ok)
                let tokens = try answer.json(TokenResponse.self)
                await latest.keep(tokens.refreshToken)
                // A client with a secret goes on even where the strangers are.
                let robot = try TestClients.robot.form.with(["grant_type": "client_credentials"])
                let there = crowd.address(10 * round)
                #expect(try await day.server.post("/token", robot, headers: [.xForwardedFor: there]).status == .ok)
            }
        }
    }

    @Test func `sees the question that they wait for after at most one of a client that floods`() async throws {
        try await LawfulDay.open(with: .oneAddress) { day in
            let flooder = TestBackchannelClient(server: day.server, name: "flooder")
            let desk = TestBackchannelClient(server: day.server)
            try await flooder.register()
            try await desk.register()
            try await day.live { _ in
                for _ in 0..<15 { _ = try await flooder.asked() }
            } others: { round in
                let asked = try await desk.asked(["binding_message": "round \(round)"])
                let anna = try await day.server.browser(of: .anna)
                if try await !anna.get("account").text.contains("round \(round)") {
                    try await anna.answerQuestion("deny")
                }
                #expect(try await anna.get("account").text.contains("round \(round)"))
                try await anna.answerQuestion("approve")
                #expect(try await desk.poll(asked).status == .ok)
            }
        }
    }

    @Test(arguments: StrangerCrowd.allCases)
    func `is served by a site through which the strangers come, too`(crowd: StrangerCrowd) async throws {
        try await TestServer.openWithApps(configuring: {
            LawfulDay.proxy(&$0)
            $0.limits[.startPerAddress] = Limit(50, in: 600)
            $0.limits[.startOverall] = Limit(200, in: 600)
        }) { server in
            let day = LawfulDay(server: server, crowd: crowd)
            let site = TestApps.shop.record(created: server.clock.date)
            try await day.live { round in
                // Each stranger has the site push a request, and comes to the server with another.
                try await day.flood(times: round == 0 ? 1_100 : 100, from: 100 * round) { _, _ in
                    SignInStartService.rateKeys(site, .verified, from: "198.51.102.1")
                }
                try await day.flood(times: 100, from: 100 * round) { _, address in
                    SignInStartService.rateKeys(site, .asserted, from: address)
                }
            } others: { round in
                let pushed = try await server.post(
                    "/par", try TestApps.shop.request.form.with(TestApps.shop.secretOnly),
                    headers: [.xForwardedFor: "198.51.102.1"])
                #expect(pushed.status == .created)
                let name = try pushed.json(PushedAuthorizationResponse.self).requestURI
                for address in [LawfulDay.home, LawfulDay.newNetwork(round)] {
                    let anna = try await day.browser(from: address)
                    let query: Form =
                        address == LawfulDay.home
                        ? ["client_id": "shop", "request_uri": name] : TestApps.shop.request.form
                    var answer = try await server.get(
                        "/authorize?\(query.encoded)", headers: [.cookie: anna.cookie, .xForwardedFor: address])
                    if answer.status == .ok {
                        let authorization = try #require(answer.unescapedField("authorization"))
                        answer = try await anna.post(
                            "authorize/decision", ["authorization": authorization, "decision": "approve"],
                            headers: [.xForwardedFor: address])
                    }
                    let code = try #require(answer.authorization?.code)
                    #expect(try await server.redeem(code, as: .shop).status == .ok)
                }
            }
        }
    }
}

/// The refresh token that a screen got last.
private actor LatestToken {
    private(set) var token: RefreshToken?

    init(_ token: RefreshToken?) { self.token = token }

    func keep(_ token: RefreshToken?) { self.token = token }
}
