internal import ArgumentParser
internal import Countersign
internal import CountersignRequester
internal import CountersignWire

/// The kinds of another provider's token that a server exchanges.
enum ProviderTokenKind: String, CaseIterable, ExpressibleByArgument {
    case idToken = "id-token"
    case accessToken = "access-token"
    case oauth1

    /// The token in a line of text.
    ///
    /// - Parameters:
    ///   - line: The token; of OAuth 1, token and secret as a form.
    ///   - nonce: The nonce that the person signed in with, for an ID token; `nil` or empty for none.
    ///   - provider: The provider by its name at the server; `nil` where the token is enough to find it.
    /// - Throws: a ``CommandError`` of usage for a line that is no form with both credentials of OAuth 1.
    func token(_ line: String, nonce: String?, of provider: String?) throws(CommandError) -> ProviderToken {
        var token: ProviderToken
        switch self {
        case .idToken:
            let nonce = nonce.flatMap { $0.isEmpty ? nil : SubjectTokenNonce(revealing: $0) }
            token = .idToken(UnverifiedIDToken(revealing: line), nonce: nonce)
        case .accessToken: token = .accessToken(AccessToken(revealing: line))
        case .oauth1:
            guard let form = try? Form(parsing: Array(line.utf8)), let both = try? TokenCredentials(form: form)
            else { throw .usage("A token of OAuth 1 is a form: oauth_token=…&oauth_token_secret=…") }
            token = .oauth1(both)
        }
        token.subjectIssuer = provider
        return token
    }
}
