import Countersign
import CountersignSQLite
import CountersignTesting
import Foundation
import Testing

@testable import CountersignServer

@Suite("Guesses at one account from many networks")
struct GuessLimiterTests {
    private let anna = Subject("anna")

    private func guess(
        from address: String?,
        at name: String = "anna",
        _ rule: LimitRule = .passwordPerAccount,
        in browser: KnownBrowser? = nil
    ) -> Guess {
        Guess(rule: rule, name: name, subject: anna, browser: browser, address: address)
    }

    /// For how many seconds a guess is told to wait; `nil` for one that is admitted.
    private func wait(of guess: Guess, at guesses: GuessLimiter) async throws -> Int? {
        do {
            _ = try await guesses.admit(guess)
            return nil
        } catch let reached as RateLimitError {
            #expect(reached.delaysGuesses && reached.retryAfter <= 120)
            return reached.retryAfter
        }
    }

    /// Uses up what all networks together have at the account, for now.
    private func fill(_ rule: LimitRule = .passwordPerAccount, at guesses: GuessLimiter) async throws {
        try await guesses.store.change { [limits = guesses.limits] repositories in
            for _ in 0..<60 { try limits.count([.name("anna", rule)], in: repositories) }
        }
    }

    @Test func `let a newcomer through after two minutes at most, while 300 networks guess`() async throws {
        try await withLimiter { guesses, clock in
            func flood() async throws {
                for number in 0..<300 {
                    _ = try await wait(of: guess(from: "10.\(number / 200).\(number % 200).1"), at: guesses)
                }
            }
            try await flood()
            clock.advance(by: .seconds(2))
            try await flood()
            let newcomer = guess(from: "198.51.100.7")
            let told = try #require(try await wait(of: newcomer, at: guesses))
            #expect((31...120).contains(told))
            var left = told
            while left > 0 {
                let step = min(left, 30)
                clock.advance(by: .seconds(step))
                try await flood()
                left -= step
            }
            #expect(try await wait(of: newcomer, at: guesses) == nil)
        }
    }

    /// Strangers with many networks have as many turns.
    @Test func `have three turns a day for each address, and each IPv6 network of 48 bits`() async throws {
        try await withLimiter { guesses, clock in
            let newcomer = guess(from: "2001:db8:77:1::7")
            for _ in 0..<GuessLimiter.mostTurns {
                try await fill(at: guesses)
                let told = try #require(try await wait(of: newcomer, at: guesses))
                clock.advance(by: .seconds(told - 1))
                try await fill(at: guesses)
                #expect(try await wait(of: newcomer, at: guesses) == 1)
                clock.advance(by: .seconds(1))
                #expect(try await wait(of: newcomer, at: guesses) == nil)
            }
            try await fill(at: guesses)
            let told = try #require(try await wait(of: newcomer, at: guesses))
            let other = try #require(try await wait(of: guess(from: "198.51.100.7"), at: guesses))
            clock.advance(by: .seconds(max(told, other)))
            try await fill(at: guesses)
            for address in ["2001:db8:77:1::7", "2001:db8:77:2::7"] {
                #expect(try await wait(of: guess(from: address), at: guesses) != nil, "\(address)")
            }
            #expect(try await wait(of: guess(from: "198.51.100.7"), at: guesses) == nil)
        }
    }

    /// A turn for each of many networks would find one of 100,000 codes.
    @Test func `have no turns at codes, which are short`() async throws {
        try await withLimiter { guesses, clock in
            let newcomer = guess(from: "198.51.100.7", .codePerAccount)
            for _ in 0..<3 {
                try await fill(.codePerAccount, at: guesses)
                let told = try #require(try await wait(of: newcomer, at: guesses))
                clock.advance(by: .seconds(told))
                try await fill(.codePerAccount, at: guesses)
                #expect(try await wait(of: newcomer, at: guesses) != nil)
            }
            // Once nobody else guesses, there is room again.
            clock.advance(by: .seconds(120))
            #expect(try await wait(of: newcomer, at: guesses) == nil)
        }
    }

    @Test(arguments: [LimitRule.passwordPerAccount, .codePerAccount])
    func `delay nobody in a network that the person used within a month`(rule: LimitRule) async throws {
        try await withLimiter { guesses, clock in
            let (anna, now, home) = (self.anna, clock.date, "192.0.2.7")
            try await guesses.store.change { [limits = guesses.limits] repositories in
                try KnownNetwork(home, of: anna)?.note(in: repositories, at: now)
                // Somebody there guesses at other accounts, too.
                for _ in 0..<30 { try limits.count([.address(.guessPerAddress, home)], in: repositories) }
            }
            try await fill(rule, at: guesses)
            for _ in 0..<10 { #expect(try await wait(of: guess(from: home, rule), at: guesses) == nil) }
            #expect(try await wait(of: guess(from: home, rule), at: guesses) == 1)
            for address in [home, "192.0.2.8"] {
                let other = Guess(rule: rule, name: "anna", subject: Subject("bert"), address: address)
                #expect(try await wait(of: other, at: guesses) != nil, "it knows Anna alone, and no other network")
            }

            clock.advance(by: .seconds(30 * 86_400))
            try await fill(rule, at: guesses)
            #expect(try await wait(of: guess(from: home, rule), at: guesses) == nil)
            clock.advance(by: .seconds(1))
            #expect(try await wait(of: guess(from: home, rule), at: guesses) != nil)
        }
    }

    @Test func `delay nobody in a browser in which the person signed in before, wherever it is`() async throws {
        try await withLimiter { guesses, clock in
            try await fill(at: guesses)
            let browser = KnownBrowser(nonce: "a nonce", since: clock.date, first: clock.date)
            for number in 0..<10 {
                let own = guess(from: "198.51.\(number).7", in: browser)
                #expect(try await wait(of: own, at: guesses) == nil)
            }
            #expect(try await wait(of: guess(from: nil, in: browser), at: guesses) == 1)
        }
    }

    @Test func `are taken back when they are right, so that those delay nobody`() async throws {
        try await withLimiter { guesses, _ in
            for _ in 0..<200 {
                let rateKeys = try await guesses.admit(guess(from: "198.51.100.7"))
                try await guesses.store.change { [limits = guesses.limits] in
                    try limits.takeBack(rateKeys, in: $0)
                }
            }
        }
    }

    /// Or a site could keep the people of a network from signing in elsewhere.
    @Test func `count for the site alone that says where they come from`() async throws {
        try await withLimiter { (guesses, _) async throws -> Void in
            for number in 0..<40 {
                var told = guess(from: "192.0.2.7", at: "of a site \(number)", .codePerAccount)
                told.isAddressAsserted = true
                #expect(try await wait(of: told, at: guesses) == nil)
            }
            #expect(try await wait(of: guess(from: "192.0.2.7"), at: guesses) == nil)
        }
    }

    private func withLimiter(_ test: (GuessLimiter, ManualClock) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("countersign-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let store = try SQLiteStore.open(in: directory)
        let clock = ManualClock()
        let limits = StoredRateLimiter(limits: Limits(), clock: clock.source)
        try await test(GuessLimiter(store: store, limits: limits), clock)
        try await store.close()
    }
}
