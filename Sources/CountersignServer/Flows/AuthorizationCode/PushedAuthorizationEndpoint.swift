internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat
internal import HTTPTypes
internal import Hummingbird

/// `POST /par`: a client stores an authorization request, and gets a `request_uri` for the browser.
///
/// Standard: RFC 9126 §2, §3; RFC 9449 §10.1 for a proof that goes with it.
struct PushedAuthorizationEndpoint: Sendable {
    let services: FlowServices

    /// The lifetime of a request, in seconds: long enough for a person to sign in on the way. FAPI 2.0 demands less
    /// than 600.
    static let lifetime: TimeInterval = 590

    private static let path = "par"

    func mount(on router: some RouterMethods<ServerRequestContext>) {
        router.endpoint(Self.path, [.post: services.proofs.givingNonces(answer)], from: services.clients.origins)
    }

    /// The longest request that is stored, in bytes: any program may push in the name of a public client.
    ///
    /// Standard: RFC 9126 §2.3.
    static let longest = 16_384

    private func answer(_ request: Request, in context: ServerRequestContext) async throws -> Response {
        let submitted = try await request.submittedForm()
        let client = try await services.clients.authentication.authenticated(
            submitted.credentials, by: request, in: context)
        try client.require(.authorizationCode)
        var form = submitted.form
        for credential in ["client_secret", "client_assertion", "client_assertion_type"] { form[credential] = nil }
        let requests = AuthorizationRequests(services: services)
        form = try requests.pushed(form, by: client)
        try await bind(&form, of: client, toKeyOf: request)
        form = try requests.checkedPush(form, by: client)
        let parameters = form.encoded
        // Encoding may have made them three times as long.
        guard parameters.utf8.count <= Self.longest else { throw OAuthError.contentTooLarge }
        let reference = RequestURI(services.mint.secret())
        let stored = PushedRequest(
            reference: reference.secret.digest,
            client: client.client.id,
            parameters: parameters,
            expires: services.clock.now() + Self.lifetime
        )
        let address = context.address(of: request, by: services.addresses)
        try await services.store.change { [limits = services.limits] repositories in
            try limits.admitAndCount(
                SignInStartService.rateKeys(client.client, client.provenance, from: address), in: repositories)
            try repositories.pushedRequests.insert(stored)
        }
        var response = try Response.json(
            PushedAuthorizationResponse(requestURI: reference.revealed, expiresIn: Int(Self.lifetime))
        )
        response.status = .created
        return response
    }

    /// Binds the code to the key that the client proves, as if the request had its `dpop_jkt`.
    ///
    /// - Throws: ``OAuthError`` `invalid_dpop_proof`, also when the request names another key; `use_dpop_nonce`.
    private func bind(
        _ form: inout Form,
        of client: AuthenticatedClient,
        toKeyOf request: Request
    ) async throws {
        guard let proof = try UnverifiedDPoPProof(in: request.headers) else { return }
        let key = try await services.proofs.key(provenBy: proof, of: client, at: Self.path)
        guard form["dpop_jkt"] == nil || form["dpop_jkt"] == key.rawValue else {
            throw OAuthError(.invalidDPoPProof, "dpop_jkt names another key", because: "dpop_jkt and proof differ")
        }
        form["dpop_jkt"] = key.rawValue
    }
}
