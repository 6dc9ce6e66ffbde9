internal import Countersign
internal import CountersignTransport
internal import CountersignWire
internal import NIOConcurrencyHelpers
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A provider's name and keys, whose metadata are read again before its keys are, so that keys may move.
struct DiscoveredServer: Sendable {
    private let provider: ProviderProfile
    private let transport: any HTTPTransport
    private let options: SignInOptions
    private let clock: TimeSource
    private let found = NIOLockedValueBox<(server: AuthorizationServer, at: Date)?>(nil)

    init(
        of provider: ProviderProfile,
        over transport: any HTTPTransport,
        options: SignInOptions,
        clock: TimeSource
    ) {
        self.provider = provider
        self.transport = transport
        self.options = options
        self.clock = clock
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
        let server: AuthorizationServer
        let age = found.withLockedValue(\.self).map { clock.now().timeIntervalSince($0.at) }
        if let age, (0..<JWKSCache.freshFor).contains(age), let known = found.withLockedValue(\.self) {
            server = known.server
        } else {
            server = try await look()
        }
        let keys = try await retrier.attempt { () async throws(StepFailure) in
            try await server.keySet(over: transport, within: options.timeLimit)
        }
        guard keys.keys.count <= JWKSCache.mostKeys else {
            throw SignInError(.badAnswer, because: "there are \(keys.keys.count) keys")
        }
        return keys
    }

    private func look() async throws(SignInError) -> AuthorizationServer {
        let server = try await provider.server(
            for: .tokens, needsKeys: true, over: transport, options: options, retrying: retrier)
        found.withLockedValue { $0 = (server, clock.now()) }
        return server
    }

    private var retrier: Retrier { Retrier(limit: options.attempts, clock: clock) { _ in } }
}
