import Countersign
import CountersignTesting
import Foundation
import NIOConcurrencyHelpers
import Testing

@testable import CountersignServer

@Suite("What providers said about tokens")
struct ConfirmedTokensTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let tokens = ConfirmedTokens(capacity: 100)
    private let asked = NIOLockedValueBox(0)

    private func provider(_ id: String = "x", created: Double = 0) -> IdentityProvider {
        IdentityProvider(
            id: IdentityProvider.ID(id),
            displayName: id,
            issuer: IdentityIssuer("https://x.com"),
            kind: .bearer(IdentityProvider.Bearer(base: "https://api.x.com", vouchers: [])),
            created: noon + created
        )
    }

    /// Asks about a token; the provider names `subject`, or throws `providerFailure`.
    private func ask(
        _ token: String = "token",
        at provider: IdentityProvider? = nil,
        after seconds: Double = 0,
        expires: Date? = nil,
        providerFailure: ProviderError? = nil
    ) async -> Result<ConfirmedPerson, ProviderError> {
        let (asked, now) = (asked, noon + seconds)
        do throws(ProviderError) {
            return .success(
                try await tokens.person(of: token, at: provider ?? self.provider(), now: now) {
                    () async throws(ProviderError) in
                    asked.withLockedValue { $0 += 1 }
                    if let providerFailure { throw providerFailure }
                    return try ConfirmedPerson(subject: "7", name: nil, confirmed: now, expires: expires)
                }
            )
        } catch {
            return .failure(error)
        }
    }

    private var count: Int { asked.withLockedValue(\.self) }

    @Test(arguments: [(0, 1), (59.9, 1), (60, 2), (-1, 2)] as [(Double, Int)])
    func `is remembered for a minute`(after seconds: Double, asked times: Int) async throws {
        let first = try await ask().get()
        #expect(first.confirmed == noon)
        let second = try await ask(after: seconds).get()
        #expect(count == times && (second.confirmed == noon) == (times == 1))
    }

    @Test(arguments: [(29.9, 1), (30, 2)] as [(Double, Int)])
    func `is forgotten when the token ends`(after seconds: Double, asked times: Int) async throws {
        _ = try await ask(expires: noon + 30).get()
        _ = try await ask(after: seconds).get()
        #expect(count == times)
    }

    @Test(arguments: [(9.9, 1), (10, 2)] as [(Double, Int)])
    func `is remembered for some seconds when it was a refusal`(after seconds: Double, asked times: Int) async {
        let refused = ProviderError(.token, because: "a test")
        #expect(await ask(providerFailure: refused) == .failure(refused))
        #expect(await ask(after: seconds, providerFailure: refused) == .failure(refused))
        #expect(count == times)
    }

    @Test(arguments: ProviderError.Code.allCases.filter { $0 != .token })
    func `is not remembered when the provider could not be asked`(code: ProviderError.Code) async throws {
        let providerFailure = ProviderError(code, because: "a test")
        #expect(await ask(providerFailure: providerFailure) == .failure(providerFailure))
        _ = try await ask().get()
        #expect(count == 2)
    }

    @Test func `is kept apart by token and provider, also by one that was removed and added again`() async throws {
        _ = try await ask().get()
        _ = try await ask("other").get()
        _ = try await ask(at: provider("y")).get()
        _ = try await ask(at: provider(created: 1)).get()
        #expect(count == 4)
        _ = try await ask().get()
        #expect(count == 4)
    }

    @Test func `has a bound, and made-up tokens do not displace good ones`() async throws {
        _ = try await ask("good").get()
        for number in 1...1_000 {
            _ = await ask("\(number)", providerFailure: ProviderError(.token, because: "a test"))
        }
        #expect(await tokens.count <= 200)
        _ = try await ask("good").get()
        #expect(count == 1_001)
    }

    @Test func `is asked for by so many at once and not more, and one provider does not hold up another`() async throws
    {
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Bool.self) { group in
            for number in 1...ConfirmedTokens.mostOpen + 5 {
                group.addTask { [tokens, noon, one = provider()] in
                    (try? await tokens.person(of: "\(number)", at: one, now: noon) {
                        () async throws(ProviderError) in
                        for await _ in gate {}
                        return try ConfirmedPerson(subject: "7", name: nil, confirmed: noon)
                    }) != nil
                }
            }
            // Those above the bound are answered at once.
            for _ in 1...5 { #expect(await group.next() == false) }
            if case .failure = await ask(at: provider("y")) { Issue.record("another provider has to wait") }
            opened.finish()
            for await isGood in group { #expect(isGood) }
        }
        _ = try await ask("afterwards").get()
    }
}
