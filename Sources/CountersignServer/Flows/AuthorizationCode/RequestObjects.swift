internal import Countersign
internal import CountersignWire
internal import FoundationEssentialsCompat

/// Reads the request objects of clients: authorization requests that they signed.
///
/// Standard: RFC 9101 §5.1, §6; OpenID Connect Core 1.0 §6.1; RFC 9126 §3.
struct RequestObjects: Sendable {
    let issuer: Issuer

    /// The request inside the object of `form`; `nil` when it has none.
    ///
    /// Parameters beside the object are not read. Standard: RFC 9101 §6.3.
    ///
    /// - Parameters:
    ///   - form: The parameters as they came.
    ///   - client: The client that `form` names, or that authenticated.
    ///   - seen: The time when the server saw the request first.
    /// - Throws: ``OAuthError`` `invalid_request_object`; `request_not_supported` for a client without keys.
    func request(in form: Form, of client: Client, seen: Date) throws(OAuthError) -> Form? {
        guard let text = form["request"] else { return nil }
        guard let keys = client.signingKeys else {
            throw OAuthError(
                .requestNotSupported,
                "the client has no registered keys for signed requests",
                because: "\(client.id) has no keys for a request object"
            )
        }
        guard form["request_uri"] == nil else {
            throw OAuthError(.invalidRequest, "request and request_uri do not go together", because: "both")
        }
        return try UnverifiedRequestObject(text).verified(
            by: keys,
            of: client.id,
            for: issuer.text,
            signedBy: client.rules.algorithms,
            demanding: client.rules.requestObjects,
            at: seen
        ).parameters
    }
}
