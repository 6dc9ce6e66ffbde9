import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// Threat 9: texts cost money, and people must get theirs all the same.
@Suite("The budget of texts")
struct MessageBudgetTests {
    private static let home = "192.0.2.1"
    private static let elsewhere = "198.51.100.7"

    /// A number for each place of a list.
    private func number(_ place: Int) -> String { "+316200000\(10 + place)" }

    /// A device of Anna's asks for a code to a number of its own.
    private func ask(_ place: Int, from address: String, _ proving: NumberProving) async throws {
        try await proving.register(number(place), for: proving.device("device-\(place)"), from: address)
    }

    /// That device types the code.
    private func type(_ place: Int, from address: String, _ proving: NumberProving) async throws {
        let code = try #require(try await proving.code(at: number(place)))
        let outcome = try await proving.verify(code, for: proving.device("device-\(place)"), from: address)
        #expect(outcome.status == .verified)
    }

    // MARK: One number

    @Test func `makes each pause twice as long as the one before, an hour at most, whichever devices ask`()
        async throws
    {
        try await NumberProving.open { proving in
            for (place, pause) in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600].enumerated() {
                try await proving.register(for: proving.device("device-\(place)", of: .bert), from: "203.0.\(place).1")
                #expect(try await proving.messages().count == place + 1)
                proving.server.clock.advance(by: .seconds(pause - 1))
                await #expect(throws: RateLimitError(.limit(.textPerNumber), retryAfter: 1)) {
                    try await proving.register(
                        for: proving.device("early-\(place)", of: .bert), from: "198.51.\(place).1")
                }
                proving.server.clock.advance(by: .seconds(1))
            }
            // They begin anew a day after the first text.
            proving.server.clock.advance(by: .seconds(86_400))
            try await proving.register(for: proving.device("late", of: .bert))
            proving.server.clock.advance(by: .seconds(30))
            try await proving.register(for: proving.device("later", of: .bert))
        }
    }

    @Test(arguments: [true, false])
    func `locks nobody out of a number for which ten strangers asked`(isHeld: Bool) async throws {
        try await NumberProving.open { proving in
            if isHeld { try await proving.prove(for: proving.device("phone")) }
            for (place, pause) in [0, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600].enumerated() {
                proving.server.clock.advance(by: .seconds(pause))
                try await proving.register(
                    for: proving.device("stranger-\(place)", of: .bert), from: "203.0.\(place).1")
                _ = try await proving.messages()
            }
            let own = proving.device("tablet")
            if !isHeld {
                // Nobody has it yet, so its owner is a stranger, too, and waits for an hour at most.
                await #expect(throws: RateLimitError(.limit(.textPerNumber), retryAfter: 3600)) {
                    try await proving.register(for: own)
                }
                proving.server.clock.advance(by: .seconds(3600))
            }
            #expect(try await proving.prove(for: own).status == .verified)
        }
    }

    /// The owner's are the device that has the number, every other of their own, and one of the older dialect, which
    /// has no person before it proves a number, in a network where they were seen.
    @Test(
        arguments: [
            ("phone", nil, "198.51.100.7"), ("tablet", .anna, "198.51.100.7"), ("second", nil, "192.0.2.1"),
        ] as [(String, TestPerson?, String)])
    func `pauses an owner apart from strangers`(device: String, person: TestPerson?, address: String) async throws {
        try await NumberProving.open { proving in
            try await proving.prove(for: proving.device("phone"))
            let now = proving.server.clock.date
            try await proving.server.change { repositories in
                try VisitHistory(repositories).note(of: TestPerson.anna.subject, from: Self.home, at: now)
                // The phone has to prove its number anew.
                let id = DeviceRegistration.ID("phone")
                var record = try #require(try repositories.phoneRegistrations.find(id))
                record.registration.end()
                try repositories.phoneRegistrations.keep(record)
                var phone = try #require(try repositories.devices.find(id))
                (phone.status, phone.subject) = (.unverified, nil)
                try repositories.devices.update(phone)
            }
            let paused = RateLimitError(.limit(.textPerNumber), retryAfter: 30)
            try await proving.register(for: proving.device("stranger", of: .bert), from: "203.0.113.1")
            await #expect(throws: paused) {
                try await proving.register(for: proving.device("unknown", of: nil), from: Self.elsewhere)
            }
            let asking = proving.device(device, of: person)
            #expect(try await proving.register(for: asking, from: address).status == .pending)
            #expect(try await proving.messages().count == 3)
            // The owner's own next text waits, too.
            await #expect(throws: paused) { try await proving.register(for: proving.device("watch")) }
        }
    }

    @Test func `pauses for a number that nobody has, and spends nothing on it`() async throws {
        try await NumberProving.open(configuring: { $0.limits[.textOverall] = Limit(1, in: 86_400) }) { proving in
            let pending = NumberOutcome.pending(try PhoneNumber(NumberProving.number))
            #expect(try await proving.register(for: proving.device("first", of: nil)) == pending)
            await #expect(throws: RateLimitError(.limit(.textPerNumber), retryAfter: 30)) {
                try await proving.register(for: proving.device("second", of: nil), from: Self.elsewhere)
            }
            #expect(try await proving.messages().isEmpty)
            try await ask(0, from: Self.home, proving)
            await #expect(throws: RateLimitError(.limit(.textOverall), retryAfter: 86_400)) {
                try await ask(1, from: Self.home, proving)
            }
        }
    }

    // MARK: Networks and countries

    @Test func `stops a network after ten texts that nobody typed, and no other`() async throws {
        try await NumberProving.open { proving in
            let network = "203.0.113.7"
            // Those that are typed do not count.
            for place in 0..<12 {
                try await ask(place, from: network, proving)
                try await type(place, from: network, proving)
            }
            for place in 20..<30 { try await ask(place, from: network, proving) }
            let full = RateLimitError(.limit(.textPerAddress), retryAfter: 3600)
            await #expect(throws: full) { try await ask(30, from: network, proving) }
            try await ask(40, from: Self.elsewhere, proving)
            // A code that is typed makes room for one more, and so does time.
            try await type(20, from: network, proving)
            try await ask(30, from: network, proving)
            await #expect(throws: full) { try await ask(31, from: network, proving) }
            proving.server.clock.advance(by: .seconds(3600))
            try await ask(31, from: network, proving)
        }
    }

    @Test func `stops a network of 256 addresses after forty, and not the one beside it`() async throws {
        try await NumberProving.open { proving in
            for place in 0..<40 { try await ask(place, from: "203.0.113.\(place / 10 + 1)", proving) }
            await #expect(throws: RateLimitError(.limit(.textPerAddress), retryAfter: 3600)) {
                try await ask(40, from: "203.0.113.99", proving)
            }
            try await ask(40, from: "203.0.112.99", proving)
        }
    }

    @Test func `closes no country for thirty-five texts that nobody typed`() async throws {
        try await NumberProving.open { proving in
            for place in 0..<35 { try await ask(place, from: "203.0.\(place).1", proving) }
            proving.server.clock.advance(by: .seconds(1200))
            try await ask(35, from: "203.0.35.1", proving)
            #expect(try await proving.server.audited(.limitReached).isEmpty)
        }
    }

    // MARK: What was not sent

    @Test func `gets back a text that the gateway refuses`() async throws {
        let gateway = CountingGateway(.rejected("no such number"))
        try await NumberProving.open(
            over: gateway, configuring: { $0.limits[.textOverall] = Limit(1, in: 86_400) }
        ) { proving in
            let spent = RateLimitError(.limit(.textOverall), retryAfter: 86_400)
            try await ask(0, from: Self.home, proving)
            await #expect(throws: spent) { try await ask(1, from: Self.home, proving) }
            _ = try await proving.messages()
            // Neither the budget nor the pause of the number has room for a second one that is taken.
            try await proving.register(number(0), for: proving.device("another"))
            _ = try await proving.messages()
            await #expect(throws: spent) { try await ask(1, from: Self.home, proving) }
            #expect(await gateway.sent.count == 2)
        }
    }

    @Test func `of a site pays for texts that are taken, and for none to a number that nobody has`()
        async throws
    {
        let gateway = CountingGateway(.rejected("no such number"))
        try await TestCustomer.open(
            configuring: { $0.delivery = DeliverySettings(gateway: gateway) },
            editing: { $0.texts.perDay = 1 }
        ) { (customer) async throws -> Void in
            let server = customer.server.server
            let service = server.deliveries(over: ScriptedTransport([:]))
            for _ in 0..<3 {
                let asked = try await customer.open(.oneTimePassword, Self.text(to: TestCustomer.nobody))
                #expect(asked.status == .open)
                #expect(try await customer.deliveries(about: asked).isEmpty)
            }
            // The first is refused by the gateway, and given back.
            for _ in 0..<2 {
                let asked = try await customer.open(.oneTimePassword, Self.text(to: TestCustomer.anna))
                #expect(asked.status == .open)
                #expect(try await customer.deliveries(about: asked).count == 1)
                try await service.deliver()
            }
            #expect(await gateway.sent.count == 2)
            // The budget does not show whether somebody has a number.
            for number in [TestCustomer.nobody, TestCustomer.anna] {
                #expect(try await customer.open(.oneTimePassword, Self.text(to: number)).status == .failed)
            }
        }
    }

    /// Asks for a text to a number.
    private static func text(to number: String) -> [String: String] {
        ["to": "\"\(number)\"", "message_type": "\"sms\""]
    }
}
