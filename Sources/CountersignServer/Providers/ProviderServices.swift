internal import Countersign
internal import CountersignTransport

/// The services about other providers that sign people in.
final class ProviderServices: Sendable {
    let directory: ProviderDirectory
    let client: OpenIDProviderClient
    let links: IdentityLinks
    let subjectTokens: SubjectTokenVerifier

    /// - Parameter transport: The network for asking other providers.
    init(_ core: ServerCore, calling transport: any HTTPTransport, random: RandomSource) {
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
}
