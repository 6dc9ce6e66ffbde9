public import Countersign
public import CountersignRequester
public import CountersignWire
internal import NIOConcurrencyHelpers

/// A person at the fake provider of reverse authentication.
public struct TwitterPerson: Sendable, Hashable {
    /// The identifier: by default one that no floating-point number can hold.
    public var id = "9007199254740993"
    /// The name.
    public var name = "Anna Müller 🦉"
    /// The name that others mention the person by.
    public var screenName = "anna"
    /// The address of the small picture.
    public var avatar = "https://pbs.twimg.example/profile_images/1/owl_normal.jpeg"
    /// The e-mail address.
    public var email = TwitterEmail.address("anna@example.com")

    /// Anna.
    public init() {}
}

/// The fake provider's answer about an e-mail address.
public enum TwitterEmail: Sendable, Hashable {
    case address(String)
    case null
    /// No such member.
    case absent
}

/// A provider of reverse authentication on a port of this machine, as Twitter was, which checks every signature with
/// separate code; and of OAuth 2 with PKCE, as X is: ``register(_:secret:returningTo:)``, ``answer(to:by:)``.
///
/// ```swift
/// let anna = TwitterPerson()
/// try await accounts.add(twitter.account(of: anna), with: twitter.addAccount(anna))
/// let attempt = ReverseAuth(at: twitter.addresses, as: twitter.app, with: accounts)
/// ```
public final class TwitterProvider: Sendable {
    /// A step that an app can ask of the provider.
    public enum Step: String, Sendable, Hashable, CaseIterable {
        /// The header that the system's account is to sign.
        case requestToken
        /// The exchange of that for tokens of the app.
        case accessToken
        case profile
        /// The page where the person allows an app of OAuth 2.
        case authorization
        /// The exchange of a code for tokens of OAuth 2.
        case token
        /// The profile of a person by an access token of OAuth 2.
        case bearerProfile
    }

    /// The provider's signal for a suspended account.
    public enum Suspension: Sendable, Hashable, CaseIterable {
        /// The error 64, with status 403.
        case errorCode
        /// A long page in place of tokens, with status 200.
        case page
    }

    struct State {
        var people: [String: (secret: String, person: TwitterPerson)] = [:]
        var tokens: [String: (secret: String, person: TwitterPerson)] = [:]
        var clients: [ClientID: OpenIDRegistration] = [:]
        var isDenying = false
        var codes: [String: TwitterGrant] = [:]
        var bearers: [String: TwitterGrant] = [:]
        var refreshTokens: [String: TwitterGrant] = [:]
        var headers: Set<String> = []
        var nonces: Set<String> = []
        var suspension: Suspension?
        var forged: [String] = []
    }

    let state = NIOLockedValueBox(State())
    let steps = ProviderSteps<Step>()
    let clock: TimeSource
    let random: RandomSource

    /// The credentials of the app.
    public let app = ClientCredentials(client: ClientID("app-key"), secret: OAuth1Secret(revealing: "app-secret/+&="))
    /// The credentials of the system that its accounts sign with.
    public let system = ClientCredentials(
        client: ClientID("system-key"), secret: OAuth1Secret(revealing: "system-secret"))

    private init(clock: TimeSource, random: RandomSource) {
        self.clock = clock
        self.random = random
    }

    /// Starts a provider on a free port.
    ///
    /// - Parameters:
    ///   - clock: The clock that timestamps are compared with.
    ///   - random: The source of tokens.
    /// - Returns: The provider; it answers until ``stop()``, or until nothing refers to it.
    /// - Throws: `IOError` when it cannot listen.
    public static func start(clock: TimeSource, drawingFrom random: RandomSource) async throws -> TwitterProvider {
        let provider = TwitterProvider(clock: clock, random: random)
        try await provider.steps.listen { [weak provider] in provider?.outcome(of: $0) }
        return provider
    }

    /// Stops to listen, and ends all connections.
    public func stop() async { await steps.stop() }

    /// The address that it listens at, such as `http://127.0.0.1:40123`.
    public var base: String { steps.base }

    /// The addresses that an app needs.
    public var addresses: ReverseAuthProvider {
        ReverseAuthProvider(
            id: .twitter,
            requestToken: steps.address("\(base)/oauth/request_token", of: .requestToken),
            accessToken: steps.address("\(base)/oauth/access_token", of: .accessToken),
            profile: steps.address("\(base)/1.1/account/verify_credentials.json", of: .profile)
        )
    }

    /// The requests so far, in their order.
    public var received: [ProviderRequest] { steps.received }
    /// The reasons for refused signatures, wrong or replayed; empty without refusals.
    public var forged: [String] { state.withLockedValue(\.forged) }

    /// The provider's signal for the suspension of all accounts; `nil`, at the start, while they are not.
    public var suspension: Suspension? {
        get { state.withLockedValue(\.suspension) }
        set { state.withLockedValue { $0.suspension = newValue } }
    }

    /// Adds a person.
    ///
    /// - Parameter person: The person; a second one with the same identifier takes the place of the first.
    /// - Returns: The credentials that an account of the system signs in with for this person.
    public func addAccount(_ person: TwitterPerson) -> SystemAccountCredentials {
        .oauth1(client: system, token: addAccountToken(person))
    }

    /// Adds a person whose account is added to a system by hand, with ``system`` and this token.
    ///
    /// - Parameter person: The person; a second one with the same identifier takes the place of the first.
    /// - Returns: The account's own token.
    public func addAccountToken(_ person: TwitterPerson) -> TokenCredentials {
        let token = "\(person.id)-system"
        let secret = URLSafeText.encode(random.bytes(16))
        state.withLockedValue { $0.people[token] = (secret, person) }
        return TokenCredentials(token: OAuth1Token(token), secret: OAuth1Secret(revealing: secret))
    }

    /// The account of the system for a person.
    ///
    /// - Parameter person: The holder of the account.
    /// - Returns: The account, whose name is the screen name.
    public func account(of person: TwitterPerson) -> SystemAccount {
        SystemAccount(provider: .twitter, id: SystemAccount.ID(person.screenName), name: "@\(person.screenName)")
    }

    /// Issues tokens of the app for a person, as if they had allowed it.
    ///
    /// - Parameter person: The person who allowed it.
    /// - Returns: The token and its secret.
    public func issue(_ person: TwitterPerson) -> TokenCredentials {
        let minted = TokenCredentials(
            token: OAuth1Token("\(person.id)-\(URLSafeText.encode(random.bytes(12)))"),
            secret: OAuth1Secret(revealing: URLSafeText.encode(random.bytes(24)))
        )
        state.withLockedValue { $0.tokens[minted.token.rawValue] = (minted.secret.revealed, person) }
        return minted
    }

    /// Issues an access token of OAuth 2 for a person, without a client.
    ///
    /// - Parameter person: The person who allowed an app.
    /// - Returns: The token.
    public func issueBearer(_ person: TwitterPerson) -> AccessToken {
        let token = URLSafeText.encode(random.bytes(24))
        let grant = TwitterGrant(client: ClientID("another-app"), person: person, scope: "users.read tweet.read")
        state.withLockedValue { $0.bearers[token] = grant }
        return AccessToken(revealing: token)
    }

    /// Takes a token back, as a person does who removes the app.
    ///
    /// - Parameter token: The one to forget; requests that are signed with its secret are refused from now on.
    public func revoke(_ token: OAuth1Token) {
        state.withLockedValue { _ = $0.tokens.removeValue(forKey: token.rawValue) }
    }

    /// Lets a step fail.
    ///
    /// - Parameters:
    ///   - step: The step to break.
    ///   - faults: The faults, one for each request; the last remains. Without any, the step works again.
    public func fail(at step: Step, with faults: ProviderFault...) { steps.set(faults, at: step) }
}
