internal import Countersign
internal import CountersignTransport

/// The services about other providers that sign people in.
final class ProviderServices: Sendable {
    let directory: ProviderDirectory
    let client: OpenIDProviderClient
    let links: IdentityLinks
    let subjectTokens: SubjectTokenVerifier
    private let transport: any HTTPTransport
    private let clock: TimeSource
    private let random: RandomSource

    /// - Parameter transport: The network for asking other providers.
    init(_ core: ServerCore, calling transport: any HTTPTransport, random: RandomSource) {
        self.transport = transport
        self.random = random
        clock = core.clock
        directory = ProviderDirectory(over: transport, clock: core.clock)
        client = OpenIDProviderClient(
            directory: directory,
            transport: transport,
            issuer: core.issuer,
            mint: core.mint,
            clock: core.clock
        )
        subjectTokens = SubjectTokenVerifier(
            store: core.store,
            providers: client,
            keys: core.keys,
            transport: transport,
            clock: core.clock,
            random: random
        )
        links = IdentityLinks(
            store: core.store, mint: core.mint, limits: core.limits, clock: core.clock)
    }

    /// A trial of a configured provider.
    func diagnosis(of provider: IdentityProvider, for issuer: Issuer) -> ProviderDiagnosis {
        ProviderDiagnosis(of: provider, for: issuer, over: transport, clock: clock, random: random)
    }
}
