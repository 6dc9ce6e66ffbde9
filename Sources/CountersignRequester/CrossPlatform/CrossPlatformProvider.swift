public import Countersign
public import CountersignWire
internal import NIOConcurrencyHelpers

/// An authorization provider of Cross-Platform Authentication: gets tokens for the provider's services, and stores
/// them.
///
/// ```swift
/// let provider = CrossPlatformProvider(
///     at: try Issuer("https://login.example.org/cpa"),
///     as: ClientRegistrationRequest(clientName: "Radio", softwareID: "com.example.radio", softwareVersion: "1.0"),
///     keepingTokensIn: store
/// )
/// if let token = try await provider.token(for: domain) { play(with: token) }
/// let token = try await provider.requestToken(for: domain, ofType: .user, presenting: presentation)
/// ```
///
/// Create one for each provider's address. The device registers once, when a token is first needed, and keeps that
/// identity for all domains; this allows a provider to sign a person in at a second service without asking. Apps that
/// share a store share identity and tokens.
/// Standard: ETSI TS 103 407.
public actor CrossPlatformProvider {
    /// Whether a new token is requested although one is stored.
    public enum Renewal: Sendable, Hashable {
        /// In any case, as after a service refused the stored token.
        case always
        /// Only if the stored token has expired or is of another type.
        case ifNeeded
    }

    /// The address below which the provider has `/register`, `/associate` and `/token`.
    public nonisolated let address: Issuer
    /// The app's description of itself for its registration.
    nonisolated let software: ClientRegistrationRequest
    /// The store of the identity and the tokens.
    nonisolated let store: any TokenStore
    nonisolated let options: SignInOptions
    nonisolated let context: RequesterContext
    /// The requests that are under way.
    private var running: [RequestKey: Running] = [:]
    /// The number of requests begun so far, to distinguish them.
    private var requestsEver = 0

    /// Creates a provider; nothing is sent before a token is requested.
    ///
    /// - Parameters:
    ///   - address: The provider's address, as a service's ``CrossPlatformChallenge`` names it.
    ///   - software: The app's description of itself for its registration: its name, and the id and version of the
    ///     software.
    ///   - store: The store of the identity and the tokens.
    ///   - options: Lifetimes, limits and renewals; the standard ones suit an ordinary network.
    ///   - context: The network and the clock.
    ///
    /// Standard: ETSI TS 103 407 §8.
    public init(
        at address: Issuer,
        as software: ClientRegistrationRequest,
        keepingTokensIn store: any TokenStore,
        options: SignInOptions = SignInOptions(),
        in context: RequesterContext = .system
    ) {
        self.address = address
        self.software = software
        self.store = store
        self.options = options
        self.context = context
    }

    /// Gets a token for a service from the provider, and stores it before it is returned.
    ///
    /// The token is stored with the type that the provider gave it: look at ``CrossPlatformToken/type``. While the
    /// device is associated with a person for the service, it gets that person's token also when it requests a
    /// client's; ``discardIdentity()`` makes it anonymous again.
    ///
    /// Concurrent callers with the same request share it, and the first one's presentation. Cancelling the task ends
    /// the wait at once, and the request when no other caller waits; a running renewal continues, since it has spent
    /// the previous token. When an answer is lost on the way, the same request is repeated, so that the person need not
    /// approve twice.
    ///
    /// - Parameters:
    ///   - domain: The service: a host name, with a port if it has one.
    ///   - type: The subject of the token: the device itself or a person.
    ///   - presentation: Shows the page for approval; unused if no person is asked. `nil`, the default, fails if a
    ///     person would have to be asked.
    ///   - renewal: Whether a stored token with at least half a minute left may be the answer.
    /// - Throws: ``SignInError``: `denied`, `expired`, `cancelled`; `person_needed` when there is no presentation;
    ///   `client_refused` when the provider refuses the device twice; others for network, provider and store.
    ///
    /// Standard: ETSI TS 103 407 §8.3, §8.4.
    public func requestToken(
        for domain: Domain,
        ofType type: CrossPlatformToken.TokenType,
        presenting presentation: (any SignInPresentation)? = nil,
        renewing renewal: Renewal = .always
    ) async throws(SignInError) -> CrossPlatformToken {
        guard Domain(parsing: domain.rawValue) != nil else {
            throw SignInError(.domainRefused, because: "a domain is a host, with its port if it has one")
        }
        if renewal == .ifNeeded, let kept = try await token(for: domain), kept.type == type,
            kept.lives(forAtLeast: .seconds(30), from: context.clock.now())
        {
            return kept
        }
        try await store.requireSaving()
        return try await share(RequestKey(domain: domain, type: type), presentation)
    }

    /// Reads the stored token of a service, without a request and without waiting for a running one.
    ///
    /// - Parameter domain: The service.
    /// - Returns: The token, whatever its age; `nil` when there is none.
    /// - Throws: ``SignInError`` `not_loaded` when the stored data cannot be read.
    public nonisolated func token(for domain: Domain) async throws(SignInError) -> CrossPlatformToken? {
        do throws(TokenStoreError) {
            return try await store.crossPlatformToken(for: .crossPlatformToken(at: address, for: domain))
        } catch {
            throw SignInError(error)
        }
    }

    /// Reads all stored tokens of this provider.
    ///
    /// - Returns: The tokens, whatever their age, sorted by domain.
    /// - Throws: ``SignInError`` `not_loaded` when the stored data cannot be read.
    public nonisolated func tokens() async throws(SignInError) -> [CrossPlatformToken] {
        do throws(TokenStoreError) {
            var tokens: [CrossPlatformToken] = []
            for key in try await store.keys() where key.isToken(at: address) {
                if let token = try await store.crossPlatformToken(for: key) { tokens.append(token) }
            }
            return tokens.sorted { $0.domain.rawValue < $1.domain.rawValue }
        } catch {
            throw SignInError(error)
        }
    }

    /// Removes the token for a service; a request for it that is under way is cancelled.
    ///
    /// - Parameter domain: The service.
    /// - Throws: ``SignInError`` `not_stored`, `store_unusable` or `busy_elsewhere` by the store.
    public func discardToken(for domain: Domain) async throws(SignInError) {
        await stop { $0.domain == domain }
        let key = TokenStoreKey.crossPlatformToken(at: address, for: domain)
        let store = store
        try await alone(with: key) { try await store.remove(key) }
    }

    /// Removes this device's identity at the provider and all its tokens of this provider, those of other apps of the
    /// group too. The next request registers again.
    ///
    /// The provider is not notified: a person removes the device on the provider's page.
    ///
    /// - Throws: ``SignInError`` `not_stored`, `store_unusable` or `busy_elsewhere` by the store.
    public func discardIdentity() async throws(SignInError) {
        await stop { _ in true }
        let key = TokenStoreKey.crossPlatformIdentity(at: address)
        let (store, address) = (store, address)
        try await alone(with: key) {
            try await store.remove(key)
            for key in try await store.keys() where key.isToken(at: address) { try await store.remove(key) }
        }
    }
}

extension CrossPlatformProvider {
    /// The properties that callers must have in common to share a request.
    struct RequestKey: Sendable, Hashable {
        /// The service.
        let domain: Domain
        /// Whether the token is for the app or a person.
        let type: CrossPlatformToken.TokenType
    }

    /// A request that is under way, and how many callers wait for it.
    private struct Running {
        /// The task that gets the token.
        let task: Task<Result<CrossPlatformToken, SignInError>, Never>
        let number: Int
        /// The number of callers that wait for it.
        var waiting = 0
    }

    /// The number of callers that wait for a request that is under way.
    func waiting(for domain: Domain) -> Int {
        running.filter { $0.key.domain == domain }.values.map(\.waiting).reduce(0, +)
    }

    /// Joins the request that is under way for `wanted`, or begins one.
    private func share(
        _ wanted: RequestKey,
        _ presentation: (any SignInPresentation)?
    ) async throws(SignInError) -> CrossPlatformToken {
        guard !Task.isCancelled else { throw SignInError.taskCancelled }
        let current = running[wanted] ?? begin(wanted, presentation)
        running[wanted] = current
        running[wanted]?.waiting += 1
        do throws(SignInError) {
            return try await Interruptible.value { await current.task.value }.get()
        } catch {
            if Task.isCancelled { await leave(wanted, current.number) }
            throw error
        }
    }

    /// Starts a request.
    private func begin(_ wanted: RequestKey, _ presentation: (any SignInPresentation)?) -> Running {
        requestsEver += 1
        let number = requestsEver
        let task = Task {
            let result = await acquired(wanted, presenting: presentation.map(PresentationSequencer.init))
            if running[wanted]?.number == number { running[wanted] = nil }
            return result
        }
        return Running(task: task, number: number)
    }

    /// A caller no longer waits: without another one the request ends, and its page is dismissed.
    private func leave(_ wanted: RequestKey, _ number: Int) async {
        guard var current = running[wanted], current.number == number else { return }
        current.waiting -= 1
        running[wanted] = current.waiting > 0 ? current : nil
        guard current.waiting == 0 else { return }
        current.task.cancel()
        _ = await current.task.value
    }

    /// Cancels the requests that `matches` selects, and waits until they have ended.
    private func stop(_ matches: (RequestKey) -> Bool) async {
        let stopped = running.filter { matches($0.key) }
        for (wanted, request) in stopped {
            running[wanted] = nil
            request.task.cancel()
        }
        for request in stopped.values { _ = await request.task.value }
    }
}

extension CrossPlatformProvider {
    private static let chosen = NIOLockedValueBox<CrossPlatformProvider?>(nil)

    /// The provider that the whole app uses, if one was chosen by ``setDefault(_:)``.
    public static var `default`: CrossPlatformProvider? { chosen.withLockedValue(\.self) }

    /// Chooses the provider that the whole app uses.
    ///
    /// - Parameter provider: The provider; `nil` for none.
    /// - Returns: The provider that was chosen before, if one was.
    @discardableResult
    public static func setDefault(_ provider: CrossPlatformProvider?) -> CrossPlatformProvider? {
        chosen.withLockedValue { chosen in
            defer { chosen = provider }
            return chosen
        }
    }
}
