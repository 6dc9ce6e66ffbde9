import Countersign
import CountersignTesting
import CountersignTransport
import CountersignWire
import Foundation
import HTTPTypes
import NIOConcurrencyHelpers

@testable import CountersignRequester

/// A system with accounts of Anna, at fake providers on this machine, and an app that wants to sign in with them.
struct AccountsUnderTest {
    let clock = ManualClock()
    let twitter: TwitterProvider
    let graph: GraphProvider
    let store: any TokenStore
    let accounts: StoredAccounts
    /// The accesses that the person was asked for.
    let asked = NIOLockedValueBox<[SystemAccountAccess]>([])

    /// The app's time limit for each answer.
    private let timeLimit: Duration
    /// The step of Twitter that is never answered; only for that the app waits a short time.
    private let silentStep: TwitterProvider.Step?

    init(
        allowing isAllowed: Bool = true,
        refusing refused: Set<String> = [],
        in store: any TokenStore = MemoryTokenStore(),
        meeting fault: ProviderFault? = nil,
        at step: TwitterProvider.Step? = nil
    ) async throws {
        let isSilent = if case .silence? = fault { true } else { false }
        silentStep = isSilent ? step : nil
        timeLimit = isSilent && step == nil ? .seconds(1) : .seconds(60)
        let random = SeededRandom(seed: 70).source
        twitter = try await TwitterProvider.start(clock: clock.source, drawingFrom: random)
        graph = try await GraphProvider.start()
        self.store = store
        accounts = StoredAccounts(in: store, clock: clock.source, drawingFrom: random) { [asked] access, _ in
            asked.withLockedValue { $0.append(access) }
            return isAllowed && refused.isDisjoint(with: access.permissions)
        }
    }

    func stop() async {
        await twitter.stop()
        await graph.stop()
    }

    /// Adds the account of a person at Twitter.
    @discardableResult
    func addTwitter(_ person: TwitterPerson = TwitterPerson()) async throws -> SystemAccount {
        let account = twitter.account(of: person)
        try await accounts.add(account, with: twitter.addAccount(person))
        return account
    }

    /// Adds an account at Facebook with a token for the app.
    @discardableResult
    func addFacebook(_ person: GraphPerson = GraphPerson(), for app: ClientID? = nil) async throws -> SystemAccount {
        var token = GraphToken(for: app ?? graph.app)
        token.person = person
        let id = SystemAccount.ID(person.id)
        let account = SystemAccount(provider: .facebook, id: id, name: person.email ?? person.name)
        try await accounts.add(account, with: .bearer(graph.issue(token)))
        return account
    }

    /// An attempt of the app at Twitter.
    func reverseAuth(
        _ store: (any SystemAccountStore)? = nil,
        isConfigured: Bool = true,
        over transport: (any HTTPTransport)? = nil
    ) -> ReverseAuth {
        var addresses = twitter.addresses
        addresses.timeLimit = timeLimit
        return ReverseAuth(
            at: addresses,
            as: isConfigured ? twitter.app : nil,
            named: "Recipes",
            with: store ?? accounts,
            in: RequesterContext(
                over: transport ?? silentStep.map { HastyTransport(silent: $0, of: twitter) } ?? SystemTransport.make(),
                clock: clock.source, random: .system)
        )
    }

    /// An attempt of the app at Facebook.
    func socialGraph(
        _ store: (any SystemAccountStore)? = nil,
        isConfigured: Bool = true,
        permissions: [String] = SocialGraphSignIn.minimalPermissions,
        audience: SystemAccountAccess.Audience = .onlyMe
    ) -> SocialGraphSignIn {
        var addresses = graph.addresses
        addresses.timeLimit = timeLimit
        return SocialGraphSignIn(
            at: addresses,
            as: isConfigured ? graph.app : nil,
            named: "Recipes",
            permissions: permissions,
            audience: audience,
            with: store ?? accounts,
            in: RequesterContext(over: SystemTransport.make(), clock: .system, random: .system)
        )
    }

    /// The outcome of an attempt at Twitter with the first account.
    func twitterOutcome() async -> Result<ReverseAuthCredentials, AccountError> {
        let attempt = reverseAuth()
        do throws(AccountError) {
            return .success(try await attempt.perform { $0.first?.id })
        } catch {
            return .failure(error)
        }
    }

    /// The outcome of an attempt at Facebook that the person confirms.
    func graphOutcome() async -> Result<SocialGraphCredentials, AccountError> {
        let attempt = socialGraph()
        do throws(AccountError) {
            return .success(try await attempt.perform { _ in true })
        } catch {
            return .failure(error)
        }
    }
}

/// Waits a second for the answer to one step of Twitter, which never comes, and for others as long as it may.
///
/// On a busy machine it may take longer until the request is sent.
private struct HastyTransport: HTTPTransport {
    private let base = SystemTransport.make()
    /// The address of that step.
    private let silent: String

    init(silent step: TwitterProvider.Step, of twitter: TwitterProvider) {
        silent =
            switch step {
            case .requestToken: twitter.addresses.requestToken
            case .accessToken: twitter.addresses.accessToken
            default: twitter.addresses.profile
            }
    }

    func send(
        _ request: HTTPRequest,
        body: [UInt8],
        within limit: Duration
    ) async throws(TransportError) -> HTTPAnswer {
        let isSilent = request.path.map { silent.hasSuffix($0.prefix { $0 != "?" }) } ?? false
        guard isSilent else { return try await base.send(request, body: body, within: limit) }
        var short = Duration.seconds(1)
        while true {
            do {
                return try await base.send(request, body: body, within: short)
            } catch {
                guard error.code == .notReached, short < limit else { throw error }
                short *= 2
            }
        }
    }
}

extension Result where Failure == AccountError {
    /// The problem; `nil` for a success.
    var problem: AccountError? {
        if case .failure(let problem) = self { problem } else { nil }
    }
}

/// A store of accounts that fails as a test says, and notes what it was asked.
final class FailingAccounts: SystemAccountStore {
    let settings = SystemAccountSettings(address: "settings:accounts", instruction: "Open the settings.")
    let error: SystemAccountStoreError?
    let renewal: SystemAccountRenewal
    let tokens: NIOLockedValueBox<[AccessToken]>
    let accesses = NIOLockedValueBox<[SystemAccountAccess]>([])
    let renewals = NIOLockedValueBox(0)

    /// - Parameters:
    ///   - error: The error of every look; `nil` for one account with these tokens, one after another.
    init(_ error: SystemAccountStoreError?, tokens: [AccessToken] = [], renewal: SystemAccountRenewal = .rejected) {
        self.error = error
        self.tokens = NIOLockedValueBox(tokens)
        self.renewal = renewal
    }

    func accounts(for access: SystemAccountAccess) async throws(SystemAccountStoreError) -> [SystemAccount] {
        accesses.withLockedValue { $0.append(access) }
        if let error { throw error }
        guard tokens.withLockedValue({ !$0.isEmpty }) else { return [] }
        return [SystemAccount(provider: access.provider, id: SystemAccount.ID("1"), name: "anna")]
    }

    func sign(
        _ request: OAuth1Request, as account: SystemAccount, for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> String {
        throw SystemAccountStoreError(.failed, because: "the token is gone")
    }

    func token(
        of account: SystemAccount, for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> AccessToken {
        tokens.withLockedValue { $0[0] }
    }

    func renew(
        _ account: SystemAccount, insteadOf refused: AccessToken, for access: SystemAccountAccess
    ) async throws(SystemAccountStoreError) -> SystemAccountRenewal {
        renewals.withLockedValue { $0 += 1 }
        tokens.withLockedValue { if $0.count > 1 { $0.removeFirst() } }
        return renewal
    }
}
