internal import Countersign
internal import CountersignWire
internal import HTTPTypes
internal import Hummingbird

/// `POST /exchange/nonce`: a client gets a nonce before a person signs in at another provider, and presents it with the
/// ID token that comes of it.
///
/// An addition of Countersign to RFC 8693; the answer has the form of OpenID for Verifiable Credential Issuance 1.0 §7.
struct TokenExchangeNonceEndpoint: Sendable {
    let core: ServerCore
    let clients: ClientServices
    let providers: ProviderServices

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint("exchange/nonce", [.post: answer], from: clients.origins)
    }

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let (client, _) = try await clients.authenticatedForm(of: request, isOptional: true, in: context)
        try client.require(.tokenExchange)
        let nonces = try await core.keys.current().exchangeNonces
        let nonce = nonces.nonce(
            for: client.client.id,
            drawnFrom: providers.subjectTokens.random,
            at: core.clock.now()
        )
        return try Response.json(ExchangeNonceResponse(nonce: nonce, expiresIn: Int(TokenExchangeNonces.lifetime)))
    }
}
