import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServiceLifecycle
import Testing

@testable import CountersignServer

/// A gateway that tells the test what it is asked to send.
private struct TellingGateway: SMSGateway {
    let asked: AsyncStream<TextMessage>.Continuation

    func send(_ message: TextMessage) async -> DeliveryOutcome {
        asked.yield(message)
        return .accepted
    }
}

/// A gateway that answers only after the server was told to stop, and counts what it is asked to send.
private actor LateGateway: SMSGateway {
    private(set) var count = 0
    private let asked: AsyncStream<Void>.Continuation

    init(asked: AsyncStream<Void>.Continuation) {
        self.asked = asked
    }

    func send(_ message: TextMessage) async -> DeliveryOutcome {
        count += 1
        asked.yield()
        do { try await gracefulShutdown() } catch { return .retry("cancelled") }
        return .accepted
    }
}

/// Servers of sites, each at a path of its own.
private struct WebhookPerCustomerSite: WebhookSource {
    func message(to environment: CustomerSiteID, about request: AuthenticationRequest.ID) async throws
        -> WebhookMessage?
    {
        WebhookMessage(address: "https://bank.example/\(environment.rawValue)", token: "token of \(request)")
    }
}

/// A site's server that is always told the same.
private struct FixedWebhook: WebhookSource {
    var address = "https://bank.example/decided"

    func message(to environment: CustomerSiteID, about request: AuthenticationRequest.ID) async throws
        -> WebhookMessage?
    {
        WebhookMessage(address: address, token: "token of \(request)")
    }
}

@Suite("What has to reach phones and customers' servers")
struct DeliveryServiceTests {
    private static let environment = CustomerSiteID(rawValue: "7c8f0a52-0d55-4a3a-9d53-000000000001")
    private static let address = PushAddress(.apple, token: "0011")

    private func open(
        gateway: (any SMSGateway)? = nil,
        push: (any PushService)? = nil,
        _ test: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        try await TestServer.open(configuring: {
            $0.delivery = DeliverySettings(gateway: gateway, pushServices: push.map { [$0] } ?? [])
        }) { try await test($0) }
    }

    private func service(
        _ server: TestServer,
        over transport: any HTTPTransport = ScriptedTransport([:])
    ) -> DeliveryService {
        server.server.deliveries(over: transport, telling: FixedWebhook())
    }

    private func text(_ server: TestServer, _ id: String = "text", lasting: Double = 600) async throws -> Delivery {
        let now = server.clock.date
        let delivery = try Delivery.text(
            MessageText(revealing: "the words with 123456"),
            to: try PhoneNumber("+31612345678"),
            id: Delivery.ID(id),
            made: now,
            expires: now + lasting,
            sealedBy: try await server.server.services.keys.current()
        )
        try await server.change { try $0.deliveries.insert(delivery) }
        return delivery
    }

    private func webhook(_ server: TestServer) async throws -> Delivery {
        let now = server.clock.date
        let delivery = Delivery(
            id: Delivery.ID("webhook"),
            .webhook(Self.environment, AuthenticationRequest.ID("request")),
            for: Self.environment,
            made: now,
            expires: now + DeliveryTimes.webhookLifetime
        )
        try await server.change { try $0.deliveries.insert(delivery) }
        return delivery
    }

    private func state(_ delivery: Delivery, in server: TestServer) async throws -> Delivery.State? {
        try await server.store.read { try $0.deliveries.find(delivery.id)?.state }
    }

    // MARK: Text messages

    @Test func `is sent once, and its words are sealed before and gone afterwards`() async throws {
        let gateway = CountingGateway()
        try await open(gateway: gateway) { server in
            let delivery = try await text(server)
            guard case .text(let sealed?, to: _) = delivery.content else { throw Unexpected() }
            #expect(sealed.bytes.firstRange(of: Array("123456".utf8)) == nil)
            try await service(server).deliver()
            try await service(server).deliver()
            #expect(await gateway.sent.map(\.text.revealed) == ["the words with 123456"])
            let kept = try #require(try await server.store.read { try $0.deliveries.find(delivery.id) })
            #expect(kept.state == .delivered(server.clock.date))
            #expect(kept.content == .text(nil, to: try PhoneNumber("+31612345678")))
        }
    }

    @Test func `is sent again with the same identifier by a gateway that is down, until it is up`() async throws {
        let gateway = CountingGateway(.retry("down"), .retry("down"), .accepted)
        try await open(gateway: gateway) { server in
            let delivery = try await text(server)
            for _ in 0..<6 {
                try await service(server).deliver()
                server.clock.advance(by: .seconds(30))
            }
            #expect(await gateway.sent.map(\.id) == [delivery.id, delivery.id, delivery.id])
        }
    }

    @Test func `is not paid twice when the answer of the gateway was lost`() async throws {
        let gateway = CountingGateway(.unknown("timedOut"))
        try await open(gateway: gateway) { server in
            _ = try await text(server)
            for _ in 0..<5 {
                try await service(server).deliver()
                server.clock.advance(by: .seconds(60))
            }
            #expect(await gateway.sent.count == 1)
        }
    }

    @Test func `is given up when the number is refused, when it expires, and where there is no gateway`() async throws {
        let gateway = CountingGateway(.rejected("no such number"), .retry("down", after: 300))
        try await open(gateway: gateway) { server in
            let refused = try await text(server, "refused")
            try await service(server).deliver()
            #expect(try await state(refused, in: server) == .failed(.rejected, at: server.clock.date))
            let late = try await text(server, "late", lasting: 60)
            try await service(server).deliver()
            #expect(try await state(late, in: server) == .failed(.expired, at: server.clock.date))
            #expect(try await server.audited(.messageNotDelivered).count == 2)
        }
        try await open { server in
            let delivery = try await text(server)
            try await service(server).deliver()
            #expect(try await state(delivery, in: server) == .failed(.noWay, at: server.clock.date))
        }
    }

    @Test func `is delivered by one node at a time, and is not lost when that node ends in between`() async throws {
        let (gateway, other) = (CountingGateway(), CountingGateway())
        try await open(gateway: gateway) { server in
            let delivery = try await text(server)
            // A node claims it and ends before it sends.
            let now = server.clock.date
            try await server.change { repositories in
                var claimed = try #require(try repositories.deliveries.find(delivery.id))
                claimed.due = try #require(service(server).next(after: claimed, at: now))
                claimed.attempts += 1
                try repositories.deliveries.update(claimed)
            }
            try await service(server).deliver()
            #expect(await gateway.sent.isEmpty)
            server.clock.advance(by: .seconds(15))
            async let first: Void = service(server).deliver()
            async let second: Void = service(server).deliver()
            _ = try await (first, second)
            #expect(await gateway.sent.count == 1)
            #expect(await other.sent.isEmpty)
            #expect(try await state(delivery, in: server) == .delivered(server.clock.date))
        }
    }

    @Test func `is sent once when the server is told to stop before the gateway has answered`() async throws {
        let (asked, asking) = AsyncStream.makeStream(of: Void.self)
        let gateway = LateGateway(asked: asking)
        try await open(gateway: gateway) { server in
            let delivery = try await text(server)
            let group = ServiceGroup(
                configuration: ServiceGroupConfiguration(
                    services: [ServiceGroupConfiguration.ServiceConfiguration(service: service(server))],
                    logger: server.server.logger)
            )
            let running = Task { try await group.run() }
            for await _ in asked { break }
            await group.triggerGracefulShutdown()
            try await running.value
            #expect(await gateway.count == 1)
            #expect(try await state(delivery, in: server) == .delivered(server.clock.date))
        }
    }

    @Test func `is sent while a customer's server never answers, and so are the calls of other servers`() async throws {
        let (sent, sending) = AsyncStream.makeStream(of: TextMessage.self)
        try await open(gateway: TellingGateway(asked: sending)) { server in
            let now = server.clock.date
            try await server.change { repositories in
                for number in 0..<110 {
                    // The deliveries that are due longest are all for the server that does not answer.
                    let environment = CustomerSiteID(rawValue: number < 100 ? "silent" : "other")
                    try repositories.deliveries.insert(
                        Delivery(
                            id: Delivery.ID("\(number)"),
                            .webhook(environment, AuthenticationRequest.ID("request")),
                            for: environment,
                            made: now - 200,
                            expires: now + DeliveryTimes.webhookLifetime,
                            due: now - 200 + Double(number)
                        )
                    )
                }
            }
            let network = ScriptedTransport(["/silent": [.silence], "/other": [.status(.ok)]])
            let deliveries = server.server.deliveries(over: network, telling: WebhookPerCustomerSite())
            let delivering = Task { try await deliveries.deliver() }
            await network.requests(10, to: "/other")
            await network.requests(3, to: "/silent")
            // Nor does it wait for any call to end that becomes due meanwhile.
            let late = try await text(server)
            await server.clock.sleepers(1)
            server.clock.advance(by: .seconds(1))
            for await message in sent {
                #expect(message.id == late.id)
                break
            }
            #expect(network.sent(to: "/silent").count == 3)
            delivering.cancel()
            _ = await delivering.result
        }
    }

    // MARK: Push messages

    @Test func `marks an address dead that the push service does not know any more`() async throws {
        let push = ScriptedPush(.deadAddress("Unregistered"))
        try await open(push: push) { server in
            let id = DeviceRegistration.ID("phone")
            let now = server.clock.date
            try await server.change { repositories in
                var device = EnrolledDevice(
                    id: id, dialect: .shared, subject: TestPerson.anna.subject, signIn: nil, created: now)
                device.pushToken = PushToken(revealing: "0011")
                device.isPushEnabled = true
                try repositories.devices.insert(device)
                try repositories.deliveries.insert(
                    Delivery(
                        id: Delivery.ID("push"), .push(PushPayload(.instant), to: Self.address), device: id,
                        made: now, expires: now + 60)
                )
            }
            try await service(server).deliver()
            #expect(await push.sent.count == 1)
            let device = try await server.store.read { try $0.devices.find(id) }
            #expect(device?.isPushable == false)
            #expect(device?.pushAddress == nil)
        }
    }

    @Test func `goes to the address that a device offered in place of one that is dead`() async throws {
        let push = ScriptedPush(.deadAddress("Unregistered"), .accepted, .deadAddress("Unregistered"))
        try await open(push: push) { server in
            let id = DeviceRegistration.ID("phone")
            let now = server.clock.date
            try await server.change { repositories in
                var device = EnrolledDevice(
                    id: id, dialect: .shared, subject: TestPerson.anna.subject, signIn: nil, created: now)
                device.details.platform = "iOS"
                device.details.appID = "com.example.bank"
                device.pushToken = PushToken(revealing: Self.address.token)
                device.isPushEnabled = true
                device.offer(PushToken(revealing: "2233"))
                try repositories.devices.insert(device)
                for name in ["one", "two"] {
                    try repositories.deliveries.insert(
                        Delivery(
                            id: Delivery.ID(name), .push(PushPayload(.instant), to: Self.address), device: id,
                            made: now, expires: now + 60, due: name == "one" ? now : now + 10)
                    )
                }
            }
            try await service(server).deliver()
            #expect(await push.sent.map(\.address.token) == [Self.address.token, "2233"])
            let device = try await server.store.read { try $0.devices.find(id) }
            #expect(device?.pushToken?.revealed == "2233" && device?.isPushable == true)
            #expect(device?.details.pushToken == nil)
            // A message to a device without another address ends.
            server.clock.advance(by: .seconds(10))
            try await server.change { repositories in
                var delivery = try #require(try repositories.deliveries.find(Delivery.ID("two")))
                var address = Self.address
                address.token = "2233"
                delivery.content = .push(PushPayload(.instant), to: address)
                try repositories.deliveries.update(delivery)
            }
            try await service(server).deliver()
            let ended = try await server.store.read { try $0.deliveries.find(Delivery.ID("two")) }
            #expect(ended?.isWaiting == false)
        }
    }

    @Test func `ends a request of a site when the last way to its person fails`() async throws {
        let push = ScriptedPush(.retry("busy"), .deadAddress("Unregistered"), .deadAddress("Unregistered"))
        try await open(push: push) { server in
            let id = SignInRequest.ID("asked")
            let now = server.clock.date
            let request = SignInRequest(
                id: id,
                client: .verified(TestClients.console.id),
                scope: .verified(Scope([.openid])),
                asked: .observed(now),
                deadline: now + 600
            )
            try await server.change { repositories in
                try repositories.exchanges.insert(
                    SignInExchangeRecord(
                        exchange: SignInExchange(request: request),
                        requestCode: SecretDigest(of: "device code"),
                        method: .customerSite(.sample(of: Self.environment)),
                        interval: 5
                    )
                )
                for name in ["first", "second"] {
                    try repositories.deliveries.insert(
                        Delivery(
                            id: Delivery.ID(name), .push(PushPayload(.instant), to: Self.address),
                            for: Self.environment, about: id, made: now, expires: now + 600)
                    )
                }
                try repositories.deliveries.insert(
                    Delivery(
                        id: Delivery.ID("told"),
                        .webhook(Self.environment, AuthenticationRequest.ID("asked")),
                        for: Self.environment,
                        about: id,
                        made: now,
                        expires: now + 3600,
                        due: now + 600
                    )
                )
            }
            @Sendable func status() async throws -> AuthenticationRequest.Status? {
                let now = server.clock.date
                return try await server.store.read { try $0.exchanges.find(id)?.status(at: now) }
            }
            let up = ScriptedTransport(["/decided": [.status(.ok)]])
            try await service(server, over: up).deliver()
            #expect(try await status() == .open)
            #expect(up.sent().isEmpty)
            server.clock.advance(by: .seconds(60))
            try await service(server, over: up).deliver()
            #expect(try await status() == .failed)
            #expect(up.sent().count == 1)
        }
    }

    // MARK: Calls of customers' servers

    @Test func `reaches a server that was down for an hour, once it is up, and once only`() async throws {
        let down = ScriptedTransport(["/decided": [.failure(TransportError(.notReached, because: "down"))]])
        try await open { server in
            let delivery = try await webhook(server)
            for _ in 0..<240 {
                try await service(server, over: down).deliver()
                server.clock.advance(by: .seconds(15))
            }
            #expect((5...10).contains(down.sent().count))
            #expect(try await state(delivery, in: server) == .waiting)
            let up = ScriptedTransport(["/decided": [.status(.noContent)]])
            for _ in 0..<240 {
                try await service(server, over: up).deliver()
                server.clock.advance(by: .seconds(15))
            }
            #expect(up.sent().count == 1)
            let (before, told) = (try #require(down.sent().first), try #require(up.sent().first))
            let name = try #require(WebhookCaller.idField)
            #expect(told.request.headerFields[name] == "webhook")
            #expect(before.request.headerFields[name] == "webhook")
            #expect(String(decoding: told.body, as: UTF8.self) == #"{"token":"token of request"}"#)
        }
    }

    @Test func `is given up after an hour and a quarter, is listed, and can be sent once more`() async throws {
        let down = ScriptedTransport(["/decided": [.status(.internalServerError)]])
        try await open { server in
            let delivery = try await webhook(server)
            for _ in 0..<400 {
                try await service(server, over: down).deliver()
                server.clock.advance(by: .seconds(15))
            }
            #expect(down.sent().count == DeliveryTimes.webhookDelays.count)
            let listed = try await server.store.read {
                try $0.deliveries.page(of: Self.environment, before: nil, limit: 9)
            }
            #expect(listed.map(\.id) == [delivery.id])
            guard case .failed(.attemptsSpent, at: _)? = listed.first?.state else { throw Unexpected() }
            let now = server.clock.date
            try await server.change {
                try $0.deliveries.replay(delivery.id, at: now, lifetime: DeliveryTimes.webhookLifetime)
            }
            let up = ScriptedTransport(["/decided": [.status(.ok)]])
            try await service(server, over: up).deliver()
            #expect(up.sent().count == 1)
        }
    }

    @Test func `waits as long as the receiver asks`() async throws {
        let busy = ScriptedTransport([
            "/decided": [.status(.tooManyRequests, fields: [.retryAfter: "900"]), .status(.ok)]
        ])
        try await open { server in
            _ = try await webhook(server)
            try await service(server, over: busy).deliver()
            server.clock.advance(by: .seconds(899))
            try await service(server, over: busy).deliver()
            #expect(busy.sent().count == 1)
            server.clock.advance(by: .seconds(1))
            try await service(server, over: busy).deliver()
            #expect(busy.sent().count == 2)
        }
    }

    private struct Unexpected: Error {}
}
