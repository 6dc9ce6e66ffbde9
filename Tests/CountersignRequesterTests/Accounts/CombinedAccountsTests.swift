import Countersign
import CountersignTesting
import CountersignWire
import HTTPTypes
import NIOConcurrencyHelpers
import Testing

@testable import CountersignRequester

@Suite("Combined accounts")
struct CombinedAccountsTests {
    private let access = SystemAccountAccess(to: .facebook, for: ClientID("app"))

    private func failing(_ code: SystemAccountStoreError.Code) -> FailingAccounts {
        FailingAccounts(SystemAccountStoreError(code, because: ""))
    }

    @Test func `are the accounts of every store that has some, each once`() async throws {
        let token = AccessToken(revealing: "first")
        let one = FailingAccounts(nil, tokens: [token], renewal: .renewed)
        let same = FailingAccounts(nil, tokens: [AccessToken(revealing: "second")])
        let accounts = CombinedAccounts(failing(.failed), one, same)
        let found = try await accounts.accounts(for: access)
        #expect(found.map(\.id.rawValue) == ["1"])
        let both = CombinedAccounts(one, same)
        #expect(try await both.token(of: found[0], for: access) == token)
        #expect(try await both.renew(found[0], insteadOf: token, for: access) == .renewed)
        #expect(same.renewals.withLockedValue(\.self) == 0)
    }

    @Test(arguments: [
        ([SystemAccountStoreError.Code.accountNotFound, .unsupported], SystemAccountStoreError.Code.accountNotFound),
        ([.unsupported, .failed, .accountNotFound], .failed), ([.unsupported, .unsupported], .unsupported),
        ([.accountNotFound, .permissionDenied, .failed], .permissionDenied),
        ([.failed, .newSignInNeeded], .newSignInNeeded),
    ])
    func `fail with what the person can do the most about`(
        codes: [SystemAccountStoreError.Code], code: SystemAccountStoreError.Code
    ) async throws {
        let accounts =
            codes.count == 2
            ? CombinedAccounts(failing(codes[0]), failing(codes[1]))
            : CombinedAccounts(failing(codes[0]), failing(codes[1]), failing(codes[2]))
        await #expect(throws: SystemAccountStoreError(code, because: "")) { try await accounts.accounts(for: access) }
    }

    @Test func `ask the store that has the account`() async throws {
        let system = try await AccountsUnderTest()
        let anna = try await system.addTwitter()
        let twitter = SystemAccountAccess(to: .twitter, for: ClientID("app"))
        let request = try OAuth1Request(.post, "https://api.example.com/")
        _ = try await system.accounts.accounts(for: twitter)
        let here = SystemAccountSettings(address: nil, instruction: "Here.")
        let other = StoredAccounts(
            in: MemoryTokenStore(), settings: here, clock: .system, drawingFrom: .system
        ) { _, _ in true }
        let accounts = CombinedAccounts(other, system.accounts)
        #expect(try await accounts.sign(request, as: anna, for: twitter).hasPrefix("OAuth "))
        #expect(accounts.settings.instruction.hasPrefix("Here. In a terminal"))
        try await system.accounts.forgetPermission(of: twitter.app, at: .twitter)
        await #expect(throws: SystemAccountStoreError(.permissionDenied, because: "")) {
            try await accounts.sign(request, as: anna, for: twitter)
        }
        _ = try await accounts.accounts(for: twitter)
        try await system.accounts.remove(anna.id, of: .twitter)
        // The other store has not asked the person: it had no account.
        let alone = CombinedAccounts(system.accounts)
        await #expect(throws: SystemAccountStoreError(.accountNotFound, because: "")) {
            try await alone.sign(request, as: anna, for: twitter)
        }
        await system.stop()
    }
}
