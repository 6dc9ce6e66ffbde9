internal import Countersign
internal import CountersignTransport

/// The services about other providers that sign people in.
final class ProviderServices: Sendable {
    let directory: ProviderDirectory
    let client: OpenIDProviderClient
    let links: IdentityLinks
    let subjectTokens: SubjectTokenVerifier

    /// - Parameter transport: The network for asking other providers.
    init(_ server: ServerCore, calling transport: any HTTPTransport, random: RandomSource) {
        directory = ProviderDirectory(over: transport, clock: server.clock)
        client = OpenIDProviderClient(
            directory: directory,
            transport: transport,
            issuer: server.issuer,
            mint: server.mint,
            clock: server.clock
        )
        subjectTokens = SubjectTokenVerifier(
            store: server.store,
            providers: client,
            keys: server.keys,
            transport: transport,
            clock: server.clock,
            random: random
        )
        links = IdentityLinks(
            store: server.store, mint: server.mint, limits: server.limits, clock: server.clock)
    }
}
