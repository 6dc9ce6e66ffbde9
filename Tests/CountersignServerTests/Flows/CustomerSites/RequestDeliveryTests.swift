import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import CountersignServer

@Suite("What requests of sites send")
struct RequestDeliveryTests {
    @Test(.server, arguments: ["auto", "push"])
    func `goes to the devices by push, with identifiers only`(type: String) async throws {
        let customer = try await TestCustomer.add(to: .current)
        try await customer.enrollDevice()
        try await customer.enrollDevice("second")
        try await customer.enrollDevice("silent", pushable: false)
        let asked = try await customer.open(.instant, ["message_type": "\"\(type)\"", "text": "\"A secret\""])
        let sent = try await customer.deliveries(about: asked)
        #expect(sent.count == 2 && asked.invitation == nil)
        for delivery in sent {
            guard case .push(let payload, to: let address) = delivery.content else {
                Issue.record("no push message")
                continue
            }
            #expect(payload == PushPayload(.instant, environment: customer.environment.id, request: asked.id))
            #expect(address.service == .apple && address.app == "com.example.bank")
            #expect(delivery.expires == asked.deadline || abs(delivery.expires.timeIntervalSince(asked.deadline)) < 1)
        }
        try await customer.decide(.approve, asked)
        #expect(try await customer.deliveries(about: asked).allSatisfy { !$0.isWaiting })
    }

    @Test(.server) func `goes as a text where there is no device, or the customer wants that`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        let asked = try await customer.open(.oneTimePassword)
        let pin = try await customer.password(of: asked)
        let sent = try await customer.deliveries(about: asked)
        #expect(sent.count == 1)
        #expect(
            try await customer.words(of: sent[0])
                == "\(pin) is your one-time password for My Bank. Tell it to nobody.")
        #expect(
            try await customer.deliveries(
                about: try await customer.open(.oneTimePassword, ["message_type": "\"push\""])
            ).isEmpty)

        try await customer.enrollDevice()
        let question = try await customer.open(.instant, ["message_type": "\"sms\""])
        let text = try #require(try await customer.deliveries(about: question).first)
        #expect(
            try await customer.words(of: text)?.hasPrefix(
                "My Bank asks whether this is you. Answer at http://localhost:8080/answer?link=") == true)
    }

    /// Opens a customer whose server sends push messages and texts by what the test hands in, with two devices of
    /// Anna's.
    private func open(
        push: ScriptedPush?,
        gateway: CountingGateway,
        editing edit: @escaping @Sendable (inout CustomerSite) -> Void = { _ in },
        running test: @escaping @Sendable (TestCustomer, DeliveryService) async throws -> Void
    ) async throws {
        try await TestCustomer.open(
            configuring: { settings in
                settings.delivery = DeliverySettings(gateway: gateway, pushServices: push.map { [$0] } ?? [])
            },
            editing: edit
        ) { (customer) async throws -> Void in
            let server = customer.server.server
            let service = server.deliveries(over: ScriptedTransport([:]))
            try await customer.enrollDevice()
            try await customer.enrollDevice("second")
            try await test(customer, service)
        }
    }

    @Test(arguments: [DeliveryOutcome.deadAddress("Unregistered"), .rejected("BadTopic"), nil])
    func `goes as a text once no push message arrived, where the customer leaves the way to the server`(
        outcome: DeliveryOutcome?
    ) async throws {
        let gateway = CountingGateway()
        // Without an outcome there is no push service at all, while the devices have addresses.
        let push = outcome.map { ScriptedPush($0, $0) }
        try await open(push: push, gateway: gateway) { customer, service in
            let asked = try await customer.open(.oneTimePassword)
            try await service.deliver()
            let pin = try await customer.password(of: asked)
            #expect(await gateway.sent.map { $0.text.revealed.hasPrefix("\(pin) is your") } == [true])
            #expect(await gateway.sent.first?.number.text == TestCustomer.anna)
            #expect(try await customer.read(asked).status == .open)
            #expect(try await customer.check(pin, of: asked).status == .ok)
        }
    }

    @Test func `goes as a text only when the last push message failed, and once`() async throws {
        let gateway = CountingGateway()
        let push = ScriptedPush(.deadAddress("Unregistered"), .accepted)
        try await open(push: push, gateway: gateway) { customer, service in
            let asked = try await customer.open()
            try await service.deliver()
            #expect(await gateway.sent.isEmpty)
            #expect(try await customer.read(asked).status == .open)
        }
    }

    @Test func `has failed when the text fails, too, or must not be sent`() async throws {
        let dead = DeliveryOutcome.deadAddress("Unregistered")
        try await open(push: ScriptedPush(dead, dead), gateway: CountingGateway(.rejected("no such number"))) {
            customer, service in
            let asked = try await customer.open()
            try await service.deliver()
            #expect(try await customer.read(asked).status == .failed)
        }
        let gateway = CountingGateway()
        try await open(push: ScriptedPush(dead, dead), gateway: gateway, editing: { $0.texts.perDay = 0 }) {
            customer, service in
            let asked = try await customer.open()
            try await service.deliver()
            #expect(try await customer.read(asked).status == .failed)
        }
        try await open(push: ScriptedPush(dead, dead), gateway: gateway) { customer, service in
            let asked = try await customer.open(.instant, ["message_type": "\"push\""])
            try await service.deliver()
            #expect(try await customer.read(asked).status == .failed)
        }
        #expect(await gateway.sent.isEmpty)
        // Without push services devices ask by themselves, so the request waits for them even without a text.
        try await open(push: nil, gateway: gateway, editing: { $0.texts.perDay = 0 }) { customer, service in
            let asked = try await customer.open()
            try await service.deliver()
            #expect(try await customer.read(asked).status == .open)
        }
    }

    @Test func `sends texts within the prefixes and the budget of the site`() async throws {
        try await TestCustomer.open(editing: { $0.texts.perDay = 2 }) { (customer) async throws -> Void in
            for (expiry, count) in [(60, 1), (61, 1), (62, 0)] {
                let asked = try await customer.open(.oneTimePassword, ["expiry": "\(expiry)"])
                #expect(try await customer.deliveries(about: asked).count == count)
            }
            customer.server.clock.setDate(customer.server.clock.date + 86_400)
            let asked = try await customer.open(.oneTimePassword)
            #expect(try await customer.deliveries(about: asked).count == 1)
        }
        try await TestCustomer.open(editing: { $0.texts.prefixes = ["+32", "+316999"] }) {
            (customer) async throws -> Void in
            let asked = try await customer.open(.oneTimePassword)
            #expect(try await customer.deliveries(about: asked).isEmpty)
            // A request that goes by text only has failed, whether somebody has the number or not.
            for (number, kind) in [
                (TestCustomer.anna, AuthenticationRequest.Kind.oneTimePassword), (TestCustomer.anna, .instant),
                (TestCustomer.nobody, .oneTimePassword), (TestCustomer.nobody, .instant),
            ] {
                let refused = try await customer.open(kind, Self.text(to: number))
                #expect(refused.status == .failed)
                #expect(try await customer.read(refused).status == .failed)
                #expect(try await customer.deliveries(about: refused).isEmpty)
            }
        }
        try await TestCustomer.open(editing: { $0.texts.perDay = 2 }) { (customer) async throws -> Void in
            // A text that is never sent costs nothing, so numbers that nobody has do not use up the budget.
            for (number, count) in [
                (TestCustomer.nobody, 0), (TestCustomer.anna, 1), (TestCustomer.nobody, 0), (TestCustomer.anna, 1),
            ] {
                let asked = try await customer.open(.oneTimePassword, Self.text(to: number))
                #expect(asked.status == .open)
                #expect(try await customer.deliveries(about: asked).count == count)
            }
            // Once it is used up, the answer does not show whether somebody has a number.
            for number in [TestCustomer.nobody, TestCustomer.anna] {
                let refused = try await customer.open(.oneTimePassword, Self.text(to: number))
                #expect(refused.status == .failed)
                #expect(try await customer.deliveries(about: refused).isEmpty)
            }
            customer.server.clock.setDate(customer.server.clock.date + 86_400)
            let asked = try await customer.open(.oneTimePassword, Self.text(to: TestCustomer.anna))
            #expect(asked.status == .open)
        }
    }

    /// The parameters that ask for a text to a number.
    private static func text(to number: String) -> [String: String] {
        ["to": "\"\(number)\"", "message_type": "\"sms\""]
    }

    @Test(.server) func `leaves a person alone who wants that; the request waits for them all the same`() async throws {
        let customer = try await TestCustomer.add(to: .current)
        try await customer.enrollDevice()
        let end = customer.server.clock.date + 600
        try await customer.server.change { try $0.devices.keepQuiet(TestPerson.anna.subject, until: end) }
        let asked = try await customer.open()
        #expect(asked.status == .open)
        #expect(try await customer.deliveries(about: asked).isEmpty)
    }

    @Test func `tells the customer's server of the decision at once, and of the end`() async throws {
        let transport = ScriptedTransport(["/decided": [.status(.noContent)]])
        try await TestCustomer.open(
            calling: transport, editing: { $0.webhook = "https://bank.example/decided" }
        ) { (customer) async throws -> Void in
            let server = customer.server
            let delivery = server.server.deliveries(over: transport, telling: server.server.environmentWebhooks)
            // Without a device there would be a text, and no gateway for it here.
            try await customer.enrollDevice()
            let asked = try await customer.open()
            try await delivery.deliver()
            #expect(transport.sent(to: "/decided").isEmpty)
            try await customer.decide(.approve, asked)
            try await delivery.deliver()
            let expired = try await customer.open(.oneTimePassword)
            server.clock.setDate(server.clock.date + 61)
            try await delivery.deliver()
            let sent = transport.sent(to: "/decided")
            #expect(sent.count == 2)
            let told = try sent.map { call in
                let token = try JSONDecoder().decode([String: String].self, from: Data(call.body))["token"] ?? ""
                return try StatusToken(token, by: customer.secret, at: server.clock.date)
            }
            #expect(told.map(\.request) == [asked.id, expired.id])
            #expect(told.map(\.status) == [.approved, .expired])
        }
    }

    @Test func `tells the customer's server after it was down for an hour`() async throws {
        let down = Array(repeating: ScriptedTransport.Reply.status(.serviceUnavailable), count: 8)
        let transport = ScriptedTransport(["/decided": down + [.status(.noContent)]])
        try await TestCustomer.open(
            calling: transport, editing: { $0.webhook = "https://bank.example/decided" }
        ) { (customer) async throws -> Void in
            let server = customer.server
            let delivery = server.server.deliveries(over: transport, telling: server.server.environmentWebhooks)
            let asked = try await customer.open()
            try await customer.decide(.deny, asked)
            for _ in 0..<90 {
                try await delivery.deliver()
                if transport.sent(to: "/decided").count == 9 { break }
                server.clock.setDate(server.clock.date + 60)
                try await server.maintenance().sweep()
            }
            let sent = transport.sent(to: "/decided")
            let token = try JSONDecoder().decode([String: String].self, from: Data(try #require(sent.last).body))[
                "token"]
            let told = try StatusToken(token ?? "", by: customer.secret, at: server.clock.date)
            #expect(sent.count == 9 && told.status == .denied)
            #expect(try await customer.deliveries(about: asked).allSatisfy { !$0.isWaiting })
        }
    }

    @Test func `keeps the request for longer than others until the customer's server was told`() async throws {
        let busy = ScriptedTransport.Reply.status(.serviceUnavailable, fields: [.retryAfter: "3600"])
        let transport = ScriptedTransport(["/decided": [busy, busy, busy, .status(.noContent)]])
        try await TestCustomer.open(
            calling: transport, editing: { $0.webhook = "https://bank.example/decided" }
        ) { (customer) async throws -> Void in
            let server = customer.server
            let delivery = server.server.deliveries(over: transport, telling: server.server.environmentWebhooks)
            let asked = try await customer.open()
            try await customer.decide(.deny, asked)
            for _ in 0..<3 {
                try await delivery.deliver()
                server.clock.advance(by: .seconds(3600))
                try await server.maintenance().sweep()
            }
            #expect(try await server.rows(of: "exchanges") == 1)
            let call = try #require(try await customer.deliveries(about: asked).first { $0.lane == .calls })
            #expect(try await server.store.read { try PendingDeliveries($0).hasContent(of: call) })
            try await delivery.deliver()
            let sent = transport.sent(to: "/decided")
            let token = try JSONDecoder().decode([String: String].self, from: Data(try #require(sent.last).body))[
                "token"]
            let told = try StatusToken(token ?? "", by: customer.secret, at: server.clock.date)
            #expect(sent.count == 4 && told.status == .denied)
            // Once it was told, the request goes, and there is nothing to be sent again.
            try await server.maintenance().sweep()
            #expect(try await server.rows(of: "exchanges") == 0)
            #expect(try await server.store.read { try PendingDeliveries($0).hasContent(of: call) } == false)
        }
    }

    @Test func `goes to no device that was removed, and the next goes when the one before has failed`() async throws {
        let push = ScriptedPush(.rejected("BadTopic"), .accepted)
        try await open(push: push, gateway: CountingGateway()) { customer, service in
            let first = try await customer.open(.instant, ["message_type": "\"push\""])
            try await customer.give("+31612345699", to: .anna)
            let second = try await customer.open(
                .instant, ["message_type": "\"push\"", "to": "\"+31612345699\""])
            try await customer.server.change { _ = try $0.devices.remove(DeviceRegistration.ID("second")) }
            try await service.deliver()
            #expect(try await customer.read(first).status == .failed)
            let told = await push.sent.map(\.payload.request)
            #expect(told == [first.id, second.id])
            #expect(await push.sent.allSatisfy { $0.address.token == "token of phone" })
            #expect(try await customer.read(second).status == .open)
        }
    }

    @Test func `goes to the address that the device has by then`() async throws {
        let push = ScriptedPush(.accepted)
        try await open(push: push, gateway: CountingGateway()) { customer, service in
            _ = try await customer.open(.instant, ["message_type": "\"push\""])
            try await customer.server.change { repositories in
                var phone = try #require(try repositories.devices.find(DeviceRegistration.ID("phone")))
                phone.pushToken = PushToken(revealing: "another")
                try repositories.devices.update(phone)
                var second = try #require(try repositories.devices.find(DeviceRegistration.ID("second")))
                second.isPushEnabled = false
                try repositories.devices.update(second)
            }
            try await service.deliver()
            #expect(await push.sent.map(\.address.token) == ["another"])
        }
    }
}
