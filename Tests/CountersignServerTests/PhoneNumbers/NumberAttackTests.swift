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

    /// A device may type five codes, then it takes another, and each number gets ten a day at the wish of strangers:
    /// that is 50 tries a day in a million.
    @Test func `with 50,000 codes comes to at most 50 tries a day, whichever devices and networks it has`()
        async throws
    {
        try await NumberProving.open { proving in
            let parsed = try PhoneNumber(number)
            var tries = 0
            var refused = 0
            var codes = Set<String>()
            for attempt in 0..<50_000 {
                let device = proving.device("device-\(attempt / 5)", of: .bert)
                let address = "198.51.\(attempt / 256 % 256).\(attempt % 256)"
                if attempt % 5 == 0 {
                    do {
                        try await proving.register(for: device, from: address)
                        if let code = try await proving.code() { codes.insert(code) }
                    } catch is LimitReached {
                        refused += 1
                    }
                }
                let before = try await proving.server.store.read { try $0.phoneRegistrations.find(device.id) }
                guard case .pending(let challenge, before: _)? = before?.registration.state,
                    challenge.isLive(at: proving.server.clock.date)
                else { continue }
                tries += 1
                let guess = Self.wrong(attempt, than: codes)
                let outcome = try await proving.verify(guess, for: device, from: address)
                #expect(outcome == .pending(parsed))
            }
            #expect(tries == 50)
            #expect(refused == 10_000 - 10)
            #expect(try await proving.holder() == nil)
        }
    }

    @Test func `guesses for other numbers from one network are counted together`() async throws {
        try await NumberProving.open { proving in
            await #expect(throws: LimitReached.self) {
                for attempt in 0..<20 {
                    let device = proving.device("device-\(attempt)", of: .bert)
                    let number = "+316123456\(10 + attempt)"
                    try await proving.register(number, for: device)
                    let code = try await proving.code(at: number)
                    for _ in 0..<5 { try await proving.verify(NumberProving.wrong(code), for: device) }
                }
            }
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
                } catch is LimitReached {
                    refused += 1
                }
            }
            #expect(refused >= 40)
            // What strangers were sent arrives before the person's own code.
            _ = try await proving.messages()
            #expect(try await proving.register(for: proving.device("phone")).status == .verified)
            #expect(try await proving.prove(for: proving.device("tablet")).status == .verified)
        }
    }

    @Test func `on the operator's money ends with the calling code, and says so`() async throws {
        try await NumberProving.open(configuring: { $0.limits[.phoneCodePerAddress] = nil }) { proving in
            let minute = 60
            var refused = 0
            // Ten codes a minute, which nobody ever types, for three hours.
            for attempt in 0..<1800 {
                if attempt % 10 == 0 {
                    _ = try await proving.messages()
                    proving.server.clock.advance(by: .seconds(minute))
                }
                let number = "+88016\(10_000_000 + attempt)"
                do {
                    try await proving.register(
                        number, for: proving.device("bot-\(attempt)"), from: "203.0.\(attempt % 200).1")
                } catch is LimitReached {
                    refused += 1
                }
            }
            _ = try await proving.messages()
            let paid = await proving.gateway.sent.count
            // Twenty minutes at most until too few are typed, an hour closed, and again.
            #expect(paid <= 600 && paid + refused == 1800)
            let closed = try await proving.server.audited(.phonePrefixClosed)
            #expect((1...4).contains(closed.count) && closed.allSatisfy { $0.detail?.hasPrefix("+880: ") == true })
            // Other countries go on.
            #expect(try await proving.prove(for: proving.device("phone")).status == .verified)
        }
    }

    @Test func `on the operator's money does not keep a person from adding a device`() async throws {
        try await NumberProving.open(configuring: {
            $0.limits[.phoneCodePerAddress] = nil
            $0.limits[.phoneCodeOverall] = Limit(45, in: 86_400)
            $0.limits[.phoneCodeOfOwners] = Limit(1, in: 86_400)
        }) { proving in
            #expect(try await proving.prove(for: proving.device("phone")).status == .verified)
            for attempt in 0..<40 {
                try await proving.register(
                    "+316123456\(10 + attempt)", for: proving.device("bot-\(attempt)", of: .bert),
                    from: "203.0.\(attempt).1")
            }
            _ = try await proving.messages()
            proving.server.clock.advance(by: .seconds(1200))
            // No stranger gets a code now, for any number of the country.
            for number in ["+31612345699", NumberProving.number] {
                await #expect(throws: LimitReached.self) {
                    try await proving.register(number, for: proving.device("late \(number)", of: .bert))
                }
            }
            #expect(try await proving.server.audited(.phonePrefixClosed).count == 1)
            #expect(try await proving.prove(for: proving.device("tablet")).status == .verified)
            // What is kept for owners is bounded, too.
            await #expect(throws: LimitReached.self) {
                try await proving.register(for: proving.device("another"))
            }
        }
    }

    @Test func `does not close a calling code whose codes are typed`() async throws {
        try await NumberProving.open(configuring: { $0.limits[.phoneCodePerAddress] = nil }) { proving in
            for attempt in 0..<60 {
                proving.server.clock.advance(by: .seconds(30))
                let number = "+316123456\(10 + attempt)"
                let (device, address) = (proving.device("device-\(attempt)"), "203.0.\(attempt).1")
                try await proving.register(number, for: device, from: address)
                // One of three is typed.
                guard attempt % 3 == 0, let code = try await proving.code(at: number) else { continue }
                try await proving.verify(code, for: device, from: address)
            }
            #expect(try await proving.server.audited(.phonePrefixClosed).isEmpty)
        }
    }

    @Test(arguments: [(1, false), (20, true)])
    func `with codes that are never typed closes a calling code from many networks, and not from one`(
        networks: Int,
        closes: Bool
    ) async throws {
        try await NumberProving.open { proving in
            for attempt in 0..<40 {
                try await proving.register(
                    "+88016\(10_000_000 + attempt)", for: proving.device("bot-\(attempt)"),
                    from: "203.0.\(attempt % networks).\(attempt)")
            }
            proving.server.clock.advance(by: .seconds(1200))
            var isClosed = false
            do {
                try await proving.register("+8801699999999", for: proving.device("newcomer"))
            } catch is LimitReached {
                isClosed = true
            }
            #expect(isClosed == closes)
            #expect(try await proving.server.audited(.phonePrefixClosed).count == (closes ? 1 : 0))
        }
    }

    @Test func `has room in the verdict again for each of its codes that is typed`() async throws {
        try await NumberProving.open { proving in
            let (breaker, now) = (ConversionBreaker(), proving.server.clock.date)
            let later = now + Double(ConversionBreaker.span)
            try await proving.server.change { repositories in
                // One network sends and types; its codes that are typed are no reason to let others pass unseen.
                for _ in 0..<40 {
                    try breaker.noteSent(to: "31", from: "203.0.113.7", in: repositories, at: now)
                    try breaker.noteTyped("31", sent: now, from: "203.0.113.9", in: repositories, at: now)
                }
                #expect(try breaker.verdict(on: "31", in: repositories, at: later) == .open)
                for number in 0..<170 {
                    try breaker.noteSent(to: "31", from: "198.51.\(number).1", in: repositories, at: now)
                }
                #expect(
                    try breaker.verdict(on: "31", in: repositories, at: later) == .failing(sent: 210, typed: 40))
            }
        }
    }

    @Test func `costs no more than the budget of a day`() async throws {
        try await NumberProving.open(configuring: {
            $0.limits[.phoneCodeOverall] = Limit(20, in: 86_400)
            $0.limits[.phoneCodePerAddress] = nil
        }) { proving in
            var refused = 0
            for attempt in 0..<60 {
                let device = proving.device("bot-\(attempt)")
                do {
                    try await proving.register("+316123456\(10 + attempt)", for: device, from: "198.51.100.\(attempt)")
                } catch is LimitReached {
                    refused += 1
                }
            }
            _ = try await proving.messages()
            #expect(await proving.gateway.sent.count == 20 && refused == 40)
            // The operator is told.
            let figure = "countersign_limits_flooded_total{limit=\"phone-code-overall\"} 1"
            #expect(proving.server.metrics.text().contains(figure))
        }
    }

    /// A code that is none of those that were sent.
    private static func wrong(_ attempt: Int, than codes: Set<String>) -> String {
        var value = attempt % 1_000_000
        while true {
            let digits = String(value)
            let code = String(repeating: "0", count: 6 - digits.utf8.count) + digits
            if !codes.contains(code) { return code }
            value = (value + 1) % 1_000_000
        }
    }
}
