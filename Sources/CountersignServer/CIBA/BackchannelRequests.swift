internal import Countersign
internal import CountersignWire
internal import Foundation
internal import NIOConcurrencyHelpers

/// Reads the requests of clients over the back channel, signed or not.
///
/// Which signed requests were used is remembered in the memory of this node, within a bound; another node does not know
/// them, and there a copy needs the client's credentials as every request does.
/// Standard: OpenID CIBA Core 1.0 §7.1, §7.1.1, §7.2; FAPI-CIBA §5.2.2.
final class BackchannelRequests: Sendable {
    private let issuer: Issuer
    private let clock: TimeSource
    private let used: NIOLockedValueBox<ReplayMemory>

    /// How many signed requests are remembered at least.
    private static let capacity = 100_000
    /// The parameters by which a client authenticates; they stand beside a signed request.
    private static let credentials: Set = ["client_id", "client_secret", "client_assertion", "client_assertion_type"]

    init(issuer: Issuer, clock: TimeSource) {
        self.issuer = issuer
        self.clock = clock
        used = NIOLockedValueBox(ReplayMemory(capacity: Self.capacity))
    }

    /// The request in `form`.
    ///
    /// - Throws: ``OAuthError`` as the client is to be told.
    func request(
        in form: Form,
        by client: AuthenticatedClient
    ) throws(OAuthError) -> BackchannelAuthenticationRequest {
        guard form["client_id"].map({ $0 == client.client.id.rawValue }) ?? true else {
            throw OAuthError(.invalidRequest, "client_id is another client's", because: "another client_id")
        }
        let request = try BackchannelAuthenticationRequest(form: try parameters(form, by: client))
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
    private func parameters(_ form: Form, by client: AuthenticatedClient) throws(OAuthError) -> Form {
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
        do throws(OAuthError) {
            let verified = try UnverifiedRequestObject(text).verified(
                by: keys,
                of: client.client.id,
                for: issuer.text,
                signedBy: rules.backchannelAlgorithms,
                demanding: .backchannel,
                at: clock.now()
            )
            let finding = used.withLockedValue { $0.use(verified.use, made: verified.made, at: clock.now()) }
            guard finding == .new else {
                throw OAuthError(
                    .invalidRequest, "the request object was used before", because: "a used jti: \(finding)")
            }
            return verified.parameters
        } catch {
            // CIBA has no code of its own for request objects.
            throw OAuthError(.invalidRequest, error.description, because: error.reason)
        }
    }
}
