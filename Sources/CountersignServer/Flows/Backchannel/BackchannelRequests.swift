internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Reads the requests of clients over the back channel, signed or not.
///
/// A signed request is used once, at all nodes together.
/// Standard: OpenID CIBA Core 1.0 §7.1, §7.1.1, §7.2; FAPI-CIBA §5.2.2.
struct BackchannelRequests: Sendable {
    let services: FlowServices

    /// The parameters that authenticate a client; they stand beside a signed request.
    private static let credentials: Set = ["client_id", "client_secret", "client_assertion", "client_assertion_type"]

    /// The request in `form`.
    ///
    /// - Throws: ``OAuthError`` as the client is to be told; ``StoreUnavailableError``.
    func request(
        in form: Form,
        by client: AuthenticatedClient
    ) async throws -> BackchannelAuthenticationRequest {
        guard form["client_id"].map({ $0 == client.client.id.rawValue }) ?? true else {
            throw OAuthError(.invalidRequest, "client_id is another client's", because: "another client_id")
        }
        let request = try BackchannelAuthenticationRequest(form: try await parameters(form, by: client))
        guard client.client.backchannel.deliveryMode == .poll || request.notificationToken != nil else {
            throw OAuthError(
                .invalidRequest,
                "client_notification_token is missing",
                because: "a client that is notified sent no token"
            )
        }
        guard !client.client.rules.requiresBindingMessage || request.bindingMessage != nil else {
            throw OAuthError(
                .invalidRequest,
                "binding_message is missing: a client with the profile fapi2 sends one",
                because: "no binding message"
            )
        }
        return request
    }

    /// The parameters of a request, out of its signed object if it has one.
    private func parameters(_ form: Form, by client: AuthenticatedClient) async throws -> Form {
        let rules = client.client.rules
        guard let text = form["request"] else {
            guard !rules.requiresSignedBackchannelRequests else {
                throw OAuthError(
                    .invalidRequest,
                    "this client has to sign its requests: request is missing",
                    because: "an unsigned request"
                )
            }
            return form
        }
        guard form.parameters.allSatisfy({ $0.name == "request" || Self.credentials.contains($0.name) }) else {
            throw OAuthError(
                .invalidRequest,
                "parameters of the request stand inside its object only",
                because: "parameters beside a request object"
            )
        }
        guard let keys = client.client.signingKeys else {
            throw OAuthError(
                .invalidRequest,
                "the client has no registered keys for signed requests",
                because: "\(client.client.id) has no keys for a request object"
            )
        }
        let verified: VerifiedRequestObject
        let now = services.clock.now()
        do {
            verified = try UnverifiedRequestObject(text).verified(
                by: keys,
                of: client.client.id,
                for: services.issuer.text,
                signedBy: rules.backchannelAlgorithms,
                demanding: .backchannel,
                at: now
            )
        } catch {
            // CIBA has no code of its own for request objects.
            throw OAuthError(.invalidRequest, error.description, because: error.reason)
        }
        let use = SingleUse(
            .usesPerRequestObject,
            of: verified.use,
            until: verified.ends ?? now + UnverifiedRequestObject.longestLife
        )
        guard try await use.isFirst(in: services.store, at: now) else {
            throw OAuthError(.invalidRequest, "the request object was used before", because: "a used jti")
        }
        return verified.parameters
    }
}
