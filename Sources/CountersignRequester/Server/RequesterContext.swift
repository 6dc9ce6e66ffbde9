public import Countersign
public import CountersignTransport

/// The network, the clock and the source of secrets of a sign-in.
///
/// Every way to sign in takes one, and uses ``system`` by default. An app that pins certificates and a test use their
/// own:
///
/// ```swift
/// let context = RequesterContext(over: transport, clock: .system, random: .system)
/// let signIn = SignIn(at: issuer, as: client, for: scope, in: context)
/// ```
public struct RequesterContext: Sendable {
    let transport: any HTTPTransport
    let clock: TimeSource
    let random: RandomSource

    /// A context with another network, clock or source of secrets than the system's.
    ///
    /// - Parameters:
    ///   - transport: The network.
    ///   - clock: The clock: `.system`, or a test clock.
    ///   - random: The source of secrets, keys and nonces: `.system`, or a fixed sequence in tests.
    public init(over transport: any HTTPTransport, clock: TimeSource, random: RandomSource) {
        self.transport = transport
        self.clock = clock
        self.random = random
    }

    /// This machine's network, its clocks and its generator.
    public static var system: RequesterContext {
        RequesterContext(over: SystemTransport.make(), clock: .system, random: .system)
    }
}

extension RequesterContext {
    /// Repeats steps that fail for a reason that may pass.
    ///
    /// - Parameters:
    ///   - options: Say how often.
    ///   - announce: Shows a failure, and the date of the next attempt.
    func retrier(
        _ options: SignInOptions,
        announce: @escaping @Sendable (SignInEvent) async -> Void = { _ in }
    ) -> Retrier {
        Retrier(limit: options.attempts, clock: clock, announce: announce)
    }
}
