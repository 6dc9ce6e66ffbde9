import Countersign
import CountersignServer
import CountersignWire
import Foundation
import Testing

@Suite("The deliveries of a store")
struct DeliveryRepositoryTests {
    private let shop = CustomerSiteID(rawValue: "7c8f0a52-0d55-4a3a-9d53-000000000001")
    private let request = SignInRequest.ID("request")

    @Test(arguments: StoreUnderTest.allCases)
    func `are listed where they failed, for good or so far`(store: StoreUnderTest) async throws {
        var failed = webhook("failed")
        failed.attempts = 1
        failed.end(.failed(.rejected, at: noon + 1))
        var retried = webhook("retried", made: noon + 1)
        retried.attempts = 2
        var delivered = webhook("delivered")
        delivered.attempts = 1
        delivered.end(.delivered(noon + 1))
        var withdrawn = webhook("withdrawn")
        withdrawn.attempts = 1
        withdrawn.end(.failed(.withdrawn, at: noon + 1))
        let all = [failed, retried, delivered, withdrawn, webhook("new")]
        let listed = [retried, failed]
        try await store.run { store in
            try await store.change { for delivery in all { try $0.deliveries.insert(delivery) } }
            #expect(try await store.read { try $0.deliveries.failing(before: noon + 2, limit: 9) } == listed)
            #expect(try await store.read { try $0.deliveries.failing(before: noon + 2, limit: 1) } == [listed[0]])
            #expect(try await store.read { try $0.deliveries.failing(before: noon + 1, limit: 9) } == [listed[1]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `to a number or a person are removed together, sent or not, and not those of another at the same address`(
        store: StoreUnderTest
    ) async throws {
        let (text, mail, push) = (try text("text"), mail("mail", nil), push("push"))
        let others = self.mail("others", nil, of: Subject("+31612345678"))
        var sent = self.mail("sent", SealedText(restoring: [1]))
        sent.end(.delivered(noon + 1))
        let all = [text, mail, push, sent, others]
        try await store.run { [sent] store in
            try await store.change { for delivery in all { try $0.deliveries.insert(delivery) } }
            let another = try PhoneNumber("+31612345679")
            try await store.change {
                try $0.deliveries.removeAll(to: [.person(Subject("zoe")), .number(another)])
            }
            let left = try await store.read { repositories in
                try all.compactMap { try repositories.deliveries.find($0.id) }
            }
            #expect(left == [text, push, others] && !left.contains(sent))
            let number = try PhoneNumber("+31612345678")
            try await store.change { try $0.deliveries.removeAll(to: [.number(number)]) }
            #expect(try await store.read { try $0.deliveries.find(text.id) } == nil)
            #expect(try await store.read { try $0.deliveries.find(others.id) } == others)
        }
    }

    private func text(_ id: String, made: Date = noon, due: Date? = nil) throws -> Delivery {
        Delivery(
            id: Delivery.ID(id),
            .text(SealedText(restoring: [1, 2, 3]), to: try PhoneNumber("+31612345678")),
            for: shop,
            about: request,
            made: made,
            expires: made + 60,
            due: due
        )
    }

    private func mail(
        _ id: String, _ secret: SealedText?, of person: Subject = Subject("zoe"), made: Date = noon
    ) -> Delivery {
        Delivery(
            id: Delivery.ID(id),
            .mail(
                MailMessage(
                    .newDevice, to: EmailAddress("zoë@example.org"), of: person, name: "Zoë", language: "de",
                    values: ["device": "Küchenradio"]),
                secret),
            made: made,
            expires: made + 60
        )
    }

    private func push(_ id: String, made: Date = noon) -> Delivery {
        Delivery(
            id: Delivery.ID(id),
            .push(
                PushPayload(.instant, environment: shop, request: AuthenticationRequest.ID("asked")),
                to: PushAddress(.apple, token: "abcd", app: "com.example.bank", isDevelopment: true)
            ),
            for: shop,
            about: request,
            device: DeviceRegistration.ID("phone"),
            made: made,
            expires: made + 60
        )
    }

    private static let origin = WebOrigin("https://push.example.net")

    private func browserPush(_ id: String) -> Delivery {
        Delivery(
            id: Delivery.ID(id),
            .browserPush(
                PushPayload(.instant, request: AuthenticationRequest.ID("asked")), to: ApproverID("session"),
                at: Self.origin),
            about: request, made: noon, expires: noon + 60)
    }

    private func webPush(_ id: String) throws -> Delivery {
        let receiver = WebPushReceiver(drawingFrom: .system)
        let address = PushAddress(try #require(receiver.subscription(at: "https://push.example.net/a?b=c")))
        return Delivery(
            id: Delivery.ID(id), .push(PushPayload(.instant), to: address), about: request,
            device: DeviceRegistration.ID("phone"), made: noon, expires: noon + 60)
    }

    private func webhook(_ id: String, made: Date = noon) -> Delivery {
        Delivery(
            id: Delivery.ID(id),
            .webhook(shop, AuthenticationRequest.ID("asked")),
            for: shop,
            about: request,
            made: made,
            expires: made + 3600
        )
    }

    private func newDevice(_ id: String, _ addition: NewDevice.Addition, made: Date = noon) -> Delivery {
        Delivery(
            id: Delivery.ID(id),
            .newDevice(
                NewDevice(addition, of: Subject("anna"), client: ClientID("tv"), by: .nearby, added: made)),
            made: made,
            expires: made + 3600
        )
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `list what the webhook for new devices is told, the newest first, and keep it`(
        store: StoreUnderTest
    ) async throws {
        let device = NewDevice(
            .device(DeviceRegistration.ID("d")), of: Subject("anna"), client: nil, by: .phoneNumber, added: noon)
        let first = newDevice("a", .signIn(Grant.ID("g")))
        let second = Delivery(id: Delivery.ID("b"), .newDevice(device), made: noon + 1, expires: noon + 60)
        let alarm = LimitAlarm(of: "start-per-client", client: ClientID("tv"), reached: noon, ends: noon + 600)
        let third = Delivery(id: Delivery.ID("d"), .limitAlarm(alarm), made: noon + 2, expires: noon + 60)
        try await store.run { store in
            try await store.change { repositories in
                for delivery in [first, push("p"), second, webhook("c"), third] {
                    try repositories.deliveries.insert(delivery)
                }
            }
            #expect(try await store.read { try $0.deliveries.newDevices(limit: 9) } == [third, second, first])
            #expect(try await store.read { try $0.deliveries.newDevices(limit: 1) } == [third])
            var told = first
            told.state = .delivered(noon + 2)
            try await store.change { [told] in try $0.deliveries.update(told) }
            #expect(try await store.read { try $0.deliveries.find(first.id) } == told)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `come back as they were kept, and have an identifier each`(store: StoreUnderTest) async throws {
        let bare = Delivery(
            id: Delivery.ID("bare"),
            .push(PushPayload(nil), to: PushAddress(.google, token: "t")),
            made: noon,
            expires: noon + 0.1
        )
        let all = [try text("a"), push("b"), webhook("c"), bare, browserPush("d"), try webPush("e")]
        try await store.run { store in
            try await store.change { repositories in
                for delivery in all { try repositories.deliveries.insert(delivery) }
            }
            for delivery in all {
                #expect(try await store.read { try $0.deliveries.find(delivery.id) } == delivery)
            }
            await #expect(throws: StoreError.alreadyExists) {
                try await store.change { try $0.deliveries.insert(all[1]) }
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are due while they wait, the longest due first`(store: StoreUnderTest) async throws {
        let (late, early) = (try text("a", due: noon + 2), try text("b", due: noon + 1))
        var done = push("c")
        done.state = .delivered(noon + 1)
        try await store.run { [done] store in
            try await store.change { repositories in
                for delivery in [late, early, done] { try repositories.deliveries.insert(delivery) }
            }
            #expect(try await store.read { try $0.deliveries.due(in: .messages, at: noon + 0.9, limit: 9) } == [])
            let due = try await store.read { try $0.deliveries.due(in: .messages, at: noon + 2, limit: 9) }
            #expect(due == [early, late])
            #expect(try await store.read { try $0.deliveries.due(in: .messages, at: noon + 2, limit: 1) } == [early])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `keep mails with and without a secret, which goes at the end`(store: StoreUnderTest) async throws {
        let (secret, notice) = (mail("a", SealedText(restoring: [1, 2, 3])), mail("b", nil))
        try await store.run { store in
            try await store.change { repositories in
                for delivery in [secret, notice] { try repositories.deliveries.insert(delivery) }
            }
            #expect(
                try await store.read { try $0.deliveries.due(in: .messages, at: noon, limit: 9) } == [secret, notice])
            #expect(
                try await store.read {
                    try $0.deliveries.due(in: .messages, at: noon, exceptTo: [.mailGateway], limit: 9)
                }.isEmpty)
            var ended = secret
            ended.end(.delivered(noon))
            try await store.change { [ended] in try $0.deliveries.update(ended) }
            let found = try #require(try await store.read { try $0.deliveries.find(secret.id) })
            #expect(found == ended && found.content == mail("a", nil).content)
            #expect(try await store.change { try $0.deliveries.replay(secret.id, at: noon, lifetime: 60) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are due by lane, without those for receivers that are full`(store: StoreUnderTest) async throws {
        let other = CustomerSiteID(rawValue: "other")
        let call = Delivery(
            id: Delivery.ID("a"),
            .webhook(other, AuthenticationRequest.ID("asked")),
            for: other,
            made: noon,
            expires: noon + 3600
        )
        let (words, alert) = (try text("b"), push("c"))
        let (told, added) = (webhook("d"), newDevice("e", .signIn(Grant.ID("g"))))
        try await store.run { store in
            try await store.change { repositories in
                for delivery in [call, words, alert, told, added] { try repositories.deliveries.insert(delivery) }
            }
            func due(_ lane: DeliveryLane, exceptTo full: Set<Delivery.Receiver>) async throws -> [Delivery] {
                try await store.read { try $0.deliveries.due(in: lane, at: noon, exceptTo: full, limit: 9) }
            }
            #expect(try await due(.messages, exceptTo: []) == [words, alert])
            #expect(try await due(.messages, exceptTo: [.gateway]) == [alert])
            #expect(try await due(.messages, exceptTo: [.pushService(.apple)]) == [words])
            #expect(try await due(.messages, exceptTo: [.pushService(.google)]) == [words, alert])
            #expect(try await due(.calls, exceptTo: []) == [call, told, added])
            #expect(try await due(.calls, exceptTo: [.environment(shop)]) == [call, added])
            #expect(try await due(.calls, exceptTo: [.environment(shop), .environment(other), .operator]) == [])
            // A message that goes to another service has another receiver.
            var moved = alert
            moved.content = .push(PushPayload(.instant), to: PushAddress(.google, token: "t"))
            try await store.change { [moved] in try $0.deliveries.update(moved) }
            #expect(try await due(.messages, exceptTo: [.pushService(.google)]) == [words])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `to browsers, and to services that devices name, are in a lane of their own`(store: StoreUnderTest)
        async throws
    {
        let (browser, phone, alert) = (browserPush("a"), try webPush("b"), push("c"))
        try await store.run { store in
            try await store.change { for one in [browser, phone, alert] { try $0.deliveries.insert(one) } }
            func due(_ lane: DeliveryLane, exceptTo full: Set<Delivery.Receiver>) async throws -> [Delivery] {
                try await store.read { try $0.deliveries.due(in: lane, at: noon, exceptTo: full, limit: 9) }
            }
            #expect(try await due(.messages, exceptTo: []) == [alert])
            #expect(try await due(.webPush, exceptTo: []) == [browser, phone])
            #expect(try await due(.webPush, exceptTo: [.webPushService(Self.origin)]) == [])
            #expect(try await due(.webPush, exceptTo: [.webPushService(WebOrigin("https://a.example"))]).count == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases, Delivery.Failure.allCases)
    func `keep how they ended`(store: StoreUnderTest, failure: Delivery.Failure) async throws {
        var ended = try text("a")
        ended.content = .text(nil, to: try PhoneNumber("+31612345678"))
        ended.attempts = 3
        ended.due = noon + 9
        ended.state = .failed(failure, at: noon + 8)
        ended.problem = "status 75: Zeitüberschreitung"
        let first = try text("a")
        try await store.run { [ended] store in
            try await store.change {
                try $0.deliveries.insert(first)
                try $0.deliveries.update(ended)
            }
            #expect(try await store.read { try $0.deliveries.find(ended.id) } == ended)
            let due = try await store.read { try $0.deliveries.due(in: .messages, at: .distantFuture, limit: 9) }
            #expect(due == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are listed for their customer in pages, and for their request`(store: StoreUnderTest) async throws {
        let all = (0..<5).map { push("\($0)", made: noon + Double($0 / 2)) }
        try await store.run { store in
            try await store.change { repositories in
                for delivery in all { try repositories.deliveries.insert(delivery) }
            }
            let first = try await store.read { try $0.deliveries.page(of: shop, before: nil, limit: 2) }
            #expect(first.map(\.id.rawValue) == ["4", "3"])
            let second = try await store.read { try $0.deliveries.page(of: shop, before: first.last, limit: 9) }
            #expect(second.map(\.id.rawValue) == ["2", "1", "0"])
            #expect(try await store.read { try $0.deliveries.all(about: request) } == all)
            let other = CustomerSiteID(rawValue: "other")
            #expect(try await store.read { try $0.deliveries.page(of: other, before: nil, limit: 2) } == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are withdrawn with their words once the request is answered, calls of servers excepted`(
        store: StoreUnderTest
    ) async throws {
        let words = try text("a")
        try await store.run { store in
            try await store.change { repositories in
                for delivery in [words, push("b"), webhook("c")] { try repositories.deliveries.insert(delivery) }
            }
            let now = noon + 5
            #expect(try await store.change { try $0.deliveries.withdraw(about: request, at: now) } == 2)
            #expect(try await store.change { try $0.deliveries.withdraw(about: request, at: now) } == 0)
            let text = try #require(try await store.read { try $0.deliveries.find(words.id) })
            #expect(text.state == .failed(.withdrawn, at: now))
            #expect(text.content == .text(nil, to: try PhoneNumber("+31612345678")))
            #expect(try await store.read { try $0.deliveries.find(Delivery.ID("c")) }?.isWaiting == true)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `can be made due once more, unless their words were forgotten`(store: StoreUnderTest) async throws {
        var called = webhook("c")
        called.attempts = 10
        called.state = .failed(.attemptsSpent, at: noon + 3600)
        called.problem = "503"
        var sent = try text("a")
        sent.content = .text(nil, to: try PhoneNumber("+31612345678"))
        sent.state = .delivered(noon + 1)
        try await store.run { [called, sent] store in
            try await store.change {
                try $0.deliveries.insert(called)
                try $0.deliveries.insert(sent)
            }
            let again = try await store.change { try $0.deliveries.replay(called.id, at: noon + 7200, lifetime: 60) }
            #expect(again?.attempts == 0 && again?.due == noon + 7200 && again?.expires == noon + 7260)
            #expect(again?.problem == nil)
            let due = try await store.read { try $0.deliveries.due(in: .calls, at: noon + 7200, limit: 9) }
            #expect(due == [again])
            #expect(try await store.change { try $0.deliveries.replay(sent.id, at: noon + 2, lifetime: 60) } == nil)
            let unknown = Delivery.ID("unknown")
            #expect(try await store.change { try $0.deliveries.replay(unknown, at: noon, lifetime: 60) } == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `are removed some time after they expired`(store: StoreUnderTest) async throws {
        try await store.run { store in
            try await store.change {
                try $0.deliveries.insert(push("b"))
                try $0.deliveries.insert(webhook("c"))
            }
            #expect(try await store.change { try $0.deliveries.sweep(before: noon + 61, limit: 9) } == 1)
            #expect(try await store.read { try $0.deliveries.find(Delivery.ID("b")) } == nil)
        }
    }
}
