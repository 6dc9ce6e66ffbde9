import Countersign
import CountersignSQLite
import CountersignTesting
import CountersignWire
import Foundation
import Testing

@testable import CountersignServer

/// Threats 7 (guessing codes), 8 (taking over numbers) and 9 (messages that cost money).
@Suite("An attack on telephone numbers")
struct NumberAttackTests {
    private let number = NumberProving.number

    /// A device may type five codes, then it takes another, and each number gets 30 a day at the wish of strangers, as
    /// the pauses allow: that is 150 tries a day in a million.
    @Test func `with codes all day long comes to at most 150 tries, whichever devices and networks it has`()
        async throws
    {
        try await NumberProving.open { proving in
            let parsed = try PhoneNumber(number)
            var tries = 0
            var refused = 0
            // Another device in another network tries every half minute.
            for attempt in 0..<2880 {
                let device = proving.device("device-\(attempt)", of: .bert)
                let address = "198.51.\(attempt / 256).\(attempt % 256)"
                do {
                    try await proving.register(for: device, from: address)
                    let wrong = NumberProving.wrong(try await proving.code())
                    for _ in 0..<9 {
                        let stored = try await proving.server.store.read { try $0.phoneRegistrations.find(device.id) }
                        if stored?.registration.hasLiveCode(for: parsed, at: proving.server.clock.date) == true {
                            tries += 1
                        }
                        #expect(try await proving.verify(wrong, for: device, from: address) == .pending(parsed))
                    }
                } catch is RateLimitError {
                    refused += 1
                }
                proving.server.clock.advance(by: .seconds(30))
            }
            #expect(tries == 150)
            #expect(refused == 2880 - 30)
            #expect(try await proving.holder() == nil)
        }
    }

    @Test func `guesses for other numbers from one network are counted together`() async throws {
        try await NumberProving.open(configuring: { $0.limits[.textPerAddress] = nil }) { proving in
            let reached = await #expect(throws: RateLimitError.self) {
                for attempt in 0..<20 {
                    let device = proving.device("device-\(attempt)", of: .bert)
                    let number = "+316123456\(10 + attempt)"
                    try await proving.register(number, for: device)
                    let code = try await proving.code(at: number)
                    for _ in 0..<5 { try await proving.verify(NumberProving.wrong(code), for: device) }
                }
            }
            #expect(reached?.cause == .limit(.guessPerAddress))
        }
    }

    @Test func `by strangers does not lock out the person who has the number`() async throws {
        try await NumberProving.open { proving in
            try await proving.prove(for: proving.device("phone"))
            proving.server.clock.advance(by: .seconds(60))
            var refused = 0
            for attempt in 0..<50 {
                let stranger = proving.device("stranger-\(attempt)", of: .bert)
                do {
                    try await proving.register(for: stranger, from: "203.0.113.\(attempt)")
                    for _ in 0..<9 {
                        try await proving.verify("000000", for: stranger, from: "203.0.113.\(attempt)")
                    }
                } catch is RateLimitError {
                    refused += 1
                }
            }
            #expect(refused == 49)
            // The messages for strangers arrive before the person's own code.
            _ = try await proving.messages()
            #expect(try await proving.register(for: proving.device("phone")).status == .verified)
            #expect(try await proving.prove(for: proving.device("tablet")).status == .verified)
        }
    }

    @Test func `on the operator's money ends with the calling code, and says so`() async throws {
        try await NumberProving.open(configuring: {
            $0.limits[.textPerAddress] = nil
            $0.limits[.textPerPrefix] = Limit(100, in: 3600)
        }) { proving in
            var refused = 0
            // Ten codes a minute, which nobody ever types, for three hours.
            for attempt in 0..<1800 {
                if attempt % 10 == 0 {
                    _ = try await proving.messages()
                    proving.server.clock.advance(by: .seconds(60))
                }
                let number = "+88016\(10_000_000 + attempt)"
                do {
                    try await proving.register(
                        number, for: proving.device("bot-\(attempt)"), from: "203.0.\(attempt % 200).1")
                } catch is RateLimitError {
                    refused += 1
                }
            }
            _ = try await proving.messages()
            #expect(await proving.gateway.sent.count == 300 && refused == 1500)
            let reached = try await proving.server.audited(.limitReached)
            #expect(reached.map(\.detail) == Array(repeating: "text-per-prefix 100/3600", count: 3))
            let figure = "countersign_limits_flooded_total{limit=\"text-per-prefix\"} 3"
            #expect(proving.server.metrics.text().contains(figure))
            // Other countries go on.
            #expect(try await proving.prove(for: proving.device("phone")).status == .verified)
        }
    }

    @Test(arguments: [LimitRule.textPerPrefix, .textOverall])
    func `on the operator's money does not keep a person from adding a device`(spent: LimitRule) async throws {
        try await NumberProving.open(configuring: {
            $0.limits[.textPerAddress] = nil
            // The day's budget keeps what the person's first text cost, though it was typed.
            $0.limits[spent] = Limit(spent == .textOverall ? 41 : 40, in: 3600)
            $0.limits[.textOfOwners] = Limit(1, in: 86_400)
        }) { proving in
            #expect(try await proving.prove(for: proving.device("phone")).status == .verified)
            for attempt in 0..<40 {
                try await proving.register(
                    "+316123456\(10 + attempt)", for: proving.device("bot-\(attempt)", of: .bert),
                    from: "203.0.\(attempt).1")
            }
            _ = try await proving.messages()
            // No stranger gets a code now, for any number of the country.
            for number in ["+31612345699", NumberProving.number] {
                let reached = await #expect(throws: RateLimitError.self) {
                    try await proving.register(number, for: proving.device("late \(number)", of: .bert))
                }
                #expect(reached?.cause == .limit(spent))
            }
            #expect(try await proving.prove(for: proving.device("tablet")).status == .verified)
            // The budget that is kept for owners is bounded, too.
            let reached = await #expect(throws: RateLimitError.self) {
                try await proving.register(for: proving.device("another"))
            }
            #expect(reached?.cause == .limit(.textOfOwners))
        }
    }

    @Test func `does not close a calling code whose codes are typed`() async throws {
        try await NumberProving.open(configuring: { $0.limits[.textPerPrefix] = Limit(2, in: 86_400) }) {
            (proving) async throws -> Void in
            for attempt in 0..<60 {
                let number = "+316123456\(10 + attempt)"
                #expect(try await proving.prove(number, for: proving.device("device-\(attempt)")).status == .verified)
            }
            #expect(try await proving.server.audited(.limitReached).isEmpty)
        }
    }

    @Test func `costs no more than the budget of a day`() async throws {
        try await NumberProving.open(configuring: {
            $0.limits[.textOverall] = Limit(20, in: 86_400)
            $0.limits[.textPerAddress] = nil
        }) { proving in
            var refused = 0
            for attempt in 0..<60 {
                let device = proving.device("bot-\(attempt)")
                do {
                    try await proving.register("+316123456\(10 + attempt)", for: device, from: "198.51.100.\(attempt)")
                } catch is RateLimitError {
                    refused += 1
                }
            }
            _ = try await proving.messages()
            #expect(await proving.gateway.sent.count == 20 && refused == 40)
            // The operator is told.
            let figure = "countersign_limits_flooded_total{limit=\"text-overall\"} 1"
            #expect(proving.server.metrics.text().contains(figure))
        }
    }
}
