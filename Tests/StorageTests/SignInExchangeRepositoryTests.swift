import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The exchanges of a store")
struct SignInExchangeRepositoryTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `are found by each of their names`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let exchange = Fixtures.exchange("one")
            try await store.change {
                try $0.exchanges.insert(exchange)
                try $0.exchanges.insert(Fixtures.exchange("two"))
            }

            #expect(try await store.read { try $0.exchanges.find(exchange.requestCode) } == exchange)
            #expect(try await store.read { try $0.exchanges.find(Fixtures.userCode("one")) } == exchange)
            #expect(try await store.read { try $0.exchanges.find(exchange.id) } == exchange)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are named by the beginning of their identifier, in order`(store: StoreUnderTest) async throws {
        try await store.run { store in
            let ids = try await store.change { repositories in
                try ["two", "three", "one"].map { name in
                    let exchange = Fixtures.exchange(name)
                    try repositories.exchanges.insert(exchange)
                    return exchange.id
                }
            }.sorted { $0.rawValue < $1.rawValue }
            try await store.read { repositories in
                let exchanges = try repositories.exchanges
                #expect(try exchanges.requests(beginningWith: "", limit: 9) == ids)
                #expect(try exchanges.requests(beginningWith: "", limit: 2) == Array(ids.prefix(2)))
                for id in ids { #expect(try exchanges.requests(beginningWith: id.rawValue, limit: 9) == [id]) }
                #expect(try exchanges.requests(beginningWith: "~", limit: 9).isEmpty)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are not found by another name`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.exchanges.insert(Fixtures.exchange("one")) }

            #expect(try await store.read { try $0.exchanges.find(Fixtures.deviceCode("two")) } == nil)
            #expect(try await store.read { try $0.exchanges.find(Fixtures.userCode("two")) } == nil)
            #expect(try await store.read { try $0.exchanges.find(SignInRequest.ID("two")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `refuse a second of the same identifier, device code or user code`(store: StoreUnderTest) async throws {
        let one = Fixtures.exchange("one")
        let two = Fixtures.exchange("two")
        let three = Fixtures.exchange("three")
        let clashes = [
            one,
            SignInExchangeRecord(
                exchange: two.exchange, requestCode: one.requestCode, method: two.method, interval: 5),
            SignInExchangeRecord(
                exchange: three.exchange, requestCode: three.requestCode, method: one.method, interval: 5),
        ]
        try await store.run { store in
            try await store.change { try $0.exchanges.insert(one) }
            for clash in clashes {
                await #expect(throws: StoreError.alreadyExists) {
                    try await store.change { try $0.exchanges.insert(clash) }
                }
            }
            #expect(try await store.read { try $0.exchanges.find(two.id) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back with their method, as it is changed`(store: StoreUnderTest) async throws {
        let wrong = DigitsCode(restoring: "wrong")
        var number = NumberToMatch(DigitsCode(restoring: "42"))
        var password = RequestPassword(DigitsCode(restoring: "12345"), sealed: [1, 2, 3])
        func terms(_ number: NumberToMatch?) -> SignInMethod {
            .backchannel(BackchannelTerms(deliveryMode: .push, bindingMessage: nil, number: number))
        }
        func site(_ digits: CustomerSiteTerms.Digits) -> SignInMethod { .customerSite(Fixtures.siteTerms(digits)) }
        let binding = AuthorizationBinding(
            redirectURI: "https://app.example/back", namesRedirectURI: true, challenge: nil, nonce: "n", dpopKey: nil,
            session: SessionReference(id: ApproverID("browser"), expires: noon + 3600))
        var all = [
            Fixtures.exchange("code"), Fixtures.exchange("nearby", nearbyChallenge: Fixtures.challenge("one")),
            Fixtures.asking("browser that asks"),
            Fixtures.addressed("known device", method: .singleSignOn),
            Fixtures.addressed(
                "person's code", for: nil,
                method: .deviceCode(Fixtures.userCode("person's code"), nearby: Fixtures.challenge("two"))),
            Fixtures.addressed("browser", for: nil, method: .authorizationCode(binding)),
            Fixtures.addressed("token request", for: nil, method: .immediateGrant),
            Fixtures.addressed("named", for: nil, method: terms(nil)),
            Fixtures.addressed("named, with a number", for: nil, method: terms(number)),
            Fixtures.addressed("site", for: nil, method: site(.number(number))),
            Fixtures.addressed("site, with a password", for: nil, method: site(.password(password))),
        ]
        try await store.run { store in
            try await store.change { [all] repositories in
                for exchange in all { try repositories.exchanges.insert(exchange) }
            }
            for exchange in all {
                #expect(try await store.read { try $0.exchanges.find(exchange.requestCode) } == exchange)
            }
            #expect(number.match(wrong) == .missed && password.match(wrong) == .missed)
            all = all.suffix(3)
            all[0].method = terms(number)
            all[1].method = site(.number(number))
            all[2].method = site(.password(password))
            try await store.change { [all] repositories in
                for exchange in all { try repositories.exchanges.update(exchange) }
            }
            for exchange in all {
                #expect(try await store.read { try $0.exchanges.find(exchange.id) } == exchange)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep what they may be approved with, as it is changed`(store: StoreUnderTest) async throws {
        let demands = ScopeDemands(
            [.password, .userVerified, .deliberate], within: 300, reaching: [.secondFactor, .federated])
        let number = NumberToMatch(DigitsCode(restoring: "42"))
        let terms = [
            ApprovalTerms(),
            ApprovalTerms(link: .sameNetwork, showsNumber: true, demands: demands),
            ApprovalTerms(link: .always, demands: ScopeDemands.none, number: number),
            ApprovalTerms(demands: demands, isUnattainable: true),
        ]
        var renewing = ApprovalTerms(showsNumber: true)
        renewing.freshLink = FreshLink(keyedBy: [1, 2, 3], from: Date(timeIntervalSince1970: 1_800_000_000))
        let all = terms + [renewing]
        try await store.run { store in
            var exchange = Fixtures.exchange("one")
            try await store.change { [exchange] in try $0.exchanges.insert(exchange) }
            for terms in all {
                exchange.terms = terms
                try await store.change { [exchange] in try $0.exchanges.update(exchange) }
                let found = try await store.read { try $0.exchanges.find(Fixtures.deviceCode("one")) }
                #expect(found?.terms == terms)
            }
            var other = Fixtures.exchange("two")
            other.terms = terms[1]
            try await store.change { [other] in try $0.exchanges.insert(other) }
            let found = try await store.read { try $0.exchanges.find(Fixtures.deviceCode("two")) }
            #expect(found == other)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back in every state`(store: StoreUnderTest) async throws {
        let states: [SignInExchange.State] = [
            .open,
            .taken(Fixtures.taking),
            .approved(Fixtures.grant("grant"), by: Fixtures.anna),
            .approved(Fixtures.grant("grant"), by: Fixtures.anna, over: Fixtures.link("any")),
            .denied(by: Fixtures.anna),
            .redeemed(Fixtures.grant("grant"), at: noon + 30),
        ]
        try await store.run { store in
            for (index, state) in states.enumerated() {
                let challenge = Fixtures.challenge("\(index)")
                let inserted = Fixtures.exchange("inserted \(index)", in: state, nearbyChallenge: challenge)
                var updated = Fixtures.exchange("updated \(index)")
                try await store.change { [updated] in
                    try $0.exchanges.insert(inserted)
                    try $0.exchanges.insert(updated)
                }
                updated.exchange = SignInExchange(restoring: updated.exchange.request, in: state)
                updated.interval = 10
                try await store.change { [updated] in try $0.exchanges.update(updated) }

                #expect(try await store.read { try $0.exchanges.find(inserted.id) } == inserted)
                let id = updated.id
                #expect(try await store.read { try $0.exchanges.find(id) } == updated)
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep a text to its end, whatever is in it`(store: StoreUnderTest) async throws {
        let request = SignInRequest(
            id: SignInRequest.ID("one"),
            client: .asserted(ClientID("tv")),
            scope: .verified(.none),
            deviceName: .asserted("a\0b"),
            software: .asserted(""),
            asked: .observed(noon),
            deadline: noon + 600
        )
        try await store.run { store in
            try await store.change {
                let exchange = SignInExchange(request: request)
                try $0.exchanges.insert(
                    SignInExchangeRecord(
                        exchange: exchange,
                        requestCode: Fixtures.deviceCode("one"),
                        method: .deviceCode(Fixtures.userCode("one")),
                        interval: 5
                    )
                )
            }
            let found = try await store.read { try $0.exchanges.find(SignInRequest.ID("one")) }
            #expect(found?.exchange.request.deviceName == .asserted("a\u{FFFD}b"))
            #expect(found?.exchange.request.software == .asserted(""))
            #expect(try await store.read { try $0.exchanges.find(SignInRequest.ID("one\0two")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `stay as they are when one is updated that is not there`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { try $0.exchanges.update(Fixtures.exchange("one")) }
            #expect(try await store.read { try $0.exchanges.find(SignInRequest.ID("one")) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `name those that a person approved and nobody redeemed, newest first`(store: StoreUnderTest) async throws {
        func approved(_ name: String, by subject: Subject, at instant: Date) -> SignInExchangeRecord {
            Fixtures.exchange(
                name,
                in: .approved(
                    Fixtures.grant(name, to: subject, approved: instant),
                    by: ApproverIdentity(subject: subject, id: ApproverID("browser"))
                )
            )
        }
        let older = approved("older", by: Subject("anna"), at: noon)
        let newer = approved("newer", by: Subject("anna"), at: noon + 0.000_001)
        let hers = approved("hers", by: Subject("berta"), at: noon + 2)
        let spent = Fixtures.exchange("spent", in: .redeemed(Fixtures.grant("spent"), at: noon + 30))
        try await store.run { store in
            try await store.change { repositories in
                for exchange in [newer, older, hers, spent] { try repositories.exchanges.insert(exchange) }
            }
            #expect(
                try await store.read { try $0.exchanges.approved(by: Subject("anna"), at: noon, after: nil) } == [
                    newer, older,
                ])

            var redeemed = newer
            _ = redeemed.exchange.redeem(at: noon + 40)
            try await store.change { [redeemed] in try $0.exchanges.update(redeemed) }
            #expect(
                try await store.read { try $0.exchanges.approved(by: Subject("anna"), at: noon, after: nil) } == [older]
            )
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `name those that a person approved by the hundred, and go on after one`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in 0..<201 {
                    // Two at each instant, so that a page ends between them.
                    let grant = Fixtures.grant("\(number)", approved: noon + Double(number / 2))
                    let state = SignInExchange.State.approved(grant, by: Fixtures.anna)
                    try repositories.exchanges.insert(Fixtures.exchange("\(number)", in: state))
                }
            }
            let pages = try await store.read { repositories in
                var pages: [[String]] = []
                var last: SignInRequest.ID?
                repeat {
                    let page = try repositories.exchanges.approved(by: Subject("anna"), at: noon, after: last)
                    pages.append(page.map(\.id.rawValue))
                    last = page.last?.id
                } while last != nil
                return pages
            }
            #expect(pages.map(\.count) == [100, 100, 1, 0])
            let newestFirst: [String] = (0...200).reversed().map { "\($0)" }
            #expect(Array(pages.joined()) == newestFirst)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `name those that wait for a person and can still be decided, the oldest first`(
        store: StoreUnderTest
    ) async throws {
        let older = Fixtures.addressed("older", asked: noon - 1)
        let newer = Fixtures.addressed("newer", asked: noon, in: .taken(Fixtures.taking))
        let others = [
            Fixtures.addressed("hers", to: Subject("berta")), Fixtures.exchange("anybody's"),
            Fixtures.addressed("denied", in: .denied(by: Fixtures.anna)),
            Fixtures.addressed("approved", in: .approved(Fixtures.grant("approved"), by: Fixtures.anna)),
            Fixtures.addressed("too late", deadline: noon + 10),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for exchange in others + [newer, older] { try repositories.exchanges.insert(exchange) }
            }
            func waiting(at now: Date) async throws -> [SignInExchangeRecord] {
                try await store.read { try $0.exchanges.waiting(for: Subject("anna"), at: now) }
            }
            #expect(try await waiting(at: noon + 10) == [older, newer])
            let names = try await waiting(at: noon + 9).map(\.id.rawValue)
            #expect(Set(names) == ["older", "newer", "too late"])

            var decided = newer
            try decided.exchange.record(.deny, by: Fixtures.anna, at: noon + 20)
            try await store.change { [decided] in try $0.exchanges.update(decided) }
            #expect(try await waiting(at: noon + 10) == [older])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `have the purpose and the end of a service`(store: StoreUnderTest) async throws {
        var exchange = Fixtures.exchange("one")
        var request = exchange.exchange.request
        request.service = .asserted(GuestService(purpose: "backup on nas", ends: noon + 86_400))
        exchange.exchange = SignInExchange(request: request)
        try await store.run { [exchange] store in
            try await store.change { try $0.exchanges.insert(exchange) }
            #expect(try await store.read { try $0.exchanges.find(exchange.requestCode) } == exchange)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `name those that were put to a person and given up, until their time is over`(
        store: StoreUnderTest
    ) async throws {
        var request = Fixtures.request("remembered")
        request.rememberedPerson = Subject("anna")
        let remembered = SignInExchangeRecord(
            exchange: SignInExchange(restoring: request, in: .cancelled()),
            requestCode: Fixtures.deviceCode("remembered"),
            method: .deviceCode(Fixtures.userCode("remembered")),
            interval: 5
        )
        let exchanges = [
            Fixtures.addressed("hers", to: Subject("berta"), in: .cancelled()),
            Fixtures.addressed("older", asked: noon - 1, in: .cancelled(taker: Fixtures.anna)),
            Fixtures.addressed("open", asked: noon), remembered,
            Fixtures.addressed("over", in: .cancelled(), deadline: noon + 10),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for exchange in exchanges { try repositories.exchanges.insert(exchange) }
            }
            let found = try await store.read { try $0.exchanges.cancelled(for: Subject("anna"), at: noon + 10) }
            #expect(Set(found.map(\.rawValue)) == ["remembered", "older"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `name the newest twenty of each client that wait for a person, so that none hides those of another`(
        store: StoreUnderTest
    ) async throws {
        let quiet = Fixtures.addressed("quiet", by: ClientID("shop"), asked: noon - 60)
        let others = [
            Fixtures.addressed("hers", to: Subject("berta"), by: ClientID("loud"), asked: noon + 50),
            Fixtures.addressed("denied", by: ClientID("loud"), asked: noon + 50, in: .denied(by: Fixtures.anna)),
        ]
        try await store.run { store in
            try await store.change { repositories in
                for exchange in others + [quiet] { try repositories.exchanges.insert(exchange) }
                for number in 0..<30 {
                    // Two at each instant: the one that came last is the newest.
                    let asked = noon + Double(number / 2)
                    try repositories.exchanges.insert(
                        Fixtures.addressed("\(number)", by: ClientID("loud"), asked: asked))
                }
            }
            let found = try await store.read { try $0.exchanges.waiting(for: Subject("anna"), at: noon) }
            let expected: [String] = ["quiet"] + (10..<30).map { "\($0)" }
            #expect(found.map(\.id.rawValue) == expected)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `name the newest hundred of all clients that wait for a person, the oldest first`(
        store: StoreUnderTest
    ) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in 0..<120 {
                    let client = ClientID("client-\(number % 6)")
                    try repositories.exchanges.insert(
                        Fixtures.addressed("\(number)", by: client, asked: noon + Double(number)))
                }
            }
            let found = try await store.read { try $0.exchanges.waiting(for: Subject("anna"), at: noon) }
            #expect(found.map(\.id.rawValue) == (20..<120).map(String.init))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are all removed with their client, in every state`(store: StoreUnderTest) async throws {
        let states: [SignInExchange.State] = [
            .open, .taken(Fixtures.taking), .approved(Fixtures.grant("grant"), by: Fixtures.anna),
            .denied(by: Fixtures.anna), .redeemed(Fixtures.grant("grant"), at: noon + 30),
        ]
        let asked = states.enumerated().map { Fixtures.exchange("\($0)", in: $1) }
        let another = Fixtures.addressed("another")
        let client = try #require(asked.first).exchange.request.client.value
        try await store.run { store in
            try await store.change { repositories in
                for exchange in asked + [another] { try repositories.exchanges.insert(exchange) }
            }
            try await store.change { try $0.exchanges.removeAll(of: client) }
            for exchange in asked {
                #expect(try await store.read { try $0.exchanges.find(exchange.requestCode) } == nil)
            }
            #expect(try await store.read { try $0.exchanges.find(another.requestCode) } == another)
            try await store.change { try $0.exchanges.removeAll(of: client) }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are swept after their deadline, the oldest first, a few at a time`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change { repositories in
                for number in [3, 1, 2, 4] {
                    let exchange = Fixtures.exchange("\(number)", deadline: noon + Double(number))
                    try repositories.exchanges.insert(exchange)
                }
            }
            let last = noon + 4
            #expect(try await store.change { try $0.exchanges.sweep(before: last, limit: 2) } == 2)
            #expect(try await store.read { try $0.exchanges.find(SignInRequest.ID("2")) } == nil)
            #expect(try await store.read { try $0.exchanges.find(SignInRequest.ID("3")) } != nil)
            #expect(try await store.change { try $0.exchanges.sweep(before: last, limit: 2) } == 1)
            #expect(try await store.change { try $0.exchanges.sweep(before: last, limit: 2) } == 0)
            #expect(try await store.read { try $0.exchanges.find(SignInRequest.ID("4")) } != nil)
        }
    }
}
