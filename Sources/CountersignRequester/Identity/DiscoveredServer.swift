internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import NIOConcurrencyHelpers

/// A provider's name and keys, whose metadata are read again before its keys are, so that keys may move.
struct DiscoveredServer: Sendable {
    private let provider: ProviderProfile
    private let options: SignInOptions
    private let context: RequesterContext
    private let found = NIOLockedValueBox<(server: VerifiedServer, at: Date)?>(nil)

    init(of provider: ProviderProfile, options: SignInOptions, in context: RequesterContext) {
        self.provider = provider
        self.options = options
        self.context = context
    }

    /// The issuer as the metadata spell it, which never changes.
    func issuer() async throws(SignInError) -> String {
        if let known = found.withLockedValue(\.self) { return known.server.issuer }
        return try await look().issuer
    }

    /// Fetches the provider's keys.
    ///
    /// Standard: RFC 7517 §5.
    func keySet() async throws(SignInError) -> JSONWebKeySet {
        let server: VerifiedServer
        let age = found.withLockedValue(\.self).map { context.clock.now().timeIntervalSince($0.at) }
        if let age, (0..<JWKSCache.freshFor).contains(age), let known = found.withLockedValue(\.self) {
            server = known.server
        } else {
            server = try await look()
        }
        let keys = try await retrier.attempt { () async throws(StepError) in
            try await server.keySet(over: context.transport, within: options.timeLimit)
        }
        guard keys.keys.count <= JWKSCache.mostKeys else {
            throw SignInError(.badAnswer, because: "there are \(keys.keys.count) keys")
        }
        return keys
    }

    private func look() async throws(SignInError) -> VerifiedServer {
        let server = try await provider.server(
            for: .tokens, needsKeys: true, options: options, in: context, retrying: retrier)
        found.withLockedValue { $0 = (server, context.clock.now()) }
        return server
    }

    private var retrier: Retrier { context.retrier(options) }
}
