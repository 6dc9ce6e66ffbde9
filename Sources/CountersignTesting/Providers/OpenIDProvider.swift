public import Countersign
internal import CountersignWire
internal import Crypto
internal import NIOConcurrencyHelpers

/// A provider of OpenID Connect on a port of this machine, for tests of what signs in with it.
///
/// ```swift
/// let provider = try await OpenIDProvider.start(
///     clock: clock.source,
///     drawingFrom: SeededRandom(seed: 1).source
/// )
/// provider.register(ClientID("app"), secret: nil, returningTo: ["com.example.app:/signed-in"])
/// ```
///
/// It has metadata, keys that can be rotated, `/authorize` (everything is allowed at once, or denied), `/token` for
/// authorization codes with PKCE, and `/userinfo`. Each step can be made to fail by ``fail(at:with:)``, and each ID
/// token to lie by ``lie(in:)``.
///
/// Standard: OpenID Connect Core 1.0 §3.1, OpenID Connect Discovery 1.0 §4, RFC 6749 §4.1, RFC 7636, RFC 9207.
public final class OpenIDProvider: Sendable {
    /// A step that an app can ask of the provider.
    public enum Step: String, Sendable, Hashable, CaseIterable {
        /// The metadata.
        case discovery
        /// The public keys.
        case keys
        /// The page where the person allows it.
        case authorization
        /// The exchange of a code for tokens.
        case token
        /// The claims about the person.
        case userInfo
    }

    struct State {
        var clients: [ClientID: OpenIDRegistration] = [:]
        var person = OpenIDPerson()
        var issuer: String?
        var isDenying = false
        var lies: Set<IDTokenDefect> = []
        var signers: [OpenIDSigner] = []
        var codes: [String: OpenIDGrant] = [:]
        var tokens: [String: (person: OpenIDPerson, scope: String)] = [:]
    }

    let state: NIOLockedValueBox<State>
    let steps = ProviderSteps<Step>()
    let clock: TimeSource
    let random: RandomSource

    private init(clock: TimeSource, random: RandomSource) {
        self.clock = clock
        self.random = random
        var state = State()
        state.signers = [OpenIDSigner(number: 1)]
        self.state = NIOLockedValueBox(state)
    }

    /// Starts a provider on a free port.
    ///
    /// - Parameters:
    ///   - clock: The source of the times in tokens.
    ///   - random: The source of codes and access tokens. Signing keys are drawn from the system.
    /// - Returns: The provider; it answers until ``stop()``, or until nothing refers to it.
    /// - Throws: `IOError` when it cannot listen.
    public static func start(clock: TimeSource, drawingFrom random: RandomSource) async throws -> OpenIDProvider {
        let provider = OpenIDProvider(clock: clock, random: random)
        try await provider.steps.listen { [weak provider] in provider?.outcome(of: $0) }
        return provider
    }

    /// Stops to listen, and ends all connections.
    public func stop() async { await steps.stop() }

    /// The address that it answers at, such as `http://127.0.0.1:40123`.
    public var base: String { steps.base }

    /// The issuer that metadata, answers and tokens name: ``base``, until a test sets another, such as that of a
    /// provider whose address the test's network leads here.
    public var issuer: String {
        get { state.withLockedValue(\.issuer) ?? base }
        set { state.withLockedValue { $0.issuer = newValue } }
    }

    /// The requests so far, in their order.
    public var received: [ProviderRequest] { steps.received }

    /// The person who allows everything.
    public var person: OpenIDPerson {
        get { state.withLockedValue(\.person) }
        set { state.withLockedValue { $0.person = newValue } }
    }

    /// Whether the person denies everything; `false` at the start.
    public var isDenying: Bool {
        get { state.withLockedValue(\.isDenying) }
        set { state.withLockedValue { $0.isDenying = newValue } }
    }

    /// Registers a client.
    ///
    /// - Parameters:
    ///   - client: Its identifier.
    ///   - secret: Its secret; `nil` for a public client.
    ///   - redirects: The addresses that answers may go to, compared character by character; a loopback address may
    ///     have any port.
    public func register(_ client: ClientID, secret: ClientSecret?, returningTo redirects: [String]) {
        state.withLockedValue { $0.clients[client] = OpenIDRegistration(secret: secret, redirects: redirects) }
    }

    /// Signs by a new key from now on.
    ///
    /// - Parameter keepsOld: Whether the keys of before stay in the set; `true` by default.
    public func rotateKeys(keepingOld keepsOld: Bool = true) {
        state.withLockedValue { state in
            let next = OpenIDSigner(number: (state.signers.first?.number ?? 0) + 1)
            state.signers = [next] + (keepsOld ? state.signers : [])
        }
    }

    /// Signs ID tokens by RS256 from now on, with a new key of 2,048 bits.
    public func signByRSA() {
        state.withLockedValue { state in
            let next = OpenIDSigner(rsa: (state.signers.first?.number ?? 0) + 1)
            state.signers.insert(next, at: 0)
        }
    }

    /// Signs ID tokens by EdDSA from now on, with a new key on the curve Ed25519.
    public func signByEd25519() {
        state.withLockedValue { state in
            let next = OpenIDSigner(ed25519: (state.signers.first?.number ?? 0) + 1)
            state.signers.insert(next, at: 0)
        }
    }

    /// Lets a step fail.
    ///
    /// - Parameters:
    ///   - step: The step to break.
    ///   - faults: The faults, one for each request; the last remains. Without any, the step works again.
    public func fail(at step: Step, with faults: ProviderFault...) { steps.set(faults, at: step) }

    /// Makes the ID tokens say something wrong from now on.
    ///
    /// - Parameter lies: The defects of the tokens; an empty set for none.
    public func lie(in lies: Set<IDTokenDefect>) { state.withLockedValue { $0.lies = lies } }
}
