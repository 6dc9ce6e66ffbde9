import CountersignRequester
import Foundation

/// Redeems codes with the secret of the client.
///
/// Standard: RFC 6749 §4.1.3, RFC 7636 §4.5. The secret and the code are in the body of a POST, never in an address.
struct CodeRedeemer: Sendable {
    let endpoint: Endpoint
    let secret: ClientSecret

    /// The tokens; `nil` when the provider refuses the code.
    func tokens(for handover: CodeHandover) async throws -> TokenResponse? {
        var form = TokenRequest.authorizationCode(
            handover.code, redirectURI: handover.redirectURI, verifier: handover.verifier
        ).form
        form["client_id"] = handover.client.rawValue
        form["client_secret"] = secret.revealed
        var request = endpoint.request(.post)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        let answer = try await AsyncHTTPTransport().send(request, body: Array(form.encoded.utf8), within: .seconds(15))
        guard answer.response.status == .ok else { return nil }
        return try JSONDecoder().decode(TokenResponse.self, from: Data(answer.body))
    }
}
